"""Constraints on metrics of spans; a world is a short text with a right span in it and one span that changes.

What a user of spans expects: a better boundary, the right type and a spurious span less are better, and a span in nearly the
right place is better than none. The size of a world is the length of the part that changes.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from plumbline.audits.constraints.registry import Pair, constraint

if TYPE_CHECKING:
    from collections.abc import Iterator

SPANS: Final = "segura2013"
LARGEST: Final = {"extraction": 6}
_APART: Final = 2
"""The positions of the span that is right in every world, and of the gap after it."""

Span = tuple[int, int, str]


class Extracted(NamedTuple):
    """The spans of the gold and of the output: start, end and a letter for the type."""

    gold: tuple[Span, ...]
    output: tuple[Span, ...]


_RIGHT: Final[Span] = (0, 1, "a")
"""A span that gold and output share."""


def _places(size: int) -> list[tuple[int, int]]:
    """Every place in the part that changes."""
    return [(start + _APART, end + _APART) for start, end in combinations(range(size + 1), 2)]


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> int:
    return min(one[1], other[1]) - max(one[0], other[0])


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """How many positions the edges are apart."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _moved(place: tuple[int, int]) -> list[tuple[int, int]]:
    """The places with one edge one position further."""
    start, end = place
    return [(start + 1, end), (start - 1, end), (start, end + 1), (start, end - 1)]


def _world(gold: tuple[Span, ...], *output: Span) -> Extracted:
    return Extracted((_RIGHT, *gold), (_RIGHT, *output))


@constraint("better boundary", paper=SPANS, smallest=2, largest=LARGEST)
def better_boundary(size: int) -> Iterator[Pair]:
    """A span that comes closer to the span of the gold, and has no more of anything else, is better."""
    for right in _places(size):
        for worse in _places(size):
            if _overlap(right, worse) <= 0:
                continue
            for better in _moved(worse):
                if _distance(better, right) < _distance(worse, right) and _overlap(right, better) > 0:
                    gold = ((*right, "a"),)
                    yield Pair(_world(gold, (*better, "a")), _world(gold, (*worse, "a")), size)


@constraint("right type", paper=SPANS, smallest=1, largest=LARGEST)
def right_type(size: int) -> Iterator[Pair]:
    """A span in the right place is better with the right type."""
    for place in _places(size):
        gold = ((*place, "a"),)
        yield Pair(_world(gold, (*place, "a")), _world(gold, (*place, "b")), size)


@constraint("spurious span", paper=SPANS, smallest=1, largest=LARGEST)
def spurious_span(size: int) -> Iterator[Pair]:
    """It is better not to have a span where the gold has none."""
    for place in _places(size):
        for letter in "ab":
            yield Pair(_world(()), _world((), (*place, letter)), size)


@constraint("nearly right", paper=SPANS, smallest=1, largest=LARGEST)
def nearly_right(size: int) -> Iterator[Pair]:
    """A span of the right type that overlaps one of the gold is better than none."""
    for right in _places(size):
        for span in _places(size):
            if _overlap(right, span) > 0:
                gold = ((*right, "a"),)
                yield Pair(_world(gold, (*span, "a")), _world(gold), size)
