"""Two organizations of the same documents, list by list: what occurs where."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from plumbline.records import dataclass

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Side:
    """The occurrences of documents on one side, in the order of lists and levels."""

    lists: Integers
    level: Integers
    """Priority levels from 0, the best, without gaps in a list."""
    doc: Integers
    """The number of the document; documents of different lists have different numbers."""
    cluster: Integers
    """The number of the cluster; clusters of different lists have different numbers."""
    span: Numbers | None = None
    """How far an occurrence moves the reader on; one position each unless given."""


@dataclass(frozen=True)
class Sides:
    """A system's organizations (x) beside those of the gold (g)."""

    count: int
    """How many lists there are."""
    home: Integers
    """The list of each document."""
    x: Side
    g: Side

    def swapped(self) -> Sides:
        """The gold in the place of the system: Sensitivity is the Reliability of this."""
        return Sides(self.count, self.home, self.g, self.x)

    def times(self, side: Side) -> Integers:
        """How often each document occurs."""
        return np.bincount(side.doc, minlength=len(self.home))

    def sums(self, side: Side, values: Numbers) -> Numbers:
        """The sum over the occurrences of each list."""
        return list_sums(side.lists, values, self.count)


class AlignedSides(Protocol):
    """An alignment whose lists can be looked at as organizations: what Reliability and Sensitivity need."""

    needs_gold: ClassVar[bool]
    """Whether nothing is defined in a case in which the gold prioritises nothing."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        ...

    @property
    def cases(self) -> list[str]:
        """Cases in the order of the gold."""
        ...

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Whether the system of each list lacks its case."""
        ...

    def sides(self, system: int, rel: float | None, *, finite: bool) -> Sides:
        """The lists of a system beside the gold, which prioritises items from grade `rel` on."""
        ...

    def documents_of_sides(self, system: int, rel: float | None, *, finite: bool) -> pl.Series:
        """The item of each document of these sides; only where items were kept."""
        ...

    def prioritised_by_gold(self, rel: float | None) -> NDArray[np.bool_]:
        """Whether the gold prioritises anything, case by case."""
        ...


def list_sums(lists: Integers, values: Numbers, count: int) -> Numbers:
    """The sum over each list, lists being in order: by halves, which keeps more digits than one value after the other."""
    sums = np.zeros(count)
    if len(lists):
        starts = np.flatnonzero(np.concatenate(([True], lists[1:] != lists[:-1])))
        sums[lists[starts]] = np.add.reduceat(values, starts)
    return sums


def summed(at: Integers, values: Numbers, count: int = 0) -> Numbers:
    """The sum of the values at each place, for so many places at least."""
    return np.bincount(at, weights=values, minlength=count).astype(np.float64, copy=False)  # whole numbers if there is none


def completed(sides: Sides) -> Sides:
    """A finite collection: the documents that a side lacks are its last level, each alone."""
    return Sides(sides.count, sides.home, _with_last_level(sides, sides.x), _with_last_level(sides, sides.g))


def _with_last_level(sides: Sides, side: Side) -> Side:
    lacking = np.flatnonzero(sides.times(side) == 0)
    lists = np.concatenate((side.lists, sides.home[lacking]))
    below = int(side.level.max(initial=-1)) + 1
    level = np.concatenate((side.level, np.full(len(lacking), below)))
    clusters = int(side.cluster.max(initial=-1)) + 1
    order = np.lexsort((level, lists))
    return Side(
        lists[order],
        level[order],
        np.concatenate((side.doc, lacking))[order],
        np.concatenate((side.cluster, clusters + np.arange(len(lacking))))[order],
    )
