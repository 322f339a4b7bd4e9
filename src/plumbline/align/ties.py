"""The order within each list: by score, equal scores by the tie rule."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.align.judged_rows import JudgedRows
from plumbline.align.keys import together
from plumbline.deferred import deferring, later
from plumbline.io.native import native_function
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl
    from numpy.typing import NDArray

    from plumbline.align.listing import Listing
    from plumbline.io.listed import Ranked
    from plumbline.options.evaluation import Ties

TOGETHER: Final = 2**20
"""So many scores are put in order together."""


@dataclass(frozen=True)
class TieFacts:
    """How much of the order the tie rule decided."""

    tied: int
    items: int
    full_cases: int

    @property
    def share(self) -> float:
        """The share of items that have the score of another one."""
        return self.tied / max(self.items, 1)


@dataclass(frozen=True, eq=False)
class Ordered:
    """All rows with cases together and scores descending; items are fetched from the file's order when needed."""

    case: NDArray[np.int32]
    value: NDArray[np.float64]
    listing: Listing
    order: NDArray[np.int64] | NDArray[np.int32] | None

    def _before(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return rows if self.order is None else self.order[rows].astype(np.int64)

    def texts(self, rows: NDArray[np.int64]) -> pl.Series | list[str]:
        """The items of some rows."""
        return self.listing.some_texts(self._before(rows))

    def item(self, rows: NDArray[np.int64]) -> pl.Series:
        """The items of some rows, as a column."""
        return self.listing.items(self._before(rows))


@dataclass(frozen=True, eq=False)
class SettledRows:
    """The judged rows in the order of their case and rank."""

    given: NDArray[np.int64]
    """The number that each of them had when they were given."""
    case: NDArray[np.int32]
    grade: NDArray[np.float64]
    rank: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OpenGroups:
    """The tie group of each settled row, the places above the group, and its size."""

    group: NDArray[np.int64]
    offset: NDArray[np.int64]
    size: NDArray[np.int64]


@deferring("ordered", "judged", "before")
@dataclass(frozen=True, eq=False)
class Ranks:
    """The judged rows with their rank, how much the tie rule decided, and the whole order with the judged rows in it."""

    settled: SettledRows
    ties: TieFacts
    ordered: Ordered
    judged: NDArray[np.int64]
    """Where each judged row ended up, in the order in which they were given."""
    before: NDArray[np.int64]
    """Where it was before equal scores were put in order."""
    open_groups: OpenGroups | None = None
    """Where equal scores are left open."""

    def rows(self, of_gold: NDArray[np.int64], first: int) -> JudgedRows:
        """The judged rows, which are these of the gold; the first case has the list of this number."""
        settled, groups = self.settled, {} if self.open_groups is None else vars(self.open_groups)
        lists = settled.case.astype(np.int64) + first
        return JudgedRows(lists, settled.grade, settled.rank, of_gold[settled.given], **groups)


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
    listing: Listing, judged: NDArray[np.int64], grades: NDArray[np.float64], rule: Ties, *, in_full: bool = False
) -> Ranks:
    """The judged rows with their rank; the order of all rows is worked out only if it is asked for, or in full."""
    rank = None if in_full or rule == "average" else native_function("rank")
    quick = None if rank is None else _without_ties(rank, listing, judged, grades)
    if quick is None:
        return _ranked(listing, judged, grades, rule)
    full = partial(_ranked, listing, judged, grades, rule)
    parts = (later(lambda: full().ordered), later(lambda: full().judged), later(lambda: full().before))
    return Ranks(quick, TieFacts(0, len(listing.case), 0), *parts)


def with_ranked(ranks: Ranks, more: Ranked, case: NDArray[np.int32], grade: NDArray[np.float64]) -> Ranks:
    """The same with further lists, whose judged rows are these; their other rows are not known."""
    known = ranks.settled
    given = np.concatenate((known.given, len(known.given) + np.arange(len(case))))
    cases = np.concatenate((known.case, case))
    by_case = np.argsort(cases, kind="stable")  # both are in order, and have no case in common
    grades, ranking = np.concatenate((known.grade, grade)), np.concatenate((known.rank, more.rank))
    settled = SettledRows(given[by_case], cases[by_case], grades[by_case], ranking[by_case])
    ties = replace(ranks.ties, items=ranks.ties.items + int(more.counts.sum()))
    return Ranks(settled, ties, *(later(_not_kept) for _ in range(3)))


def _not_kept() -> Any:  # noqa: ANN401 - it never returns
    message = "lists that are needed in full are not ranked while they are read"
    raise RuntimeError(message)


def _without_ties(
    rank: Callable[..., int], listing: Listing, judged: NDArray[np.int64], grades: NDArray[np.float64]
) -> SettledRows | None:
    """The judged rows by case and rank, as the module in C ranks lists in which no two scores are equal; else None."""
    given, ranks = np.empty(len(judged), dtype=np.int64), np.empty(len(judged))
    case, value = np.ascontiguousarray(listing.case, dtype=np.int32), np.ascontiguousarray(listing.value)
    outcome = rank(case, value, np.ascontiguousarray(judged), given, ranks)
    if outcome < 0:
        return None
    case = case[judged[given]]
    if not outcome:  # cases in another order than that of the gold
        by_case = np.argsort(case, kind="stable")
        given, ranks, case = given[by_case], ranks[by_case], case[by_case]
    return SettledRows(given, case, grades[given], ranks)


