"""Two organizations of the same documents, list by list: what occurs where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Side:
    """The occurrences of documents on one side, in the order of lists and levels."""

    lists: Whole
    level: Whole
    """Priority levels from 0, the best, without gaps in a list."""
    doc: Whole
    """The number of the document; documents of different lists have different numbers."""
    cluster: Whole
    """The number of the cluster; clusters of different lists have different numbers."""
    span: Numbers | None = None
    """How far an occurrence moves the reader on; one position each unless given."""


@dataclass(frozen=True)
class Sides:
    """A system's organizations (x) beside those of the gold (g)."""

    count: int
    """How many lists there are."""
    home: Whole
    """The list of each document."""
    x: Side
    g: Side

    def swapped(self) -> Sides:
        """The gold in the place of the system: Sensitivity is the Reliability of this."""
        return Sides(self.count, self.home, self.g, self.x)

    def times(self, side: Side) -> Whole:
        """How often each document occurs."""
        return np.bincount(side.doc, minlength=len(self.home))

    def sums(self, side: Side, values: Numbers) -> Numbers:
        """The sum over the occurrences of each list."""
        return list_sums(side.lists, values, self.count)


def list_sums(lists: Whole, values: Numbers, count: int) -> Numbers:
    """The sum over each list, lists being in order: by halves, which keeps more digits than one value after the other."""
    sums = np.zeros(count)
    if len(lists):
        starts = np.flatnonzero(np.concatenate(([True], lists[1:] != lists[:-1])))
        sums[lists[starts]] = np.add.reduceat(values, starts)
    return sums


def summed(at: Whole, values: Numbers, count: int = 0) -> Numbers:
    """The sum of the values at each place, for so many places at least."""
    return np.bincount(at, weights=values, minlength=count).astype(np.float64, copy=False)  # whole numbers if there is none
