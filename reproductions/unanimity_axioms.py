"""The unanimous improvement as a relation: the axioms that section 5.2 of 2011 says it satisfies, and its uniqueness (5.2.1).

python reproductions/unanimity_axioms.py

No data are needed. The relation is that of `plumbline compare`, between all pairs of scores on a grid. Every axiom is tried on
the whole grid; "yes" means that it found no counterexample.
"""

from __future__ import annotations

import sys
from itertools import combinations, product
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

import numpy as np
from examples import cube
from printed import sections, table

import plumbline
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.comparison.weighting.blends import Mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Relation = NDArray[np.bool_]

LEVELS: Final = 5
"""Scores are 0, 0.25, 0.5, 0.75 and 1."""
EVERY: Final = range(LEVELS)
STRICT: Final = "nothing is strictly worse that gains in one metric; read as *not at least as good*, it holds"


class Point(NamedTuple):
    """Two scores, in steps of the grid."""

    first: int
    second: int

    def __str__(self) -> str:
        """As numbers."""
        return f"({self.first / (LEVELS - 1):g}, {self.second / (LEVELS - 1):g})"


POINTS: Final = tuple(Point(*both) for both in product(EVERY, repeat=2))


class Ordered(NamedTuple):
    """Which of two points is at least as good as the other."""

    relation: Relation

    def at_least(self, one: Point, other: Point) -> bool:
        """The first is at least as good."""
        return bool(self.relation[one.first * LEVELS + one.second, other.first * LEVELS + other.second])

    def equal(self, one: Point, other: Point) -> bool:
        """Each is at least as good as the other."""
        return self.at_least(one, other) and self.at_least(other, one)

    def better(self, one: Point, other: Point) -> bool:
        """The first is at least as good, and the second is not."""
        return self.at_least(one, other) and not self.at_least(other, one)


def unanimous() -> Ordered:
    """At least as good by both metrics, as plumbline counts it."""
    names = [str(point) for point in POINTS]
    scores = {str(point): ((point.first / (LEVELS - 1),), (point.second / (LEVELS - 1),)) for point in POINTS}
    result = unanimity(cube(scores))
    order = [result.systems.index(name) for name in names]
    return Ordered(result.a_ge_b[np.ix_(order, order)] > 0)


def connected(order: Ordered) -> Ordered:
    """The same, with points on which the metrics disagree taken for equal."""
    strict = order.relation & ~order.relation.T
    return Ordered(~strict.T)


def connectedness(order: Ordered) -> str | None:
    """Two points that cannot be compared."""
    pairs = combinations(POINTS, 2)
    return next((f"{a} and {b}" for a, b in pairs if not order.at_least(a, b) and not order.at_least(b, a)), None)


def transitivity(order: Ordered) -> str | None:
    """Three points in a row of which the first is not as good as the last."""
    return next(
        (
            f"{a}, {b}, {c}"
            for a, b in product(POINTS, repeat=2)
            if order.at_least(a, b)
            for c in POINTS
            if order.at_least(b, c) and not order.at_least(a, c)
        ),
        None,
    )


def independence(order: Ordered) -> str | None:
    """Points whose order depends on the score that they share."""
    for one, other, here, there in product(EVERY, repeat=4):
        for turn in (Point, lambda first, second: Point(second, first)):
            shared = order.at_least(turn(one, here), turn(other, here))
            if shared and not order.at_least(turn(one, there), turn(other, there)):
                return f"{turn(one, here)} and {turn(other, here)}, but {turn(one, there)} and {turn(other, there)}"
    return None


def thomsen_condition(order: Ordered) -> str | None:
    """Two equalities that do not lead to the third."""
    for r1, r2, r3, p1, p2, p3 in product(EVERY, repeat=6):
        given = order.equal(Point(r1, p3), Point(r3, p2)) and order.equal(Point(r3, p1), Point(r2, p3))
        if given and not order.equal(Point(r1, p1), Point(r2, p2)):
            return f"{Point(r1, p1)} and {Point(r2, p2)}"
    return None