def _ranked(listing: Listing, judged: NDArray[np.int64], grades: NDArray[np.float64], rule: Ties) -> Ranks:
    """The same for any lists; only tie groups that hold a judged item are put in order."""
    ordered, judged = _by_score(listing, judged)
    new_case = ordered.case[1:] != ordered.case[:-1]
    first = np.concatenate(([0], np.flatnonzero(new_case) + 1))
    groups = _tied(new_case, ordered.value)
    offset = first[np.searchsorted(first, judged, side="right") - 1]
    rank = judged - offset + 1
    group = groups.of(judged) if len(groups.start) else np.full(len(judged), -1)
    tied = group >= 0
    if tied.any():
        settled = _settled(ordered, groups, group, judged, grades, rule)
        rank[tied] = settled[tied] - offset[tied] + 1
    case = ordered.case[judged]
    in_order = np.lexsort((rank, case))
    open_groups = None
    if rule == "average":
        before = np.where(tied, groups.start[group] if len(groups.start) else 0, judged) - offset
        size = np.where(tied, groups.size[group] if len(groups.start) else 1, 1)
        tie_group = np.where(tied, group, len(groups.start) + np.arange(len(judged)))
        open_groups = OpenGroups(tie_group[in_order], before[in_order], size[in_order])
    facts = _facts(groups, first, len(listing.case))
    settled_rows = SettledRows(in_order, case[in_order], grades[in_order], rank[in_order].astype(np.float64))
    return Ranks(settled_rows, facts, ordered, offset + rank - 1, judged, open_groups)


def _by_score(listing: Listing, judged: NDArray[np.int64]) -> tuple[Ordered, NDArray[np.int64]]:
    """Cases together, scores descending; a file that is in this order already is not sorted again."""
    case, value = listing.case, listing.value
    change = case[1:] != case[:-1]
    in_stretches = together(case)
    if in_stretches and bool(np.all(change | (value[1:] <= value[:-1]))):
        return Ordered(case, value, listing, None), judged
    order = _order_of_stretches(np.flatnonzero(change) + 1, value) if in_stretches else _order(case, value)
    new_row = np.empty_like(order)
    new_row[order] = np.arange(len(order), dtype=order.dtype)
    return Ordered(case[order], value[order], listing, order), new_row[judged].astype(np.int64)


def _order_of_stretches(cuts: NDArray[np.int64], value: NDArray[np.float64]) -> NDArray[np.int64]:
    """Every stretch put in order by itself, those of about one length as the rows of a matrix."""
    first = np.concatenate(([0], cuts))
    length = np.diff(np.append(first, len(value)))
    order = np.empty(len(value), dtype=np.int64)
    widths = np.frexp(length - 0.5)[1]  # from 2^(w-1) + 1 to 2^w rows
    for width in np.unique(widths).tolist():
        alike = np.flatnonzero(widths == width)
        most = int(length[alike].max())
        portion = max(1, TOGETHER // most)
        for start in range(0, len(alike), portion):
            some = alike[start : start + portion]
            places = first[some][:, None] + np.arange(most)
            if length[some].min() == most:
                order[places] = np.argsort(-value[places], axis=1) + first[some][:, None]
                continue
            inside = np.arange(most) < length[some][:, None]
            matrix = np.where(inside, -value[np.minimum(places, len(value) - 1)], np.inf)
            order[places[inside]] = (np.argsort(matrix, axis=1) + first[some][:, None])[inside]
    return order


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
    return TieFacts(int(groups.size.sum()), rows, int(full.sum()))


def _settled(
    ordered: Ordered,
    groups: _Groups,
    group: NDArray[np.int64],
    judged: NDArray[np.int64],
    grades: NDArray[np.float64],
    rule: Ties,
) -> NDArray[np.int64]:
    """The row at which each tied judged item ends up when its whole group is put in order."""
    tied = group >= 0
    held = np.flatnonzero(np.bincount(group[tied]))
    size = groups.size[held]
    begin = np.cumsum(size) - size
    rows = np.arange(size.sum()) - np.repeat(begin, size) + np.repeat(groups.start[held], size)
    of_row = begin[np.searchsorted(held, group[tied])] + judged[tied] - groups.start[group[tied]]
    worth = np.zeros(len(rows))
    worth[of_row] = grades[tied]
    by_grade = {"best": (-worth,), "worst": (worth,)}.get(rule, ())
    order = np.lexsort((_falling(ordered.texts(rows)), *by_grade, np.repeat(held, size)))
    place = np.empty(len(rows), dtype=np.int64)
    place[order] = rows
    settled = judged.copy()
    settled[tied] = place[of_row]
    return settled


def _falling(texts: pl.Series | list[str]) -> NDArray[np.int64]:
    """The place of each text in descending order; UTF-8 and Python order texts alike."""
    if isinstance(texts, list):
        order = np.array(sorted(range(len(texts)), key=texts.__getitem__, reverse=True), dtype=np.int64)
    else:
        order = texts.arg_sort(descending=True).to_numpy().astype(np.int64)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place
