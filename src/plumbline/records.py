"""`dataclass` for modules that are loaded to score two small files: the same records, declared in a third of the time.

The standard library compiles six functions for each frozen record; for a hundred records that takes longer than scoring.
Here only `__init__` is compiled, when several records have been made; the others are closures over the names of the fields.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from dataclasses import MISSING, FrozenInstanceError
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from threading import local
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Methods = dict[str, Callable[..., Any]]
    Fields = tuple[dataclasses.Field[Any], ...]

__all__ = ["dataclass"]

C = TypeVar("C", bound=type[Any])
FEW: Final = 10
"""So many records are made in the time that it takes to compile a function for them."""
_DECLARING = local()
_SPECIAL: Final = re.compile("ClassVar|InitVar|KW_ONLY|^_$")
"""Annotations that make no field of their name."""


class _Parameters:
    """How a record was declared; the library asks the bases of a class whether they are frozen."""

    init = match_args = True
    order = unsafe_hash = slots = weakref_slot = kw_only = False

    def __init__(self, *, eq: bool, repr: bool) -> None:  # noqa: A002 - the library's word
        self.eq, self.repr = eq, repr

    @property
    def frozen(self) -> bool:
        """Always, but while a subclass is being declared here, which the library takes for one that is not frozen."""
        return not getattr(_DECLARING, "now", False)


class _Factory:
    """The default of a field with a factory, as signatures show it."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _dataclass(*, frozen: bool, eq: bool = True, repr: bool = True, kw_only: bool = False) -> Callable[[C], C]:  # noqa: A002 - as above
    """Declare a frozen record as `dataclasses.dataclass` does."""
    if not frozen:
        message = "only frozen records are declared here"
        raise TypeError(message)

    def declare(cls: C) -> C:
        every = _fields(cls, kw_only=kw_only)
        cls.__dataclass_params__ = _Parameters(eq=eq, repr=repr)
        methods = _guards(cls, frozenset(one.name for one in every))
        if eq:
            methods |= _comparisons([one.name for one in every if one.compare])
        if repr:
            methods["__repr__"] = _repr([one.name for one in every if one.repr])
        for name, method in methods.items():
            if cls.__dict__.get(name) is None:  # a class with an __eq__ of its own has None for a hash
                method.__qualname__ = f"{cls.__qualname__}.{name}"
                setattr(cls, name, method)
        if "__init__" not in cls.__dict__:
            cls.__init__ = _Init(cls, every)
        return cls

    return declare


def _fields(cls: type[Any], *, kw_only: bool) -> Fields:
    """What the library makes of the annotations; it searches each text for special types, which hardly any record has."""
    given = inspect.get_annotations(cls)
    usual = bool(given) and not any(isinstance(hint, str) and _SPECIAL.search(hint) for hint in given.values())
    _DECLARING.now = True
    try:
        if usual:
            cls.__annotations__ = dict.fromkeys(given, object)
        dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    finally:
        _DECLARING.now = False
        if usual:
            cls.__annotations__ = given
    every = dataclasses.fields(cls)
    for one in every if usual else ():
        one.type = given.get(one.name, one.type)
    return every


class _Init:
    """Stands for the `__init__` of a record: few of all records that are declared are made, and most of those once or twice."""

    def __init__(self, cls: type[Any], every: Fields) -> None:
        self._declared = cls, every
        self._made = 0

    def __get__(self, record: object, kind: type[Any] | None = None) -> Callable[..., None]:
        cls, _ = self._declared
        if record is not None and self._made < FEW and cls.__dict__["__init__"] is self:
            self._made += 1
            return partial(self._fill, record)
        return self._compiled(record, kind)

    def _compiled(self, record: object, kind: type[Any] | None) -> Callable[..., None]:
        cls, every = self._declared
        if cls.__dict__["__init__"] is self:
            made = _init(cls, every)
            made.__qualname__ = f"{cls.__qualname__}.__init__"
            cls.__init__ = made
        method: Callable[..., None] = cls.__dict__["__init__"].__get__(record, kind)
        return method

    def _fill(self, record: Any, /, *given: Any, **named: Any) -> None:  # noqa: ANN401 - the values of any fields
        """What the compiled function does; it is left to that function to say what is wrong with arguments."""
        cls, every = self._declared
        places = [one.name for one in every if one.init and not one.kw_only]
        values = {**dict(zip(places, given, strict=False)), **named}
        known = {one.name: one for one in every if one.init}
        lacks = any(one.default is one.default_factory is MISSING for name, one in known.items() if name not in values)
        if lacks or len(values) < len(given) + len(named) or not values.keys() <= known.keys():
            self._compiled(record, cls)(*given, **named)
            return
        for one in every:
            if one.name in values:
                object.__setattr__(record, one.name, values[one.name])
            elif one.default_factory is not MISSING:
                object.__setattr__(record, one.name, one.default_factory())
            elif one.init:
                object.__setattr__(record, one.name, one.default)
        if hasattr(cls, "__post_init__"):
            record.__post_init__()


def _init(cls: type[Any], every: Fields) -> Callable[..., None]:
    """The one function that is compiled: it is called often, and people read its signature."""
    given = [one for one in every if one.init]
    names: dict[str, Any] = {"_set": object.__setattr__, "_FACTORY": _FACTORY}
    names |= {f"_default_{one.name}": one.default for one in given}
    names |= {f"_make_{one.name}": one.default_factory for one in every}
    parameters = ["self", *(_parameter(one) for one in given if not one.kw_only)]
    only_named = [_parameter(one) for one in given if one.kw_only]
    parameters += ["*", *only_named] if only_named else []
    body = [_assignment(one) for one in every if one.init or one.default_factory is not MISSING]
    body += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    lines = "\n  ".join(body or ["pass"])
    exec(f"def __init__({', '.join(parameters)}):\n  {lines}", names)  # noqa: S102 - made of the names of fields alone
    made: Callable[..., None] = names["__init__"]
    made.__annotations__ = {**{one.name: one.type for one in given}, "return": None}
    made.__module__ = cls.__module__
    return made


def _parameter(one: dataclasses.Field[Any]) -> str:
    if one.default is not MISSING:
        return f"{one.name}=_default_{one.name}"
    return one.name if one.default_factory is MISSING else f"{one.name}=_FACTORY"


def _assignment(one: dataclasses.Field[Any]) -> str:
    value = one.name
    if one.default_factory is not MISSING:
        value = f"_make_{one.name}()" + (f" if {one.name} is _FACTORY else {one.name}" if one.init else "")
    return f"_set(self, {one.name!r}, {value})"


def _guards(cls: type[Any], names: frozenset[str]) -> Methods:
    """Nothing is set or deleted after `__init__`; a subclass that is no record may have attributes of its own."""

    def set_attribute(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            message = f"cannot assign to field {name!r}"
            raise FrozenInstanceError(message)
        super(cls, self).__setattr__(name, value)

    def delete_attribute(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            message = f"cannot delete field {name!r}"
            raise FrozenInstanceError(message)
        super(cls, self).__delattr__(name)

    return {"__setattr__": set_attribute, "__delattr__": delete_attribute}


def _comparisons(names: Iterable[str]) -> Methods:
    """Equal if of one class with equal fields; the class stands first so that even no field, or one, makes a tuple."""
    values = attrgetter("__class__", *names)

    def equal(self: object, other: object) -> bool:
        return bool(values(self) == values(other)) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}


def _repr(names: Iterable[str]) -> Callable[[object], str]:
    shown = tuple(names)

    @recursive_repr()
    def text(self: object) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({inside})"

    return text


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass
