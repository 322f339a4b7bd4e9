"""Records are what the standard library makes of the same declarations."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from functools import cached_property
from typing import Any, ClassVar, cast

import pytest

from plumbline.records import FEW, dataclass


def _made(decorator: Any, **how: bool) -> type[Any]:
    """One class with all that our records use, declared by either decorator."""

    @decorator(frozen=True, **how)
    class Base:
        """Has a default and a constant."""

        constant: ClassVar[int] = 7
        name: str
        size: int = 3

    @decorator(frozen=True, **how)
    class Record(Base):
        """Adds a factory, and fields that are neither shown nor compared."""

        names: list[str] = dataclasses.field(default_factory=list)
        hidden: int = dataclasses.field(default=0, repr=False)
        aside: int = dataclasses.field(default=1, compare=False)
        made: tuple[int, ...] = dataclasses.field(default_factory=tuple, init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "size", self.size + 1)

        @cached_property
        def twice(self) -> int:
            return self.size * 2

    return Record


HOW: tuple[dict[str, bool], ...] = ({}, {"eq": False}, {"repr": False}, {"kw_only": True})


@pytest.fixture(params=HOW, ids=str)
def pair(request: pytest.FixtureRequest) -> tuple[type[Any], type[Any]]:
    return _made(dataclass, **request.param), _made(dataclasses.dataclass, **request.param)


def test_same_signature_fields_and_text(pair: tuple[type[Any], type[Any]]) -> None:
    ours, theirs = pair
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert [one.name for one in dataclasses.fields(ours)] == [one.name for one in dataclasses.fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__init__.__annotations__ == theirs.__init__.__annotations__
    one, other = ours(name="a", names=["b"]), theirs(name="a", names=["b"])
    if "object at" not in repr(other):
        assert repr(one) == repr(other)
    assert dataclasses.asdict(one) == dataclasses.asdict(other)
    assert (one.twice, one.constant, one.made) == (other.twice, other.constant, other.made) == (8, 7, ())


def test_same_comparisons(pair: tuple[type[Any], type[Any]]) -> None:
    for given in ({"size": 1}, {"names": ("x",)}, {"hidden": 5}, {"aside": 5}, {}):
        outcomes = []
        for kind in pair:
            one, other = kind(name="a", names=()), kind(**{"name": "a", "names": (), **given})
            outcomes.append((one == other, hash(one) == hash(other), one == 3, one != other))
        assert outcomes[0] == outcomes[1]


def test_nothing_can_be_changed(pair: tuple[type[Any], type[Any]]) -> None:
    for kind in pair:
        record = kind(name="a")
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'name'"):
            record.name = "b"
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'new'"):
            record.new = "b"
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'name'"):
            del record.name
        changed = dataclasses.replace(record, name="c")
        assert (changed.name, changed.size) == ("c", 5)  # replace() calls __post_init__, which adds one
        assert copy.copy(record).__dict__ == record.__dict__


def test_missing_and_unknown_arguments(pair: tuple[type[Any], type[Any]]) -> None:
    for kind in pair:
        with pytest.raises(TypeError, match="missing 1 required"):
            kind()
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            kind(name="a", other=1)


def test_the_first_records_are_made_as_all_others(pair: tuple[type[Any], type[Any]]) -> None:
    ours, theirs = pair
    for given in ({"name": "a"}, {"name": "a", "size": 5, "names": ["b"], "hidden": 1, "aside": 2}):
        made = [ours(**given) for _ in range(2 * FEW)]
        assert [vars(one) for one in made] == [vars(theirs(**given))] * (2 * FEW)
    assert inspect.isfunction(vars(ours)["__init__"])


def test_arguments_by_position(pair: tuple[type[Any], type[Any]]) -> None:
    for kind in pair:
        if any(one.kw_only for one in dataclasses.fields(kind)):
            with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
                kind("a")
        else:
            assert (kind("a", 5).name, kind("a", 5).size) == ("a", 6)
            with pytest.raises(TypeError, match="takes from 2 to 6 positional arguments but 8 were given"):
                kind("a", 1, [], 0, 1, (), 7)
            with pytest.raises(TypeError, match="multiple values for argument 'name'"):
                kind("a", name="b")


def test_classes_that_people_derive() -> None:
    base = _made(dataclass)

    @dataclasses.dataclass(frozen=True)
    class Further(base):  # type: ignore[misc, valid-type]  # made by a function
        """A record of the standard library on top of one of ours."""

        more: int = 2

    class Free(base):  # type: ignore[misc, valid-type]  # made by a function
        """No record."""

    assert Further("a", more=5).more == 5
    free = Free("a")
    free.extra = 1
    assert free.extra == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        free.name = "b"
    with pytest.raises(TypeError, match="cannot inherit non-frozen"):
        dataclasses.dataclass(type("Loose", (base,), {}))


def test_equal_only_within_a_class() -> None:
    @dataclass(frozen=True)
    class One:
        """A field."""

        value: int

    @dataclass(frozen=True)
    class Other:
        """The same field."""

        value: int

    @dataclass(frozen=True)
    class Empty:
        """None."""

    @dataclass(frozen=True)
    class Own:  # noqa: PLW1641 - the hash is made
        """A comparison of its own."""

        value: int

        def __eq__(self, other: object) -> bool:
            return True

    assert One(1) == One(1) != One(2)
    assert One(1) != cast("Any", Other(1))
    assert Empty() == Empty()
    assert Own(1) == 3
    assert hash(Own(1)) == hash(Own(1))


def test_a_record_inside_itself() -> None:
    @dataclass(frozen=True)
    class Node:
        """Holds others."""

        inside: list[Any]

    node = Node([])
    node.inside.append(node)
    assert repr(node).endswith("Node(inside=[...])")


def test_records_can_be_pickled() -> None:
    from plumbline.errors import Place  # noqa: PLC0415 - a record that has a name

    place = Place("a.run", 3)
    assert pickle.loads(pickle.dumps(place)) == place  # noqa: S301 - our own


def test_only_frozen_ones() -> None:
    with pytest.raises(TypeError, match="only frozen records"):
        dataclass(frozen=False)


def test_the_function_is_compiled_once_for_a_class_and_its_subclasses() -> None:
    @dataclass(frozen=True)
    class Base:
        name: str

    class Derived(Base):
        def __init__(self, name: str) -> None:
            super().__init__(name.upper())

    assert Derived("a").name == "A"
    assert Base.__init__ is Base.__dict__["__init__"]
    assert inspect.isfunction(Base.__init__)
    assert Base.__init__.__qualname__.endswith("Base.__init__")
