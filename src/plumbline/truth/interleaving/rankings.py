"""The rankings of all systems, case by case, as arrays: who has which item where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, interleaving
from plumbline.schema import RANK
from plumbline.truth.pools.lists import DOC, RUN, read_lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.table import ReadOptions
    from plumbline.options.evaluation import Duplicates

MISSING_CASES: Final = "N201"
"""What a pool says about a system without some cases; here the case is left out, and another notice says so."""
NOWHERE: Final = 2**31
"""The rank of an item that a ranking does not have."""


@dataclass(frozen=True, eq=False)
class Rankings:
    """The first items of each ranking; the items of a case are numbered from 0.

    `order` has the items of each case and system, the best first, and -1 beyond the end; `rank` the rank of each item of each
    case and system from 1, and `NOWHERE` where the ranking does not have it.
    """

    systems: tuple[str, ...]
    cases: tuple[str, ...]
    items: tuple[tuple[str, ...], ...]
    order: NDArray[np.int64]
    rank: NDArray[np.int64]
    notices: tuple[Diagnostic, ...] = ()

    def of(self, rows: NDArray[np.int64]) -> Rankings:
        """The rankings of some cases, each as often as it is named."""
        picked = rows.tolist()
        cases, items = tuple(self.cases[row] for row in picked), tuple(self.items[row] for row in picked)
        return Rankings(self.systems, cases, items, self.order[rows], self.rank[rows])

    @property
    def alike(self) -> NDArray[np.bool_]:
        """Whether all systems rank a case alike, so that no click can tell them apart."""
        return np.asarray((self.order == self.order[:, :1]).all(axis=(1, 2)))


def arranged(lists: list[list[list[str]]], systems: tuple[str, ...], cases: tuple[str, ...]) -> Rankings:
    """Rankings that are given as plain lists: cases, systems, items."""
    names = [list(dict.fromkeys(item for ranking in case for item in ranking)) for case in lists]
    widest = max(map(len, names), default=0)
    deepest = max((len(ranking) for case in lists for ranking in case), default=0)
    order = np.full((len(lists), len(systems), deepest), -1, dtype=np.int64)
    rank = np.full((len(lists), len(systems), widest), NOWHERE, dtype=np.int64)
    for case, rankings in enumerate(lists):
        number = {item: place for place, item in enumerate(names[case])}
        for system, ranking in enumerate(rankings):
            places = [number[item] for item in ranking]
            order[case, system, : len(places)] = places
            rank[case, system, places] = np.arange(1, len(places) + 1)
    return Rankings(systems, cases, tuple(map(tuple, names)), order, rank)


def read_rankings(systems: Any, reading: ReadOptions, depth: int, on_duplicate: Duplicates) -> Rankings:
    """Read runs, and keep the first items of the cases that every system ranks."""
    lists = read_lists(systems, reading, None, on_duplicate).cut(depth)
    number = len(lists.systems)
    docs = lists.rows[DOC].to_numpy()
    case, run, rank = lists.case[docs], lists.rows[RUN].to_numpy(), lists.rows[RANK].to_numpy()
    having = np.zeros((len(lists.cases), number), dtype=np.bool_)
    having[case, run] = True
    complete = having.all(axis=1)
    if not complete.any():
        raise BadData(interleaving.no_common_case(list(lists.systems)))
    notices = [notice for notice in lists.notices if notice.code != MISSING_CASES]
    if not complete.all():
        lacking = [lists.cases[place] for place in np.flatnonzero(~complete).tolist()]
        notices.append(interleaving.left_out_cases(lacking, len(lacking)))
    place = docs - lists.first[case]
    widest = int(np.diff(lists.first).max())
    order = np.full((len(lists.cases), number, int(rank.max())), -1, dtype=np.int64)
    ranks = np.full((len(lists.cases), number, widest), NOWHERE, dtype=np.int64)
    order[case, run, rank - 1] = place
    ranks[case, run, place] = rank
    kept = np.flatnonzero(complete)
    names = lists.docs.group_by("case", maintain_order=True).agg(pl.col("item"))["item"].to_list()
    items = tuple(tuple(names[row]) for row in kept.tolist())
    cases = tuple(lists.cases[row] for row in kept.tolist())
    return Rankings(lists.systems, cases, items, order[kept], ranks[kept], tuple(notices))
