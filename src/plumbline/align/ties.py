"""The order within each list: by score, equal scores by the tie rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.schema import CASE, GRADE, GROUP, ITEM, OFFSET, RANK, SIZE, VALUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.policy import Ties


@dataclass(frozen=True)
class TieFacts:
    """How much of the order the tie rule decided."""

    share: float
    full_cases: int


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


def ranked(
    frame: pl.DataFrame, judged: NDArray[np.int64], grades: NDArray[np.float64], rule: Ties
) -> tuple[pl.DataFrame, TieFacts]:
    """The judged rows with their rank; only tie groups that hold a judged item are put in order."""
    frame, judged = _by_score(frame, judged)
    case, value = frame[CASE].to_numpy(), frame[VALUE].to_numpy()
    new_case = case[1:] != case[:-1]
    first = np.concatenate(([0], np.flatnonzero(new_case) + 1))
    groups = _tied(new_case, value)
    offset = first[np.searchsorted(first, judged, side="right") - 1]
    rank = judged - offset + 1
    group = groups.of(judged) if len(groups.start) else np.full(len(judged), -1)
    if (group >= 0).any():
        settled = _settled(frame, groups, group, judged, grades, rule)
        rank[group >= 0] = settled - offset[group >= 0] + 1
    columns = {CASE: case[judged], ITEM: frame[ITEM].gather(pl.Series(judged)), GRADE: grades, RANK: rank.astype(np.float64)}
    if rule == "average":
        tied = group >= 0
        before = np.where(tied, groups.start[group] if len(groups.start) else 0, judged) - offset
        size = np.where(tied, groups.size[group] if len(groups.start) else 1, 1)
        own = np.where(tied, group, len(groups.start) + np.arange(len(judged)))
        columns |= {GROUP: own, OFFSET: before, SIZE: size}
    in_order = pl.Series(np.lexsort((rank, case[judged])))
    return pl.DataFrame(columns).gather(in_order), _facts(groups, first, len(frame))


def _by_score(frame: pl.DataFrame, judged: NDArray[np.int64]) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """Cases together, scores descending; a file that is in this order already is not sorted again."""
    case, value = frame[CASE].to_numpy(), frame[VALUE].to_numpy()
    change = case[1:] != case[:-1]
    together = np.count_nonzero(change) + 1 == np.count_nonzero(np.bincount(case))
    if len(case) == 0 or (together and bool(np.all(change | (value[1:] <= value[:-1])))):
        return frame, judged
    order = frame.select(pl.arg_sort_by(CASE, VALUE, descending=[False, True])).to_series()
    new_row = np.empty(len(frame), dtype=np.int64)
    new_row[order.to_numpy()] = np.arange(len(frame))
    return frame.gather(order), new_row[judged]


def _tied(new_case: NDArray[np.bool_], value: NDArray[np.float64]) -> _Groups:
    """Groups found from the rows that equal the row before, which are few in most files."""
    equal = np.flatnonzero(~new_case & (value[1:] == value[:-1])) + 1
    opens = np.flatnonzero(np.diff(equal, prepend=-1) > 1)
    return _Groups(equal[opens] - 1, np.diff(np.append(opens, len(equal))) + 1)


def _facts(groups: _Groups, first: NDArray[np.int64], rows: int) -> TieFacts:
    length = np.diff(np.append(first, rows))
    at = np.searchsorted(first, groups.start)
    whole = np.isin(groups.start, first) & (groups.size == length[np.minimum(at, len(length) - 1)])
    return TieFacts(float(groups.size.sum() / max(rows, 1)), int(whole.sum()))


def _settled(
    frame: pl.DataFrame,
    groups: _Groups,
    group: NDArray[np.int64],
    judged: NDArray[np.int64],
    grades: NDArray[np.float64],
    rule: Ties,
) -> NDArray[np.int64]:
    """The row at which each tied judged item ends up when its whole group is put in order."""
    held = np.unique(group[group >= 0])
    size = groups.size[held]
    begin = np.cumsum(size) - size
    rows = np.arange(size.sum()) - np.repeat(begin, size) + np.repeat(groups.start[held], size)
    tied = (
        frame.select(ITEM).gather(pl.Series(rows)).with_columns(pl.Series(GROUP, np.repeat(held, size)), pl.Series("row", rows))
    )
    worth = pl.DataFrame({"row": judged, GRADE: grades})
    tied = tied.join(worth, on="row", how="left", maintain_order="left").with_columns(pl.col(GRADE).fill_null(0.0))
    by_grade = {"best": [-pl.col(GRADE)], "worst": [pl.col(GRADE)]}.get(rule, [])
    order = tied.sort(GROUP, *by_grade, ITEM, descending=[False, *(False for _ in by_grade), True])["row"].to_numpy()
    place = pl.DataFrame({"row": order, "place": rows})
    wanted = pl.DataFrame({"row": judged[group >= 0]})
    return wanted.join(place, on="row", how="left", maintain_order="left")["place"].to_numpy()