def restricted_solvability(order: Ordered) -> str | None:
    """A point between two others that differ in one score, without an equal one in between."""
    for high, low, shared, *wanted in product(EVERY, repeat=5):
        between = Point(*wanted)
        inside = order.at_least(Point(high, shared), between) and order.at_least(between, Point(low, shared))
        if inside and not any(order.equal(Point(some, shared), between) for some in EVERY):
            return f"{between} between {Point(high, shared)} and {Point(low, shared)}"
    return None


def essential_components(order: Ordered) -> str | None:
    """Whether one of the scores never matters."""
    first = any(not order.equal(Point(a, shared), Point(b, shared)) for a, b, shared in product(EVERY, repeat=3))
    second = any(not order.equal(Point(shared, a), Point(shared, b)) for a, b, shared in product(EVERY, repeat=3))
    return None if first and second else "a score without effect"


def decreasing_marginal_effectiveness(order: Ordered) -> str | None:
    """A point above 0 that no exchange of the first score for the second makes worse, where all of it can be exchanged."""
    for point in POINTS:
        if min(point) and sum(point) < LEVELS:
            shifted = [Point(point.first - lost, point.second + lost) for lost in range(1, point.first + 1)]
            if not any(order.better(point, one) for one in shifted):
                return f"{point} and {shifted[-1]}"
    return None


AXIOMS: Final[Mapping[str, tuple[Callable[[Ordered], str | None], str, str]]] = {
    "connectedness": (connectedness, "no", "yes"),
    "transitivity": (transitivity, "yes", "no"),
    "independence": (independence, "yes", "-"),
    "Thomsen condition": (thomsen_condition, "yes", "-"),
    "restricted solvability": (restricted_solvability, "yes", "-"),
    "essential components": (essential_components, "yes", "-"),
    "decreasing marginal effectiveness": (decreasing_marginal_effectiveness, "yes", "-"),
}
"""How each is tried, what the paper says of the relation, and of the same where disagreement counts as equality."""


def axioms() -> list[str]:
    """What holds of the relation, and of the same where points on which the metrics disagree count as equal."""
    apart = unanimous()
    equal = connected(apart)
    rows = []
    for name, (broken, message, said_of_equal) in AXIOMS.items():
        result, found_of_equal = broken(apart), broken(equal)
        ours, ours_of_equal = ("no" if one else "yes" for one in (result, found_of_equal))
        remark = result or found_of_equal or ""
        rows.append([name, message, ours, said_of_equal, ours_of_equal, remark if message == ours else f"{remark}: {STRICT}"])
    columns = ("published", "ours", "published, disagreement as equality", "ours, disagreement as equality")
    return table(["axiom", *columns, "counterexample"], rows)


def uniqueness() -> list[str]:
    """How many pairs of points some weighting of each mean turns round."""
    order = unanimous()
    rows = []
    for mean in get_args(Mean):
        counts = {True: [0, 0], False: [0, 0]}
        for one, other in combinations([point for point in POINTS if min(point)], 2):
            settled = order.at_least(one, other) or order.at_least(other, one)
            counts[settled][0] += 1
            counts[settled][1] += plumbline.reversal(list(one), list(other), mean=mean).weights is not None
        (same, undone), (apart, turned) = counts[True], counts[False]
        rows.append([mean, f"{undone} of {same}", f"{turned} of {apart}", ""])
    return table(["mean", "unanimous pairs turned round", "other pairs turned round", "remark"], rows)


def report() -> str:
    """Both tables."""
    return sections(
        {
            "2011, section 5.2: axioms of the unanimous improvement": axioms(),
            "2011, section 5.2.1: which improvements some weighting undoes": uniqueness(),
        }
    )


def main() -> int:
    """Print the tables."""
    sys.stdout.write(report())
    return 0


if __name__ == "__main__":
    sys.exit(main())
