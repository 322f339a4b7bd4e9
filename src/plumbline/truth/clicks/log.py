"""A log as arrays: sessions with the same case, list and clicks are one page, with the number of times it occurred."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl

from plumbline.schema import CASE, ITEM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]
    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

By = Literal["log", "rank", "item", "rank and last click"]
"""What has a value of its own: the whole log, a rank, an item of a case, or a rank below a last click."""
SESSION = "session"
POSITION = "position"
CLICKED = "clicked"


@dataclass(frozen=True, eq=False)
class Pages:
    """Lists as they were shown: a row for each page, a column for each rank."""

    pair: Codes
    """`[page, rank]`: the number of the case with the item, -1 where nothing was shown."""
    pairs: int
    """How many cases with an item there are."""

    @property
    def depth(self) -> int:
        """The largest number of ranks."""
        return int(self.pair.shape[1])

    @cached_property
    def shown(self) -> Flags:
        """Where an item was shown."""
        return self.pair >= 0

    def spread(self, of_pair: Numbers) -> Numbers:
        """The number of each pair at its places; 0 where nothing was shown."""
        return np.asarray(np.append(of_pair, 0.0)[self.pair])


@dataclass(frozen=True, eq=False)
class ClickLog(Pages):
    """Pages with their clicks, and how often each page occurred."""

    clicked: Flags
    """`[page, rank]`"""
    times: Numbers
    """How many sessions saw the page and clicked so."""
    case: Codes
    """The case of each page."""
    cases: tuple[str, ...]
    items: pl.DataFrame
    """`case, item` of each pair, cases as numbers."""
    page: Codes
    """The page of each session, in the order of the log."""

    @cached_property
    def previous(self) -> Codes:
        """The rank of the last click above each place, from 1; 0 if there is none."""
        ranks = np.arange(1, self.depth + 1)
        latest = np.maximum.accumulate(np.where(self.clicked, ranks, 0), axis=1)
        above: Codes = np.zeros_like(latest)
        above[:, 1:] = latest[:, :-1]
        return above

    @cached_property
    def last(self) -> Codes:
        """The rank of the last click of each page, from 1; 0 if there is none."""
        return np.asarray(np.max(np.where(self.clicked, np.arange(1, self.depth + 1), 0), axis=1, initial=0))

    @cached_property
    def weight(self) -> Numbers:
        """`[page, rank]`: how often each place was shown."""
        return np.where(self.shown, self.times[:, None], 0.0)

    @property
    def size(self) -> int:
        """The number of sessions."""
        return int(self.times.sum())

    def index(self, by: By) -> tuple[Codes, tuple[int, ...]]:
        """`[page, rank]`: the number of the parameter that each place has, and the shape of all of them."""
        ranks = np.broadcast_to(np.arange(self.depth), self.pair.shape)
        if by == "item":
            return self.pair, (self.pairs,)
        if by == "rank":
            return ranks, (self.depth,)
        if by == "rank and last click":
            return ranks * (self.depth + 1) + self.previous, (self.depth, self.depth + 1)
        return np.zeros(self.pair.shape, dtype=np.int64), ()

    def total(self, counted: Numbers, by: By) -> Numbers:
        """What places add up to, each as often as it was shown, for each parameter."""
        index, shape = self.index(by)
        sums = np.bincount(index[self.shown], weights=(counted * self.weight)[self.shown], minlength=int(np.prod(shape)))
        return np.asarray(sums.reshape(shape))

    def by_pair(self, counted: Numbers) -> Numbers:
        """What the places of each pair add up to."""
        sums = np.bincount(self.pair[self.shown], weights=counted[self.shown], minlength=self.pairs)
        return sums.astype(np.float64, copy=False)

    def by_rank(self, counted: Numbers) -> Numbers:
        """What the places of each rank add up to."""
        return np.asarray(np.where(self.shown, counted, 0.0).sum(axis=0))

    def only(self, chosen: Flags) -> ClickLog:
        """Some sessions, with pages and pairs numbered as before; pages that no session has are left out."""
        return self.weighed(np.bincount(self.page[chosen], minlength=len(self.times)).astype(np.float64))

    def weighed(self, times: Numbers) -> ClickLog:
        """The same pages with other numbers of sessions; pages without any are left out."""
        kept = times > 0
        renumbered = np.cumsum(kept) - 1
        inside = kept[self.page]
        return replace(
            self,
            pair=self.pair[kept],
            clicked=self.clicked[kept],
            times=times[kept],
            case=self.case[kept],
            page=renumbered[self.page[inside]],
        )


def log_of(rows: pl.DataFrame) -> ClickLog:
    """The log of rows `session, case, item, position, clicked`, positions from 1; sessions keep the order of their first rows.

    A session that has several cases has a page for each.
    """
    return arranged(rows)[0]


def arranged(rows: pl.DataFrame) -> tuple[ClickLog, Codes, Codes]:
    """The log, and the numbers of the rows where each session and each item of a case come first."""
    visit, first_visit, _ = _grouped(rows.select(SESSION, CASE))
    code, first_case, _ = _grouped(rows.select(CASE))
    pair, first_pair, _ = _grouped(rows.select(CASE, ITEM))
    size, depth = len(first_visit), int(rows[POSITION].max() or 0)  # type: ignore[arg-type]
    shown = np.full((size, depth), -1, dtype=np.int64)
    clicked = np.zeros((size, depth), dtype=np.bool_)
    place = visit, rows[POSITION].to_numpy() - 1
    shown[place] = pair
    clicked[place] = rows[CLICKED].to_numpy()
    page, first, times = same_rows(shown * 2 + clicked)
    log = ClickLog(
        pair=shown[first],
        pairs=len(first_pair),
        clicked=clicked[first],
        times=times.astype(np.float64),
        case=code[first_visit][first],
        cases=tuple(rows[CASE].gather(first_case)),
        items=pl.DataFrame({CASE: code[first_pair], ITEM: rows[ITEM].gather(first_pair)}),
        page=page,
    )
    return log, first_visit, first_pair


def same_rows(matrix: Codes) -> tuple[Codes, Codes, Codes]:
    """The number of each row among the different ones, where each of these comes first, and how often it occurs."""
    return _grouped(pl.DataFrame(matrix, schema=[f"{rank}" for rank in range(matrix.shape[1])]))


def _grouped(columns: pl.DataFrame) -> tuple[Any, Any, Any]:
    groups = columns.with_row_index("row").group_by(columns.columns, maintain_order=True).agg("row")["row"]
    times = groups.list.len().to_numpy().astype(np.int64)
    number = np.empty(len(columns), dtype=np.int64)
    number[groups.explode().to_numpy()] = np.repeat(np.arange(len(groups)), times)
    return number, groups.list.first().to_numpy().astype(np.int64), times
