"""The view of clusterings: sizes of clusters and classes, what they share, and pairs of items that are together.

A metric is a formula over arrays with a value for each list, most of which are sums over cells, clusters or classes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast

import numpy as np

from plumbline.align.cluster_counts import Counts, counts_of, joined
from plumbline.views.meetings import meet
from plumbline.views.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.cluster_counts import Cells, Sizes
    from plumbline.align.clustering import AlignedClusters
    from plumbline.views.meetings import Meetings

    Places = NDArray[np.int64]

T = TypeVar("T")
Numbers: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
"""A value for each list, NaN where it is undefined; or one for each cell, cluster or class."""


class Rows(Segments):
    """Rows of lists, which are in rising order."""

    def sum(self, values: NDArray[np.floating] | NDArray[np.bool_]) -> Numbers:
        """The sum over the rows of each list, of many rows with no more error than of few."""
        totals = np.zeros(self.count_of_segments)
        if len(values):
            totals[self._filled] = np.add.reduceat(values, self._first, dtype=np.float64)
        return totals

    @cached_property
    def _first(self) -> Places:
        """Where the lists that have rows start."""
        return self.start[self._filled]


class CellRows(Rows):
    """A row for each cluster and class of a list that share an item, class by class."""

    def __init__(self, cells: Cells, view: Contingency) -> None:
        """Of the cells of all lists."""
        super().__init__(cells.lists, len(view.items))
        self._cells, self._view = cells, view
        self.n, self.cluster_size, self.class_size, self.cluster_best = cells[3:]

    @cached_property
    def cluster(self) -> Places:
        """The row of the cluster of each cell."""
        return self._view.clusters.row_of(self.of, self._cells.cluster)

    @cached_property
    def class_(self) -> Places:
        """The row of the class of each cell."""
        return self._view.classes.row_of(self.of, self._cells.class_)

    @cached_property
    def pairs(self) -> Numbers:
        """Pairs of items that share a cluster and a class."""
        return self.sum(pairs(self.n))

    def best_in_classes(self, terms: Numbers) -> Numbers:
        """The sum over classes of the most that a term reaches in a cell of the class."""
        if not len(terms):
            return np.zeros(self.count_of_segments)
        first = np.flatnonzero(np.concatenate(([True], self.class_[1:] != self.class_[:-1])))
        most = np.maximum.reduceat(terms, first)
        return np.bincount(self.of[first], weights=most, minlength=self.count_of_segments).astype(np.float64)


class SizeRows(Rows):
    """A row for each cluster, or for each class."""

    def __init__(self, sizes: Sizes, lists: int) -> None:
        """Of all lists."""
        super().__init__(sizes.lists, lists)
        self._code, self.size, self.best = sizes.code, sizes.size, sizes.best

    def row_of(self, lists: Places, codes: Places) -> Places:
        """The rows of these clusters."""
        most = int(self._code.max(initial=0)) + 1
        return np.searchsorted(self.of * most + self._code, lists * most + codes)

    @cached_property
    def total(self) -> Numbers:
        """How many items they have together."""
        return self.sum(self.size)

    @cached_property
    def number(self) -> Numbers:
        """How many there are."""
        return self.length.astype(np.float64)

    @cached_property
    def pairs(self) -> Numbers:
        """Pairs of items that share one of them."""
        return self.sum(pairs(self.size))

    @cached_property
    def entropy(self) -> Numbers:
        """The entropy of the shares of items, in nats."""
        share = self.size / self.each(self.total)
        return self.sum(-share * np.log(share))


class Contingency:
    """The counts of all lists, and what is made of them when a kernel asks for it."""

    def __init__(self, aligned: AlignedClusters) -> None:
        """The groups of all lists."""
        self.aligned = aligned
        self.items: Numbers = aligned.items.astype(np.float64)
        """How many items each list has (N)."""
        self._facts: dict[str, object] = {}
        self._meetings: dict[tuple[bool, bool], Meetings] = {}

    @cached_property
    def _counts(self) -> Counts:
        """The counts of all lists, also of those in which something overlaps."""
        simple = self.aligned.partitions
        if not self.aligned.overlapping.any() or self.aligned.overlaps.groups.is_empty():
            return simple
        return joined([simple, counts_of(self.aligned.overlaps)])

    @cached_property
    def cells(self) -> CellRows:
        """Every cluster and class that share an item."""
        return CellRows(self._counts.cells, self)

    @cached_property
    def clusters(self) -> SizeRows:
        """Every cluster."""
        return SizeRows(self._counts.clusters, len(self.items))

    @cached_property
    def classes(self) -> SizeRows:
        """Every class."""
        return SizeRows(self._counts.classes, len(self.items))

    def side(self, name: Literal["cluster", "class"]) -> SizeRows:
        """The clusters or the classes."""
        return self.clusters if name == "cluster" else self.classes

    def either(self, simple: Numbers, name: str, make: Callable[[], Numbers]) -> Numbers:
        """A value of lists in which nothing overlaps, or a fact about those in which something does."""
        if not self.aligned.overlapping.any():
            return simple
        return np.where(self.aligned.overlapping, self.fact(name, make), simple)

    def fact(self, name: str, make: Callable[[], T]) -> T:
        """What several kernels use, made once."""
        if name not in self._facts:
            self._facts[name] = make()
        return cast("T", self._facts[name])

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Whether both sides have every item."""
        return np.asarray((self.clusters.total == self.items) & (self.classes.total == self.items))

    @cached_property
    def mutual_information(self) -> Numbers:
        """MI of clusters and classes."""
        cells = self.cells
        total = cells.each(cells.sum(cells.n))
        share = cells.n / total
        return np.maximum(cells.sum(share * np.log(share / (cells.cluster_size / total * cells.class_size / total))), 0.0)

    def pairs(self, kind: Literal["SS", "SD", "DS", "DD"]) -> Numbers:
        """Pairs of different items that share a cluster and a class (SS), only one of them (SD, DS), or nothing (DD)."""
        return self.fact(kind, lambda: self._pairs(kind))

    def _pairs(self, kind: Literal["SS", "SD", "DS", "DD"]) -> Numbers:
        if kind == "DD":
            return pairs(self.items) - self.pairs("SS") - self.pairs("SD") - self.pairs("DS")
        shared = self.cells.pairs
        simple = {"SS": shared, "SD": self.clusters.pairs - shared, "DS": self.classes.pairs - shared}[kind]
        in_cluster, in_class = {"SS": (True, True), "SD": (True, False), "DS": (False, True)}[kind]

        def counted() -> Numbers:
            met = self.meetings(paired=True).pairs
            return met.sum(((met.x > 0) == in_cluster) & ((met.g > 0) == in_class))

        return self.either(simple, f"overlapping {kind}", counted)

    def meetings(self, *, weighted: bool = False, paired: bool = False) -> Meetings:
        """What groups of overlapping lists share with those that they meet, each kind of sum made once."""
        if (weighted, paired) not in self._meetings:
            self._meetings[weighted, paired] = meet(self.aligned.overlaps, len(self.items), weighted=weighted, paired=paired)
        return self._meetings[weighted, paired]


def pairs(count: Numbers) -> Numbers:
    """Pairs of different items among so many."""
    return count * (count - 1.0) / 2.0
