"""Axioms of functions that combine two scores, as conjoint measurement has them; a world is a point of two scores.

Van Rijsbergen (1974) took them over for precision and recall, Amigo et al. (2011, section 5.1) for any two metrics. Scores are
multiples of 1/n in [0, 1], n being the size. Transitivity holds for whatever returns numbers, and the Archimedean property
cannot be broken by finitely many points, so neither is here.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from plumbline.audits.constraints.registry import Pair, constraint
from plumbline.audits.kinds import COMBINING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AXIOMS: Final = "amigo2011"
SHIFTS: Final = 16
"""In so many steps one score is given up for the other."""
ALL_TRIPLES: Final = 3
"""Up to this size all triples of scores are tried for the Thomsen condition, beyond it those that some mean finds equal."""


class Point(NamedTuple):
    """Two scores of one output."""

    first: Fraction
    second: Fraction


def scores(size: int, least: int = 1) -> list[Fraction]:
    """The multiples of 1/n, from 1/n or from 0."""
    return [Fraction(part, size) for part in range(least, size + 1)]


def is_new(size: int, *values: Fraction) -> bool:
    """Whether no smaller size has them."""
    return lcm(*(value.denominator for value in values)) == size


def _both_ways(*points: tuple[Fraction, Fraction]) -> Iterator[tuple[Point, ...]]:
    """The points, then the same with both scores exchanged."""
    yield tuple(Point(first, second) for first, second in points)
    yield tuple(Point(second, first) for first, second in points)


@constraint("connectedness", paper=AXIOMS, smallest=1, largest={COMBINING: 8}, demand="defined")
def connectedness(size: int) -> Iterator[Pair]:
    """There is a value for every two scores, so that all can be compared."""
    for first, second in product(scores(size, 0), repeat=2):
        if is_new(size, first, second):
            yield Pair(Point(first, second), Point(first, second), size)


@constraint("monotonicity", paper=AXIOMS, smallest=1, largest={COMBINING: 8})
def monotonicity(size: int) -> Iterator[Pair]:
    """Raising both scores is better."""
    for low, high, below, above in product(scores(size, 0), repeat=4):
        if low < high and below < above and is_new(size, low, high, below, above):
            yield Pair(Point(high, above), Point(low, below), size)


def _independent(size: int, least: int) -> Iterator[Pair]:
    every = scores(size, least)
    for (one, other), (here, there) in product(permutations(every, 2), repeat=2):
        if is_new(size, one, other, here, there):
            for better, worse, left, right in _both_ways((one, there), (other, there), (one, here), (other, here)):
                yield Pair(better, worse, size, ((left, right),))


@constraint("independence", paper=AXIOMS, smallest=2, largest={COMBINING: 7}, demand="as good if as good")
def independence(size: int) -> Iterator[Pair]:
    """Which of two outputs is better by one score does not depend on the other score, if they share it (above 0)."""
    return _independent(size, 1)


@constraint("independence, with zeros", paper=AXIOMS, smallest=1, largest={COMBINING: 6}, demand="as good if as good")
def independence_with_zeros(size: int) -> Iterator[Pair]:
    """The same, where scores may be 0."""
    return _independent(size, 0)


SCALES: Final[tuple[Callable[[int, int], Fraction], ...]] = (
    Fraction,
    lambda part, _: Fraction(1, part),
    lambda part, _: Fraction(1, 2**part),
)
"""Scores whose sums, sums of inverses and products are often equal: the arithmetic, harmonic and geometric mean see them so."""


def _triples(size: int) -> Iterator[tuple[Fraction, ...]]:
    """R1, R2, R3, P1, P2, P3."""
    if size <= ALL_TRIPLES:
        yield from (values for values in product(scores(size), repeat=6) if is_new(size, *values))
    for first, second, third, last in product(range(1, size + 1), repeat=4):
        parts = (first, second, third, second + last - third, first + last - third, last)
        if min(parts) >= 1 and max(parts) == size:
            yield from (tuple(scale(part, size) for part in parts) for scale in SCALES)


@constraint("Thomsen condition", paper=AXIOMS, smallest=2, largest={COMBINING: 6}, demand="equal if equal")
def thomsen_condition(size: int) -> Iterator[Pair]:
    """If R1, P3 is as good as R3, P2, and R3, P1 as good as R2, P3, then R1, P1 is as good as R2, P2."""
    for r1, r2, r3, p1, p2, p3 in dict.fromkeys(_triples(size)):
        if (r1, p1) != (r2, p2):
            given = ((Point(r1, p3), Point(r3, p2)), (Point(r3, p1), Point(r2, p3)))
            yield Pair(Point(r1, p1), Point(r2, p2), size, given)


@constraint("restricted solvability", paper=AXIOMS, smallest=2, largest={COMBINING: 4}, demand="reached", cost=10)
def restricted_solvability(size: int) -> Iterator[Pair]:
    """What lies between two outputs that differ in one score is as good as some output in between."""
    low, *_, high = scores(size)
    for other, *wanted in product(scores(size), repeat=3):
        if is_new(size, other, *wanted):
            target = Point(*wanted)
            for above, below in _both_ways((high, other), (low, other)):
                yield Pair(above, below, size, ((above, target), (target, below)))


@constraint("essential components", paper=AXIOMS, smallest=2, largest={COMBINING: 4}, demand="differs somewhere")
def essential_components(size: int) -> Iterator[Pair]:
    """Each of the two scores matters somewhere."""
    for one, other, shared in product(scores(size), repeat=3):
        if one < other and is_new(size, one, other, shared):
            yield from (Pair(better, worse, size) for better, worse in _both_ways((other, shared), (one, shared)))


@constraint(
    "decreasing marginal effectiveness",
    paper=AXIOMS,
    smallest=2,
    largest={COMBINING: 8},
    demand="better than some in each group",
)
def decreasing_marginal_effectiveness(size: int) -> Iterator[Pair]:
    """Giving up enough of one score is worse, though the other gains as much (both above 0, together at most 1)."""
    for first, second in product(scores(size), repeat=2):
        if first + second <= 1 and is_new(size, first, second):
            for step in range(1, SHIFTS + 1):
                lost = first * step / SHIFTS
                for point, shifted in _both_ways((first, second), (first - lost, second + lost)):
                    yield Pair(point, shifted, size)
