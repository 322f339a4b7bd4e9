"""A log in portions, each made into arrays by itself, which become one log.

Sessions, cases, items and pages are numbered in the order of their first rows, as if the log had been read at once: results are
the same bit for bit, however rows are divided.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.errors import clicks
from plumbline.schema import CASE, ITEM
from plumbline.truth.clicks.estimates import named_items
from plumbline.truth.clicks.log import ClickLog, arranged, same_rows
from plumbline.truth.clicks.reading.impressions import ROW, WHEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.truth.clicks.reading.impressions import Impressions

    Codes = NDArray[np.int64]

NUMBER = "number"


@dataclass(frozen=True, eq=False)
class Portion:
    """Some sessions of a log."""

    log: ClickLog
    sessions: Codes
    """The row of the log where each session begins."""
    pairs: Codes
    """The row where each item of a case comes first."""
    when: pl.Series | None
    """When each session took place, as the log has it."""


@dataclass(frozen=True, eq=False)
class Portions:
    """All sessions of a log."""

    parts: tuple[Portion, ...]
    rows: int
    label: str
    notices: tuple[Diagnostic, ...] = ()

    @property
    def sessions(self) -> int:
        """The number of sessions."""
        return sum(len(one.sessions) for one in self.parts)

    def after(self, other: Portions) -> Portions:
        """The sessions of another log, and then these."""
        moved = (replace(one, sessions=one.sessions + other.rows, pairs=one.pairs + other.rows) for one in self.parts)
        return Portions(
            (*other.parts, *moved), other.rows + self.rows, other.label or self.label, (*other.notices, *self.notices)
        )


def portion_of(read: Impressions) -> Portion:
    """Rows as arrays."""
    log, sessions, pairs = arranged(read.frame)
    rows = read.frame[ROW].to_numpy().astype(np.int64)
    when = read.frame[WHEN].gather(sessions) if WHEN in read.frame.columns else None
    return Portion(log, rows[sessions], rows[pairs], when)


def undivided(read: Impressions) -> Portions:
    """A log of one portion."""
    return Portions((portion_of(read),), len(read.frame), read.label, (*read.notices, *about_gaps(read.gaps)))


def about_gaps(number: int) -> tuple[Diagnostic, ...]:
    """What is said about pages with gaps."""
    return (clicks.gaps(number),) if number else ()


def together(read: Portions) -> tuple[ClickLog, pl.Series | None]:
    """One log, and when each of its sessions took place."""
    parts = read.parts
    if len(parts) == 1:
        return parts[0].log, parts[0].when
    items, cases, numbers = _items(parts)
    of_cases = {name: number for number, name in enumerate(cases)}
    pages = _pages(parts, numbers, len(items))
    first_rows = np.concatenate([one.sessions[np.unique(one.log.page, return_index=True)[1]] for one in parts])
    by_row = np.argsort(first_rows, kind="stable")
    same, first, _ = same_rows(pages[by_row])
    chosen = by_row[first]
    page_of = np.empty(len(pages), dtype=np.int64)
    page_of[by_row] = same
    starts = np.cumsum([0, *(len(one.log.times) for one in parts)])
    visits = np.concatenate([start + one.log.page for start, one in zip(starts[:-1], parts, strict=True)])
    order = np.argsort(np.concatenate([one.sessions for one in parts]), kind="stable")
    case = np.concatenate([np.array([of_cases[name] for name in one.log.cases])[one.log.case] for one in parts])
    kept = pages[chosen].astype(np.int64)
    times = np.bincount(page_of, weights=np.concatenate([one.log.times for one in parts]), minlength=len(chosen))
    log = ClickLog(
        pair=kept // 2,
        pairs=len(items),
        clicked=kept % 2 == 1,
        times=times.astype(np.float64, copy=False),
        case=case[chosen],
        cases=cases,
        items=items,
        page=page_of[visits][order],
    )
    return log, _moments(parts, order)


def _items(parts: Sequence[Portion]) -> tuple[pl.DataFrame, tuple[str, ...], list[Codes]]:
    """`case, item` of all portions, the cases as numbers; their names; and the number of each item of each portion."""
    named = pl.concat([named_items(one.log).with_columns(pl.Series(ROW, one.pairs)) for one in parts])
    groups = named.group_by(CASE, ITEM, maintain_order=True).agg(pl.col(ROW).min())
    first = groups.sort(ROW, maintain_order=True).with_row_index(NUMBER)
    number = named.join(first, on=[CASE, ITEM], how="left", maintain_order="left")[NUMBER].to_numpy().astype(np.int64)
    cases = first[CASE].unique(maintain_order=True)
    codes = first.select(CASE).join(cases.to_frame().with_row_index(NUMBER), on=CASE, how="left", maintain_order="left")
    items = pl.DataFrame([codes[NUMBER].cast(pl.Int64).alias(CASE), first[ITEM]])
    return items, tuple(cases), np.split(number, np.cumsum([len(one.pairs) for one in parts])[:-1])


def _pages(parts: Sequence[Portion], numbers: Sequence[Codes], pairs: int) -> NDArray[Any]:
    """`[page, rank]` of all portions: twice the number of the item, and one more where it was clicked; -2 for no item."""
    depth = max(one.log.depth for one in parts)
    kind = np.int32 if 2 * pairs < np.iinfo(np.int32).max else np.int64
    made = np.full((sum(len(one.log.times) for one in parts), depth), -2, dtype=kind)
    start = 0
    for one, number in zip(parts, numbers, strict=True):
        pair = np.append(number, -1)[one.log.pair]
        made[start : start + len(pair), : one.log.depth] = 2 * pair + one.log.clicked
        start += len(pair)
    return made


def _moments(parts: Sequence[Portion], order: Codes) -> pl.Series | None:
    """The moments of all sessions; files that write them in different ways are compared as texts."""
    known = [one.when for one in parts if one.when is not None]
    if len(known) < len(parts):
        return None
    alike = len({one.dtype for one in known}) == 1
    return pl.concat([one if alike else one.cast(pl.String) for one in known]).gather(order)
