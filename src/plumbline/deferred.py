"""Fields of frozen records whose value is made when it is first asked for, such as a table that many callers never look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
C = TypeVar("C", bound=type[Any])


class _Later(Generic[T]):
    """A value that is not made yet."""

    def __init__(self, make: Callable[[], T]) -> None:
        self.make = make

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


def later(make: Callable[[], T]) -> T:
    """The value of a field declared with `deferring`, to be made when it is first asked for; made twice if two threads ask."""
    return cast("T", _Later(make))


def is_put_off(record: object, name: str) -> bool:
    """Whether the value of a field is still to be made."""
    return isinstance(vars(record)[name], _Later)


def deferring(*names: str) -> Callable[[C], C]:
    """Let these fields of a dataclass be given as `later(function)`."""

    def declared(record: C) -> C:
        for name in names:
            setattr(record, name, _Field(name))
        return record

    return declared
