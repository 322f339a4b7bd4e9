"""Items that meet: what each shares with those in its clusters and classes, as sums only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.schema import LIST
from plumbline.views.incidence import Incidence
from plumbline.views.meeting_pairs import count_by_pairs
from plumbline.views.meeting_sets import count_by_sets, number_of_sets

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from plumbline.align.cluster_counts import Groups
    from plumbline.views.incidence import Met

    Numbers = NDArray[np.float64]
    Places = NDArray[np.int64]

MOST_SETS: Final = 2**26
"""With more subsets than this, groups are paired instead."""
SETS_FOR_A_PAIR: Final = 2.0
"""Counting so many subsets takes as long as looking at a pair of groups."""


@dataclass(frozen=True)
class Meetings:
    """Sums over the groups that each group meets, itself included; those of each side are called by its name."""

    lists: Places
    """The list of each group."""
    count: int
    """How many lists there are."""
    n: Numbers
    """The items of each group."""
    times: dict[str, Numbers]
    """How many clusters, or classes, an item of the group is in."""
    met: dict[str, Numbers]
    """The items that share any of them with it."""
    right: dict[str, Numbers]
    """Of these, how many rightly do."""
    weighted: dict[str, Numbers]
    """The same, each weighted by one over the size of each cluster that is shared; if requested."""
    pairs: MetPairs
    """Pairs of different items that share anything; if requested."""

    def sum(self, values: Numbers) -> Numbers:
        """The sum over the groups of each list."""
        return np.bincount(self.lists, weights=values, minlength=self.count).astype(np.float64)


@dataclass(frozen=True)
class MetPairs:
    """Pairs of different items that share x clusters and g classes, at least one of them."""

    lists: Places
    count: int
    x: Places
    g: Places
    pairs: Numbers

    def sum(self, wanted: NDArray[np.bool_]) -> Numbers:
        """How many pairs of each list are wanted."""
        return np.bincount(self.lists[wanted], weights=self.pairs[wanted], minlength=self.count).astype(np.float64)


def meet(overlaps: Groups, count: int, *, weighted: bool, paired: bool) -> Meetings:
    """Every group with every group that shares a cluster or a class with it; weighted sums and pairs only if requested.

    Where items are in few clusters, those that share all clusters of a subset are counted for every subset. That grows with
    the number of items. Otherwise groups are paired, which grows with the square of the size of clusters.
    """
    groups = overlaps.groups.with_row_index("at")
    n, lists = groups["n"].to_numpy(), groups[LIST].to_numpy()
    sides = (_incidence(groups, overlaps.in_cluster, "cluster"), _incidence(groups, overlaps.in_class, "class"))
    met = _met(sides, n, lists, weighted=weighted, paired=paired)
    return Meetings(
        lists,
        count,
        n,
        {side.name: side.times.astype(np.float64) for side in sides},
        met.met,
        met.right,
        met.weighted,
        MetPairs(met.pairs[0], count, *met.pairs[1:]),
    )


def _met(sides: tuple[Incidence, Incidence], n: Numbers, lists: Places, *, weighted: bool, paired: bool) -> Met:
    sets = number_of_sets(sides)
    if sets <= MOST_SETS and sets <= SETS_FOR_A_PAIR * sum(side.number_of_pairs() for side in sides):
        return count_by_sets(sides, n, lists, weighted=weighted, paired=paired)
    return count_by_pairs(sides, n, lists, weighted=weighted, paired=paired)


def _incidence(groups: pl.DataFrame, members: pl.DataFrame, name: str) -> Incidence:
    """Which group is in which clusters; those of different lists have different numbers."""
    rows = members.join(groups, on=[LIST, "group"], how="left", maintain_order="left")
    row, lists, code = (rows[column].to_numpy().astype(np.int64) for column in ("at", LIST, name))
    key = lists * (code.max(initial=0) + 1) + code
    distinct, column = np.unique(key, return_inverse=True)
    order = np.lexsort((column, row))
    return Incidence(name, len(groups), len(distinct), row[order], column[order], groups["n"].to_numpy())
