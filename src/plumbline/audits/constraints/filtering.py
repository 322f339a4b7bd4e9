"""Constraints and properties of filtering metrics; a world is how many items are TP, FP, FN and TN.

Strict monotonicity and definiteness: Sebastiani 2015. The three properties exclude each other, and make families of metrics
(Amigo et al. 2019): what a metric gives to non-informative outputs, which accept the same share of the relevant and of the
other items. The size of a world is the larger class of its gold, so that up to 12 means all matrices up to 12 x 12.
"""

from __future__ import annotations

from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Final, NamedTuple

from plumbline.audits.constraints.registry import Pair, constraint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

AXIOMS: Final = "sebastiani2015"
PROPERTIES: Final = "amigo2019"
LARGEST: Final = {"filtering": 12, "organization": 6}
FAMILIES: Final = {
    "absolute weighting": "utility-based",
    "fixed quality": "informativeness-based",
    "growing quality": "class-oriented",
}
"""The property by which a family of metrics is known (Amigo et al. 2019, section 3.3), and its name."""


class Matrix(NamedTuple):
    """How many items there are of each kind."""

    tp: int
    fp: int
    fn: int
    tn: int


def golds(size: int, least: int = 1) -> Iterator[tuple[int, int]]:
    """How many relevant and other items there can be, the larger of the two being the size."""
    for smaller in range(least, size):
        yield smaller, size
        yield size, smaller
    yield size, size


def outputs(relevant: int, others: int) -> Iterator[Matrix]:
    """Every output for a gold, those that accept few items first."""
    every = [Matrix(tp, fp, relevant - tp, others - fp) for tp in range(relevant + 1) for fp in range(others + 1)]
    return iter(sorted(every, key=lambda matrix: (matrix.tp + matrix.fp, matrix.fp)))


def _some_monotonic(size: int, rng: Random) -> Pair | None:
    possible = list(_corrected(_some_output(size, rng), size))
    return rng.choice(possible) if possible else None


@constraint(
    "strict monotonicity",
    paper=AXIOMS,
    smallest=1,
    largest=LARGEST,
    draw=_some_monotonic,
)
def strict_monotonicity(size: int) -> Iterator[Pair]:
    """Labelling one more item as the gold does is better."""
    for gold in golds(size):
        for worse in outputs(*gold):
            yield from _corrected(worse, size)


def _corrected(worse: Matrix, size: int) -> Iterator[Pair]:
    """One item more is labelled as it should be."""
    tp, fp, fn, tn = worse
    if fp:
        yield Pair(Matrix(tp, fp - 1, fn, tn + 1), worse, size)
    if fn:
        yield Pair(Matrix(tp + 1, fp, fn - 1, tn), worse, size)


def _some_output(size: int, rng: Random) -> Matrix:
    sides = [size, rng.randint(1, size)]
    rng.shuffle(sides)
    tp, fp = (rng.randint(0, side) for side in sides)
    return Matrix(tp, fp, sides[0] - tp, sides[1] - fp)


def uninformative(relevant: int, others: int) -> list[Matrix]:
    """Outputs that accept the same share of both classes, from none to all."""
    parts = gcd(relevant, others)
    shares = ((relevant * part // parts, others * part // parts) for part in range(parts + 1))
    return [Matrix(tp, fp, relevant - tp, others - fp) for tp, fp in shares]


HALF: Final = Matrix(1, 1, 1, 1)
"""The smallest non-informative output that has items of every kind, so that few metrics are undefined."""


@constraint(
    "definiteness",
    paper=AXIOMS,
    smallest=1,
    largest=LARGEST,
    demand="defined",
)
def definiteness(size: int) -> Iterator[Pair]:
    """There is a score wherever the gold has items of both classes."""
    for gold in golds(size):
        yield from (Pair(matrix, matrix, size) for matrix in outputs(*gold))


@constraint(
    "strong definiteness",
    paper=AXIOMS,
    smallest=1,
    largest=LARGEST,
    demand="defined",
)
def strong_definiteness(size: int) -> Iterator[Pair]:
    """There is a score for every gold."""
    for gold in golds(size, least=0):
        yield from (Pair(matrix, matrix, size) for matrix in outputs(*gold))


@constraint(
    "absolute weighting",
    paper=PROPERTIES,
    smallest=1,
    largest=LARGEST,
    demand="one sign",
)
def absolute_weighting(size: int) -> Iterator[Pair]:
    """A parameter alone decides whether accepting one relevant and one other item more is better."""
    for gold in golds(size):
        for tp, fp, fn, tn in outputs(*gold):
            if fn and tn:
                yield Pair(Matrix(tp + 1, fp + 1, fn - 1, tn - 1), Matrix(tp, fp, fn, tn), size)


@constraint(
    "fixed quality",
    paper=PROPERTIES,
    smallest=1,
    largest=LARGEST,
    demand="equal",
)
def fixed_quality(size: int) -> Iterator[Pair]:
    """All non-informative outputs have the same score."""
    # neighbours, and each with one and the same, so that all are compared even where some have no score
    for gold in golds(size):
        alike = uninformative(*gold)
        yield from (Pair(more, less, size) for less, more in pairwise(alike) if HALF not in (less, more))
        yield from (Pair(each, HALF, size) for each in alike if size > 1 and each != HALF)
    if size == HALF.tp + HALF.fn:
        yield from (Pair(each, HALF, size) for each in uninformative(1, 1))


@constraint(
    "growing quality",
    paper=PROPERTIES,
    smallest=1,
    largest=LARGEST,
)
def growing_quality(size: int) -> Iterator[Pair]:
    """Of two non-informative outputs the one that accepts more is better."""
    for gold in golds(size):
        yield from (Pair(more, less, size) for less, more in pairwise(uninformative(*gold)))


def family(kept: Iterable[str]) -> str | None:
    """The family of a metric that has these properties; no metric has two."""
    return next((FAMILIES[name] for name in kept if name in FAMILIES), None)
