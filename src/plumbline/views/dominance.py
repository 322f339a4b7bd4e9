"""For every point, how much weight lies before it, and after it, in two orders at once; without looking at pairs.

The points stand in the first order. Their place in the second order is read bit by bit, from the highest: where two points
first differ, the one with 0 comes first. So each bit settles all pairs that differ there, by one running sum, and splits
the points in two; after as many rounds as a level number has bits, every pair is settled (a wavelet tree, built and forgotten).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

_LARGEST_SUM: Final = float(2**61)
"""Weights become whole numbers, the sum of each list this one: sums over many lists then cancel exactly."""
_FINE_BITS: Final = 20
"""Binary places of what rounding leaves, which is carried from point to point in whole numbers, too."""


def dominance(
    lists: Integers, x: Integers, y: Integers, weights: NDArray[np.float64], *, apart: bool = False
) -> tuple[NDArray[np.float64], ...]:
    """Sums over the points of the same list that lie before or after each point in both orders, together or `apart`.

    `x` and `y` are levels, 0 first; points of equal level are neither before nor after each other. `weights`, none of them
    negative, has a row for each sum that is wanted.
    """
    order = _order(lists, x, y)
    code, home = y[order], lists[order]
    starts = np.flatnonzero(np.concatenate(([True], home[1:] != home[:-1]))) if len(home) else np.empty(0, dtype=np.int64)
    units = [_units(lists, weight) for weight in weights]
    columns = [_Column.of((weight * unit)[order], starts, apart=apart) for weight, unit in zip(weights, units, strict=True)]
    for bit in reversed(range(int(code.max(initial=0)).bit_length())):
        late = (code >> bit) & 1 == 1
        split = _Split.of(late, starts)
        columns = [split.settled(column) for column in columns]
        code, order, starts = split.moved(code), split.moved(order), split.starts
    made = tuple(np.empty(weights.shape) for _ in range(2 if apart else 1))
    for row, (column, unit) in enumerate(zip(columns, units, strict=True)):
        for table, sums in zip(made, column.sums, strict=True):
            table[row, order] = sums / unit[order]
    return made


def _units(lists: Integers, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each point, how many whole numbers its weight 1 becomes; other lists have no part in it."""
    totals = np.bincount(lists, weights=weights).astype(np.float64, copy=False)  # whole numbers if there is none
    return np.divide(_LARGEST_SUM, totals, out=np.ones_like(totals), where=totals > 0)[lists]


def _order(lists: Integers, x: Integers, y: Integers) -> Integers:
    """List by list in the first order; within a level the last of the second order come first, so no pair there is in order."""
    wide, high = int(x.max(initial=0)) + 1, int(y.max(initial=0)) + 1
    if (int(lists.max(initial=0)) + 1) * wide * high >= 2**62:
        return np.lexsort((-y, x, lists))
    key = (lists * wide + x) * high + (high - 1 - y)
    return np.arange(len(key)) if np.all(key[1:] >= key[:-1]) else np.argsort(key, kind="stable")


@dataclass(frozen=True)
class _Column:
    """One weight of every point, and its sums so far, in the order of the round."""

    weight: Integers
    sums: tuple[Integers, ...]
    """What lies before and after each point, together or apart."""

    @classmethod
    def of(cls, weights: NDArray[np.float64], starts: Integers, *, apart: bool) -> _Column:
        floors = np.floor(weights)
        left = np.cumsum(np.ldexp(weights - floors, _FINE_BITS).astype(np.int64))  # goes to the next point: sums stay right
        if len(starts) > 1:
            left -= np.repeat(np.concatenate(([0], left[starts[1:] - 1])), np.diff(starts, append=len(left)))
        carried = (left + (1 << (_FINE_BITS - 1))) >> _FINE_BITS
        before = np.concatenate(([0], carried[:-1]))[: len(carried)]
        before[starts] = 0
        fixed = floors.astype(np.int64) + carried - before
        return cls(fixed, tuple(np.zeros(len(weights), dtype=np.int64) for _ in range(2 if apart else 1)))


@dataclass(frozen=True)
class _Split:
    """A round: points whose bit is 0 go first, then the others, and stretches of points that agreed so far are cut in two."""

    early: Integers
    late: Integers
    starts: Integers
    earlies_before: Integers
    """For each late point, how many early ones come before it, in its stretch or not."""
    earlies_outside: Integers
    """For each late point, how many early ones come before its stretch."""
    lates_before: Integers
    """For each early point, how many late ones come before it."""
    lates_until: Integers
    """For each early point, how many late ones come before the end of its stretch."""

    @classmethod
    def of(cls, late: NDArray[np.bool_], starts: Integers) -> _Split:
        first, last = np.flatnonzero(~late), np.flatnonzero(late)
        ends = np.append(starts[1:], len(late))
        lates = _running(late.astype(np.int64))
        inside = lates[ends] - lates[starts]
        cut = np.concatenate((starts - lates[starts], len(first) + lates[starts]))
        filled = np.concatenate((ends - starts - inside, inside)) > 0
        return cls(
            first,
            last,
            cut[filled],
            last - np.arange(len(last)),
            np.repeat(starts - lates[starts], inside),
            first - np.arange(len(first)),
            np.repeat(lates[ends], ends - starts - inside),
        )

    def moved(self, values: Integers) -> Integers:
        """The same values in the order after this round."""
        return np.concatenate((values[self.early], values[self.late]))

    def settled(self, column: _Column) -> _Column:
        """Pairs of an early and a late point of one stretch: the late one has the early one before it if it came before."""
        first, last = column.weight[self.early], column.weight[self.late]
        of_first, of_last = _running(first), _running(last)
        after = of_last[self.lates_until] - of_last[self.lates_before]
        before = of_first[self.earlies_before] - of_first[self.earlies_outside]
        none = np.zeros(1, dtype=np.int64)
        gains = [(after, before)] if len(column.sums) == 1 else [(none, before), (after, none)]
        return _Column(
            np.concatenate((first, last)),
            tuple(
                np.concatenate((sums_so_far[self.early] + early, sums_so_far[self.late] + late))
                for sums_so_far, (early, late) in zip(column.sums, gains, strict=True)
            ),
        )


def _running(values: Integers) -> Integers:
    """Sums of everything before each place, and of all; they may overflow, but differences of them are exact."""
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=sums[1:])
    return sums
