"""The view of clusterings: sizes of clusters and classes, what they share, and pairs of items that are together.

Facts are sums over cells, clusters, classes or pairs, one value per list; a metric is an expression over facts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.cluster_counts import Cells, cells_of
from plumbline.align.keys import starts
from plumbline.schema import LIST
from plumbline.views.meetings import meet
from plumbline.views.sums import summed

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.align.clustering import AlignedClusters
    from plumbline.views.meetings import Meetings

n: Final = pl.col("n")
"""Items of a cell: those of a class in a cluster."""
cluster_size: Final = pl.col("cluster_size")
class_size: Final = pl.col("class_size")
size: Final = pl.col("size")
"""Items of a cluster or a class."""
cluster_best: Final = pl.col("cluster_best")
"""The most items that the cluster of a cell shares with a class."""
best: Final = pl.col("best")
"""The most items that a cluster shares with a class, or a class with a cluster."""


class Contingency:
    """Facts about lists, made when a kernel asks for them."""

    def __init__(self, aligned: AlignedClusters) -> None:
        """The groups of all lists."""
        self.aligned = aligned
        self._facts: dict[str, pl.DataFrame] = {}
        self._meetings: dict[tuple[bool, bool], Meetings] = {}
        self._terms: dict[str, dict[str, pl.Expr]] = {"cells": {}, "clusters": {}, "classes": {}}

    @cached_property
    def lists(self) -> pl.DataFrame:
        """`list, items, single` of every list: how many items it has, and whether none of them overlaps."""
        sizes = self.aligned.items.astype(np.float64)
        return pl.DataFrame({LIST: np.arange(len(sizes)), "items": sizes, "single": ~self.aligned.overlapping})

    def table(self) -> pl.LazyFrame:
        """A row for each list with every fact that a kernel uses, all computed together."""
        made = self.lists.lazy()
        sums = [
            summed(
                getattr(self, table).select(LIST, *(term.over(LIST).alias(name) for name, term in terms.items())), LIST
            ).lazy()
            for table, terms in self._terms.items()
            if terms
        ]
        for fact in (*sums, *(fact.lazy() for fact in self._facts.values())):
            made = made.join(fact, on=LIST, how="left", maintain_order="left")
        return made

    @property
    def items(self) -> pl.Expr:
        """How many items the list has (N)."""
        return pl.col("items")

    @cached_property
    def _counts(self) -> Cells:
        """The tables of all lists, also of those in which something overlaps."""
        simple, overlaps = self.aligned.partitions, self.aligned.overlaps
        if overlaps.groups.is_empty():
            return simple
        return Cells(*(pl.concat(tables) for tables in zip(simple, cells_of(overlaps), strict=True)))

    @property
    def cells(self) -> pl.DataFrame:
        """`list, cluster, class, n, cluster_size, class_size, cluster_best` of every cluster and class that share an item."""
        return self._counts.cells

    @property
    def clusters(self) -> pl.DataFrame:
        """`list, cluster, size, best` of every cluster."""
        return self._counts.clusters

    @property
    def classes(self) -> pl.DataFrame:
        """`list, class, size, best` of every class."""
        return self._counts.classes

    def over_cells(self, name: str, term: pl.Expr) -> pl.Expr:
        """A sum over cells."""
        return self._sum("cells", name, term)

    def over_clusters(self, name: str, term: pl.Expr) -> pl.Expr:
        """A sum over clusters."""
        return self._sum("clusters", name, term)

    def over_classes(self, name: str, term: pl.Expr) -> pl.Expr:
        """A sum over classes."""
        return self._sum("classes", name, term)

    def _sum(self, table: str, name: str, term: pl.Expr) -> pl.Expr:
        """Sums over one table are made together, when all are known."""
        self._terms[table].setdefault(name, term)
        return pl.col(name).fill_null(0.0)

    def best_in_classes(self, name: str, term: pl.Expr) -> pl.Expr:
        """A sum over classes of the most that a term over cells reaches in the class."""
        return self.fact(name, lambda: self._best_in_classes(name, term))

    def _best_in_classes(self, name: str, term: pl.Expr) -> pl.DataFrame:
        lists, classes = (self.cells[column].to_numpy() for column in (LIST, "class"))
        first = np.union1d(starts(lists), starts(classes))
        most = np.maximum.reduceat(self.cells.select(term).to_series().to_numpy(), first)
        return pl.DataFrame({LIST: lists[first], name: most}).group_by(LIST, maintain_order=True).agg(pl.col(name).sum())

    def either(self, simple: pl.Expr, name: str, make: Callable[[], pl.DataFrame]) -> pl.Expr:
        """A value of lists in which nothing overlaps, or a fact about those in which something does."""
        if not self.aligned.overlapping.any():
            return simple
        return pl.when("single").then(simple).otherwise(self.fact(name, make))

    def fact(self, name: str, make: Callable[[], pl.DataFrame]) -> pl.Expr:
        """Any other value per list, 0 for a list that has no row in what was made."""
        if name not in self._facts:
            self._facts[name] = make()
        return pl.col(name).fill_null(0.0)

    @property
    def complete(self) -> pl.Expr:
        """Whether both sides have every item."""
        clustered, classified = self.over_clusters("sum of clusters", size), self.over_classes("sum of classes", size)
        return (clustered == self.items) & (classified == self.items)

    @property
    def number_of_clusters(self) -> pl.Expr:
        """How many clusters the list has (m)."""
        return self.over_clusters("number of clusters", size**0)

    @property
    def number_of_classes(self) -> pl.Expr:
        """How many classes the list has (k)."""
        return self.over_classes("number of classes", size**0)

    @property
    def entropy_of_clusters(self) -> pl.Expr:
        """H(C)."""
        return self.over_clusters("H(C)", -(size / size.sum()) * (size / size.sum()).log())

    @property
    def entropy_of_classes(self) -> pl.Expr:
        """H(L)."""
        return self.over_classes("H(L)", -(size / size.sum()) * (size / size.sum()).log())

    @property
    def mutual_information(self) -> pl.Expr:
        """MI of clusters and classes."""
        share = n / n.sum()
        return self.over_cells("MI", share * (share / (cluster_size / n.sum() * class_size / n.sum())).log()).clip(
            lower_bound=0.0
        )

    def pairs(self, kind: str) -> pl.Expr:
        """Pairs of different items that share a cluster and a class (SS), only one of them (SD, DS), or nothing (DD)."""
        if kind == "DD":
            return _pairs(self.items) - self.pairs("SS") - self.pairs("SD") - self.pairs("DS")
        shared = self.over_cells("pairs in cells", _pairs(n))
        simple = {
            "SS": shared,
            "SD": self.over_clusters("pairs in clusters", _pairs(size)) - shared,
            "DS": self.over_classes("pairs in classes", _pairs(size)) - shared,
        }
        in_cluster, in_class = {"SS": (True, True), "SD": (True, False), "DS": (False, True)}[kind]
        wanted = ((pl.col("x") > 0) == in_cluster) & ((pl.col("g") > 0) == in_class)
        met = pl.col("pairs").filter(wanted).sum().alias(kind)
        return self.either(simple[kind], kind, lambda: self.multiplicities.group_by(LIST, maintain_order=True).agg(met))

    @property
    def multiplicities(self) -> pl.DataFrame:
        """`list, x, g, pairs` of overlapping lists: pairs of different items that share x clusters and g classes."""
        return self.meetings(paired=True).pairs

    def meetings(self, *, weighted: bool = False, paired: bool = False) -> Meetings:
        """What groups of overlapping lists share with those that they meet, each kind of sum made once."""
        if (weighted, paired) not in self._meetings:
            self._meetings[weighted, paired] = meet(self.aligned.overlaps, weighted=weighted, paired=paired)
        return self._meetings[weighted, paired]


def _pairs(count: pl.Expr) -> pl.Expr:
    """Pairs of different items among so many."""
    return count * (count - 1.0) / 2.0
