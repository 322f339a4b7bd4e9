"""The order within each list: by score, equal scores by the tie rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.align.keys import together
from plumbline.schema import CASE, GRADE, GROUP, ITEM, OFFSET, RANK, SIZE, VALUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.options import Ties


@dataclass(frozen=True)
class TieFacts:
    """How much of the order the tie rule decided."""

    share: float
    full_cases: int


@dataclass(frozen=True)
class Ordered:
    """All rows with cases together and scores descending; items are fetched from the file's order when needed."""

    case: NDArray[np.int32]
    value: NDArray[np.float64]
    items: pl.Series
    order: NDArray[np.int64] | NDArray[np.int32] | None

    def item(self, rows: NDArray[np.int64]) -> pl.Series:
        """The items of some rows."""
        return self.items.gather(pl.Series(rows if self.order is None else self.order[rows]))


@dataclass(frozen=True)
class Ranks:
    """The judged rows with their rank, how much the tie rule decided, and the whole order with the judged rows in it."""

    rows: pl.DataFrame
    ties: TieFacts
    ordered: Ordered
    judged: NDArray[np.int64]
    """Where each judged row ended up, in the order in which they were given."""
    before: NDArray[np.int64]
    """Where it was before equal scores were put in order."""


@dataclass(frozen=True)
class _Groups:
    """Runs of two or more equal scores in one list: first row and number of rows of each."""

    start: NDArray[np.int64]
    size: NDArray[np.int64]

    def of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The group of each row, -1 for a row whose score is its own."""
        group = np.searchsorted(self.start, rows, side="right") - 1
        inside = (group >= 0) & (rows < self.start[group] + self.size[group])
        return np.where(inside, group, -1)


def ranked(frame: pl.DataFrame, judged: NDArray[np.int64], grades: NDArray[np.float64], rule: Ties) -> Ranks:
    """The judged rows with their rank; only tie groups that hold a judged item are put in order."""
    ordered, judged = _by_score(frame, judged)
    new_case = ordered.case[1:] != ordered.case[:-1]
    first = np.concatenate(([0], np.flatnonzero(new_case) + 1))
    groups = _tied(new_case, ordered.value)
    offset = first[np.searchsorted(first, judged, side="right") - 1]
    rank = judged - offset + 1
    group = groups.of(judged) if len(groups.start) else np.full(len(judged), -1)
    if (group >= 0).any():
        settled = _settled(ordered, groups, group, judged, grades, rule)
        rank[group >= 0] = settled - offset[group >= 0] + 1
    case = ordered.case[judged]
    columns = {CASE: case, ITEM: ordered.item(judged), GRADE: grades, RANK: rank.astype(np.float64)}
    if rule == "average":
        tied = group >= 0
        before = np.where(tied, groups.start[group] if len(groups.start) else 0, judged) - offset
        size = np.where(tied, groups.size[group] if len(groups.start) else 1, 1)
        tie_group = np.where(tied, group, len(groups.start) + np.arange(len(judged)))
        columns |= {GROUP: tie_group, OFFSET: before, SIZE: size}
    in_order = pl.Series(np.lexsort((rank, case)))
    rows = pl.DataFrame(columns).gather(in_order)
    return Ranks(rows, _facts(groups, first, len(frame)), ordered, offset + rank - 1, judged)


def _by_score(frame: pl.DataFrame, judged: NDArray[np.int64]) -> tuple[Ordered, NDArray[np.int64]]:
    """Cases together, scores descending; a file that is in this order already is not sorted again."""
    case, value, items = frame[CASE].to_numpy(), frame[VALUE].to_numpy(), frame[ITEM]
    change = case[1:] != case[:-1]
    if together(case) and bool(np.all(change | (value[1:] <= value[:-1]))):
        return Ordered(case, value, items, None), judged
    order = _order(case, value)
    new_row = np.empty_like(order)
    new_row[order] = np.arange(len(order), dtype=order.dtype)
    return Ordered(case[order], value[order], items, order), new_row[judged].astype(np.int64)


def _order(case: NDArray[np.int32], value: NDArray[np.float64]) -> NDArray[np.int64] | NDArray[np.int32]:
    """Row numbers in 32 bits where they fit: half the memory."""
    falling: NDArray[np.int64] | NDArray[np.int32] = np.argsort(-value)
    if len(case) < 2**31:
        falling = falling.astype(np.int32)
    return falling[np.argsort(_narrow(case)[falling], kind="stable")]


def _narrow(case: NDArray[np.int32]) -> NDArray[np.int32] | NDArray[np.uint16]:
    """Codes in 16 bits where they fit: NumPy sorts those by radix, in linear time."""
    return case.astype(np.uint16) if len(case) and case.max() < 2**16 else case


def _tied(new_case: NDArray[np.bool_], value: NDArray[np.float64]) -> _Groups:
    """Groups found from the rows that equal the row before, which are few in most files."""
    equal = np.flatnonzero(~new_case & (value[1:] == value[:-1])) + 1
    opens = np.flatnonzero(np.diff(equal, prepend=-1) > 1)
    return _Groups(equal[opens] - 1, np.diff(np.append(opens, len(equal))) + 1)


def _facts(groups: _Groups, first: NDArray[np.int64], rows: int) -> TieFacts:
    length = np.diff(np.append(first, rows))
    at = np.searchsorted(first, groups.start)
    at = np.minimum(at, len(first) - 1)
    full = (first[at] == groups.start) & (groups.size == length[at])
    return TieFacts(float(groups.size.sum() / max(rows, 1)), int(full.sum()))


def _settled(
    ordered: Ordered,
    groups: _Groups,
    group: NDArray[np.int64],
    judged: NDArray[np.int64],
    grades: NDArray[np.float64],
    rule: Ties,
) -> NDArray[np.int64]:
    """The row at which each tied judged item ends up when its whole group is put in order."""
    held = np.flatnonzero(np.bincount(group[group >= 0]))
    size = groups.size[held]
    begin = np.cumsum(size) - size
    rows = np.arange(size.sum()) - np.repeat(begin, size) + np.repeat(groups.start[held], size)
    tied = pl.DataFrame({ITEM: ordered.item(rows), GROUP: np.repeat(held, size), "row": rows})
    worth = pl.DataFrame({"row": judged, GRADE: grades})
    tied = tied.join(worth, on="row", how="left", maintain_order="left").with_columns(pl.col(GRADE).fill_null(0.0))
    by_grade = {"best": [-pl.col(GRADE)], "worst": [pl.col(GRADE)]}.get(rule, [])
    order = tied.sort(GROUP, *by_grade, ITEM, descending=[False, *(False for _ in by_grade), True])["row"].to_numpy()
    place = pl.DataFrame({"row": order, "place": rows})
    wanted = pl.DataFrame({"row": judged[group >= 0]})
    return wanted.join(place, on="row", how="left", maintain_order="left")["place"].to_numpy()
