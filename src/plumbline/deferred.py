"""Fields of frozen records whose value is made when it is first asked for, such as a table that many callers never look at."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C", bound=type[Any])


class _Later(Generic[T]):
    """A value that is not made yet."""

    def __init__(self, make: Callable[[], T], preview: Callable[[], object] | None = None) -> None:
        self.make = make
        self.preview = preview

    def __reduce__(self) -> tuple[Callable[[T], T], tuple[T]]:
        return _itself, (self.make(),)  # what is pickled or copied is the value


def _itself(value: T) -> T:
    return value


class _Field:
    """A field that turns what was put off into its value."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, record: Any, owner: type[Any] | None = None) -> Any:  # noqa: ANN401 - the value of any field
        if record is None:
            return self
        value = record.__dict__[self.name]
        if isinstance(value, _Later):
            value = record.__dict__[self.name] = value.make()
        return value

    def __set__(self, record: Any, value: Any) -> None:  # noqa: ANN401 - the value of any field
        record.__dict__[self.name] = value


def later(make: Callable[[], T], preview: Callable[[], object] | None = None) -> T:
    """The value of a field declared with `deferring`, to be made when it is first asked for; made twice if two threads ask.

    `preview` tells something about the value without making it.
    """
    return cast("T", _Later(make, preview))


def preview(record: object, name: str) -> Any:  # noqa: ANN401 - whatever was given
    """What the preview of a field tells, as long as the value is not made; else None."""
    value = vars(record)[name]
    return value.preview() if isinstance(value, _Later) and value.preview is not None else None


def is_put_off(record: object, name: str) -> bool:
    """Whether the value of a field is still to be made."""
    return isinstance(vars(record)[name], _Later)


def replaced(record: R, **changes: Any) -> R:  # noqa: ANN401 - the values of any fields
    """The same dataclass with other values, like `dataclasses.replace`; what is put off stays so."""
    kept = {one.name: vars(record)[one.name] for one in fields(record) if one.init}  # type: ignore[arg-type]  # a dataclass
    return type(record)(**{**kept, **changes})


def deferring(*names: str) -> Callable[[C], C]:
    """Let these fields of a dataclass be given as `later(function)`."""

    def declared(record: C) -> C:
        for name in names:
            setattr(record, name, _Field(name))
        return record

    return declared
