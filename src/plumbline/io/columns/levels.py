"""Organizations: rankings, judgements, filters and clusterings get levels and clusters; all are checked in the same way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, files, labelling, notices, organizations, table
from plumbline.errors.base import MOST_SHOWN, counted
from plumbline.io.columns.text import NO, YES
from plumbline.io.table import PickedOrigin
from plumbline.lazily import pl
from plumbline.schema import CASE, ITEM, LABEL, TAG, VALUE

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table

_ROW: Final = "row"
_NUMERALS: Final = frozenset({"0", "1", "-1", "+1"})
_CLUSTER_NUMBERS: Final = frozenset({"0", "-1"})
"""Clustering libraries number clusters from 0, and give -1 to noise; no filter has two words for no."""
_NOISE: Final = "-1"


def by_scores(read: Table) -> Table:
    """A ranking: a level for each score; every item is alone."""
    frame = read.frame.select(CASE, ITEM, VALUE, _no_cluster())
    _refuse_repeats(frame, read)
    return replace(read, frame=frame)


def by_grades(read: Table) -> Table:
    """Judgements: a level for each grade above 0; a repeated judgement changes nothing if the grade is the same."""
    frame = read.frame.select(CASE, ITEM, VALUE, _no_cluster()).with_row_index(_ROW)
    once = frame.unique([CASE, ITEM, VALUE], keep="first", maintain_order=True)
    origin, remarks = read.origin, list(read.notices)
    if len(once) < len(frame):
        first = int(frame.join(once, on=_ROW, how="anti")[_ROW].to_numpy().min())
        example = origin.places([first], "item")[0]
        remarks.append(notices.repeated(read.label, len(frame) - len(once), "judgement", example, "same grade"))
        origin = PickedOrigin(origin, once[_ROW])
    unique = replace(read, frame=once.drop(_ROW), origin=origin, notices=tuple(remarks))
    _refuse_repeats(unique.frame, unique)
    return judged_only(unique)


def judged_only(read: Table) -> Table:
    """Without the tail: items with grade 0 or less are not prioritised; a case that has no others is empty."""
    kept = read.frame.with_row_index(_ROW).filter((pl.col(VALUE) > 0) | ~pl.col(VALUE).is_finite())
    if len(kept) == len(read.frame):
        return read
    left = set(kept[CASE].unique().to_list())
    gone = [case for case in read.frame[CASE].unique(maintain_order=True).to_list() if case not in left]
    return replace(
        read,
        frame=kept.drop(_ROW),
        origin=PickedOrigin(read.origin, kept[_ROW]),
        empty_cases=(*read.empty_cases, *gone),
    )


def by_labels(read: Table) -> Table:
    """Answers of a filter are two levels, yes first; any other labels are clusters of one level."""
    frame, rows = _members(read)
    listed = replace(read, frame=frame, origin=read.origin if rows is None else PickedOrigin(read.origin, rows))
    if rows is not None or not are_answers(frame[LABEL]):
        return listed
    guess = (guessed_answers(read.label),) if are_numerals(frame[LABEL]) else ()
    return by_answers(replace(listed, notices=(*read.notices, *guess)))


def one_level(read: Table) -> Table:
    """A clustering: all items at one level."""
    frame, rows = _members(read)
    return replace(read, frame=frame, origin=read.origin if rows is None else PickedOrigin(read.origin, rows))


def _members(read: Table) -> tuple[pl.DataFrame, pl.Series | None]:
    """Items with their clusters, an item of several once for each, and then the row that each is from."""
    frame = read.frame.with_row_index(_ROW).select(_ROW, CASE, ITEM, pl.lit(0.0).alias(VALUE), read.frame[VALUE].alias(LABEL))
    if not isinstance(frame.schema[LABEL], pl.List):
        return frame.drop(_ROW).with_columns(pl.col(LABEL).cast(pl.String).replace("", None)), None
    long = frame.explode(LABEL)
    return long.drop(_ROW), long[_ROW]


def by_answers(read: Table) -> Table:
    """A filter: what it accepts before what it discards; every item is alone."""
    silent = read.frame[LABEL].is_null().arg_true().to_list()
    if silent:
        places = read.origin.places(silent[:MOST_SHOWN], "label")
        raise BadData(*counted([labelling.bad_label(place, "is missing") for place in places], len(silent)))
    frame = read.frame.with_columns(_positive(pl.col(LABEL)).cast(pl.Float64).alias(VALUE), _no_cluster())
    _refuse_repeats(frame, read)
    return replace(read, frame=frame)


def _refuse_repeats(frame: pl.DataFrame, read: Table) -> None:
    """A ranking, judgements and a filter have an item once in a case."""
    again = repeats(frame, [CASE, ITEM])
    if again:
        raise BadData(*counted([_twice(frame, read, row, first) for row, first in again[:MOST_SHOWN]], len(again)))


def _twice(frame: pl.DataFrame, read: Table, row: int, first: int) -> Diagnostic:
    place, earlier = read.origin.places([row, first], "item")
    where = f"line {earlier.line}" if earlier.line is not None else str(earlier)
    return organizations.ranked_twice(place, frame[ITEM][row], str(frame[CASE][row]), where)


def repeats(frame: pl.DataFrame, columns: list[str]) -> list[tuple[int, int]]:
    """Repeated rows of one system, each with the first one that is equal."""
    columns = [*([TAG] if TAG in frame.columns else []), *columns]
    again = frame.select(columns).is_duplicated()
    if not again.any():
        return []
    some = frame.select(columns).with_row_index(_ROW).filter(again)
    first = some.with_columns(pl.col(_ROW).min().over(columns).alias("first"))
    return first.filter(pl.col(_ROW) != pl.col("first")).select(_ROW, "first").rows()


def are_answers(labels: pl.Series) -> bool:
    """Whether every label is a usual word for yes or no, and no item has several."""
    distinct = _distinct_labels(labels)
    return bool(distinct) and distinct <= YES | NO and not distinct >= _CLUSTER_NUMBERS and distinct != {"-1"}


def are_numerals(labels: pl.Series) -> bool:
    """Whether the answers are written as numbers, which may be names of clusters as well."""
    return _distinct_labels(labels) <= _NUMERALS


def _positive(labels: pl.Expr) -> pl.Expr:
    """Whether each answer is yes."""
    return labels.str.to_lowercase().is_in(sorted(YES))


def guessed_answers(label: str) -> Diagnostic:
    """The notice that numbers were taken for answers."""
    return organizations.read_values_as(
        label, "labels 0 and 1", "answers of a filter, 1 is positive", "if they are clusters, name the columns item,cluster"
    )


def _distinct_labels(labels: pl.Series) -> set[str]:
    if labels.dtype != pl.String:
        return set()
    return {word.lower() for word in labels.unique().drop_nulls().to_list()}


def checked(read: Table, what: str = "score") -> Table:
    """The table, if it has rows, finite levels, ids, and no item twice in a cluster; noise is noticed."""
    if read.frame.is_empty() and not read.empty_cases:
        raise BadData(files.no_data(read.label))
    wrong = _nameless(read) or _not_finite(read, what) or _twice_in_cluster(read)
    if wrong:
        raise BadData(*wrong)
    outside = int((read.frame[LABEL] == _NOISE).sum())
    return replace(read, notices=(*read.notices, organizations.noise(read.label, outside, _NOISE))) if outside else read


def _nameless(read: Table) -> list[Diagnostic]:
    if "" in read.empty_cases:
        return [table.bad_id(read.origin.places([-1], "case")[0], "case", "is empty")]
    wrong = []
    for what in (CASE, ITEM):
        rows = (read.frame[what] == "").arg_true().to_list()
        shown = [table.bad_id(place, what, "is empty") for place in read.origin.places(rows[:MOST_SHOWN], what)]
        wrong += counted(shown, len(rows))
    return wrong


def _not_finite(read: Table, what: str) -> list[Diagnostic]:
    numbers = read.frame[VALUE].to_numpy()
    rows = np.flatnonzero(~np.isfinite(numbers)).tolist()
    places = read.origin.places(rows[:MOST_SHOWN], what)
    shown = [table.not_finite(place, what, str(numbers[row])) for row, place in zip(rows, places, strict=False)]
    return counted(shown, len(rows))


def _twice_in_cluster(read: Table) -> list[Diagnostic]:
    frame, problems = read.frame, []
    again = repeats(frame, [CASE, ITEM, VALUE, LABEL])
    for row, first in again[:MOST_SHOWN]:
        place, earlier = read.origin.places([row, first], "item")
        where = f"line {earlier.line}" if earlier.line is not None else str(earlier)
        problems.append(organizations.item_twice(place, frame[ITEM][row], str(frame[CASE][row]), frame[LABEL][row], where))
    return counted(problems, len(again))


def _no_cluster() -> pl.Expr:
    return pl.lit(None, dtype=pl.String).alias(LABEL)
