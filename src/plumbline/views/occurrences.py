"""Occurrences of documents with the same levels, and which of them are above which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Occurrences:
    """Occurrences of classes on one side, class by class and level by level."""

    of: Integers
    level: Integers
    w: Numbers
    shared: Numbers


@dataclass(frozen=True)
class Padded:
    """The occurrences of some classes on one side, the first ones of all classes, then the second ones, and so on."""

    times: Integers
    """How many each class has, one at least."""
    level: Integers
    w: Numbers
    shared: Numbers

    @classmethod
    def of(cls, occurrences: Occurrences, chosen: slice) -> Padded:
        """Those of some classes."""
        mine = slice(*np.searchsorted(occurrences.of, (chosen.start, chosen.stop)))
        owner = occurrences.of[mine] - chosen.start
        times = np.bincount(owner, minlength=chosen.stop - chosen.start)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(times) - times, times)
        made = cls(times, *(np.zeros((int(times.max(initial=0)), len(times)), dtype=kind) for kind in (np.int64, float, float)))
        for table, values in ((made.level, occurrences.level), (made.w, occurrences.w), (made.shared, occurrences.shared)):
            table[place, owner] = values[mine]
        return made

    def above(self, rows: Integers, columns: Integers) -> _Above:
        """Some classes above others; those on each side have the same number of occurrences."""
        upper, lower = range(int(self.times[rows[0]])), range(int(self.times[columns[0]]))
        pairs = [(one, other) for one in upper for other in lower]
        masks = [self.level[one, rows, None] < self.level[other, columns] for one, other in pairs]
        return _Above(self, rows, columns, pairs, masks, np.sum(masks, axis=0, dtype=np.float64))


@dataclass(frozen=True)
class _Above:
    """Which occurrences of some classes are above which of others."""

    side: Padded
    rows: Integers
    columns: Integers
    pairs: list[tuple[int, int]]
    masks: list[NDArray[np.bool_]]
    times: Numbers
    """How often each class is above each other one."""

    def worth(self, chance: Numbers) -> Numbers:
        """What these relations weigh, each with its chance of being right, for each class of the rows."""
        total = np.zeros(len(self.rows))
        for (one, other), mask in zip(self.pairs, self.masks, strict=True):
            rightly = chance * mask
            total += self.side.shared[one, self.rows] * (rightly @ self.side.w[other, self.columns])
            total += self.side.w[one, self.rows] * (rightly @ self.side.shared[other, self.columns])
        return total
