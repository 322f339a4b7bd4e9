"""Documents that occur several times, among themselves, where one side has few levels.

Documents with the same levels on that side have the same relations there, so what is left is the other side, where each occurs
once or twice. A document with levels t1 <= t2 there is above one with levels y1 <= y2 as often as r1 + r2 tell, r1 being how
many of its levels are above y1, and r2 above y2. Sums over all documents with given r1 and r2 follow from sums over those
beyond t1 or t2 in one order, and beyond (t1, t2) in both, which is a dominance sum. So no pair is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.views.dominance import dominance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.views.occurrences import Padded

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

TWICE: Final = 2
"""How often a document may occur on the side with many levels."""
ENOUGH: Final = 64
"""So many documents with the same levels, on average, make this the shorter way."""
PLACES: Final = tuple((a, b) for b in range(TWICE + 1) for a in range(b + 1))
"""Every r1 and r2."""


def has_few_levels(few: Padded, many: Padded) -> bool:
    """Whether so many documents share their levels on one side, and none occurs more than twice on the other."""
    if len(few.times) < ENOUGH or many.times.max(initial=0) > TWICE:
        return False
    return ENOUGH * (int(_kinds(few).max()) + 1) <= len(few.times)


def _kinds(side: Padded) -> Integers:
    """A number for each combination of levels."""
    absent = np.arange(len(side.level))[:, None] >= side.times
    return np.unique(np.where(absent, -1, side.level), axis=1, return_inverse=True)[1].ravel()


def among_few_levels(size: Numbers, few: Padded, many: Padded) -> tuple[float, float]:
    """All relations of the documents of one list with each other, on the side with few levels and on that with many."""
    kinds = _kinds(few)
    groups = [np.flatnonzero(kinds == number) for number in range(int(kinds.max()) + 1)]
    upper = _Upper.of(many)
    of_few = of_many = 0.0
    for lower in groups:
        sums = _Beyond.of(upper, many, lower, _weights(size, few, many, lower))
        for rows in groups:
            above = [(i, j) for i in range(few.times[rows[0]]) for j in range(few.times[lower[0]])]
            above = [(i, j) for i, j in above if few.level[i, rows[0]] < few.level[j, lower[0]]]
            for a, b in PLACES:
                rightly = min(a + b, len(above))
                if not rightly:
                    continue
                w1, w2, shared1, shared2, *others = sums.exactly(a, b, rows)
                worth = upper.shared[a, rows] * w1 + upper.shared[b, rows] * w2
                worth = worth + upper.w[a, rows] * shared1 + upper.w[b, rows] * shared2
                of_many += rightly / (a + b) * float(size[rows] @ worth)
                for i, j in above:
                    of_pair = few.shared[i, rows] * others[2 * j] + few.w[i, rows] * others[2 * j + 1]
                    of_few += rightly / len(above) * float(size[rows] @ of_pair)
    return of_few, of_many


def _weights(size: Numbers, few: Padded, many: Padded, lower: Integers) -> Numbers:
    """What is summed over the lower documents: weights and shares of both occurrences, then those of the other side."""
    once = many.times[lower] < TWICE
    rows = [
        np.where(once, 0.0, many.w[0, lower]),
        np.where(once, many.w[0, lower], many.w[-1, lower]),
        np.where(once, 0.0, many.shared[0, lower]),
        np.where(once, many.shared[0, lower], many.shared[-1, lower]),
    ]
    for place in range(few.times[lower[0]]):
        rows += [few.w[place, lower], few.shared[place, lower]]
    return np.stack(rows) * size[lower]


@dataclass(frozen=True)
class _Upper:
    """The documents as those above others: their levels, and the sums over none, the first and both of their occurrences."""

    first: Integers
    second: Integers
    twice: NDArray[np.bool_]
    w: Numbers
    shared: Numbers

    @classmethod
    def of(cls, many: Padded) -> _Upper:
        twice = many.times == TWICE
        beyond = int(many.level.max()) + 1
        sums = [_until(values, twice) for values in (many.w, many.shared)]
        return cls(many.level[0], np.where(twice, many.level[-1], beyond), twice, sums[0], sums[1])


def _until(values: Numbers, twice: NDArray[np.bool_]) -> Numbers:
    both = values[0] + np.where(twice, values[-1], 0.0)
    return np.stack([np.zeros(len(both)), values[0], both])


@dataclass(frozen=True)
class _Beyond:
    """Sums over the lower documents with r1 >= u and r2 >= v, for each document above them."""

    sums: dict[tuple[int, int], Numbers]

    @classmethod
    def of(cls, upper: _Upper, many: Padded, lower: Integers, weights: Numbers) -> _Beyond:
        twice = many.times[lower] == TWICE
        y1 = np.where(twice, many.level[0, lower], -1)
        y2 = np.where(twice, many.level[-1, lower], many.level[0, lower])
        by_first, by_second = _OneOrder.of(y1, weights), _OneOrder.of(y2, weights)
        both = np.zeros((len(weights), len(upper.first)))
        queries = np.flatnonzero(upper.twice)
        x, y = (np.concatenate(part) for part in ((y1[twice], upper.first[queries]), (y2[twice], upper.second[queries])))
        points = np.concatenate((weights[:, twice], np.zeros((len(weights), len(queries)))), axis=1)
        both[:, queries] = dominance(np.zeros_like(x), x, y, points, apart=True)[1][:, int(twice.sum()) :]
        u1, u2 = by_first.beyond(upper.first), by_first.beyond(upper.second)
        v1, v2 = by_second.beyond(upper.first), by_second.beyond(upper.second)
        every = np.broadcast_to(weights.sum(axis=1)[:, None], u1.shape)
        return cls(
            {(0, 0): every, (0, 1): v1, (0, 2): v2, (1, 0): u1, (1, 1): u1, (1, 2): both, (2, 0): u2, (2, 1): u2, (2, 2): u2}
        )

    def exactly(self, a: int, b: int, rows: Integers) -> Numbers:
        """The sums over those with r1 = a and r2 = b, for some of the documents above them."""
        corners = (((0, 0), 1.0), ((1, 0), -1.0), ((0, 1), -1.0), ((1, 1), 1.0))
        kept = [(sign, self.sums[a + u, b + v]) for (u, v), sign in corners if (a + u, b + v) in self.sums]
        return np.asarray(sum(sign * sums[:, rows] for sign, sums in kept))


@dataclass(frozen=True)
class _OneOrder:
    """Levels in their order, and the sums from each on."""

    level: Integers
    sums: Numbers

    @classmethod
    def of(cls, level: Integers, weights: Numbers) -> _OneOrder:
        order = np.argsort(level, kind="stable")
        sums = np.zeros((len(weights), len(level) + 1))
        sums[:, :-1] = np.cumsum(weights[:, order[::-1]], axis=1)[:, ::-1]
        return cls(level[order], sums)

    def beyond(self, levels: Integers) -> Numbers:
        """The sums over what is below these levels."""
        return self.sums[:, np.searchsorted(self.level, levels, side="right")]
