"""All judgements in one table: repetitions and grades outside the scale are named, chosen or counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

import polars as pl

from plumbline.errors import BadData, judgements
from plumbline.errors.base import MOST_SHOWN, counted
from plumbline.io.judgements.part import ASSESSOR, COLUMNS, ROW
from plumbline.schema import CASE, ITEM, LABEL, ONLY_CASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.errors import Diagnostic, Place
    from plumbline.io.judgements.part import Part
    from plumbline.io.table import Origin

OnDuplicate = Literal["error", "first", "last", "mean"]
OutOfScale = Literal["error", "drop", "clip", "keep"]
PART: Final = "part"
NUMBER: Final = "number"
_KEY: Final = (CASE, ITEM, ASSESSOR)


@dataclass(frozen=True, eq=False)
class Judgements:
    """A row for each judgement.

    The frame has `case, item, assessor, label`, `number` where all labels are numbers (or have an order), and `seconds`,
    `when`, `batch` and `gold` where a source has them.
    """

    frame: pl.DataFrame
    origins: tuple[Origin, ...]
    has_cases: bool
    notices: tuple[Diagnostic, ...] = ()

    @property
    def are_sets(self) -> bool:
        """Whether an answer is a set of labels."""
        return self.frame[LABEL].dtype == pl.List

    @property
    def are_numbers(self) -> bool:
        """Whether every label is a number."""
        return NUMBER in self.frame.columns

    @property
    def assessors(self) -> list[str]:
        """The assessors in the order in which they occur."""
        return self.frame[ASSESSOR].unique(maintain_order=True).to_list()

    def places(self, rows: Sequence[int]) -> list[Place]:
        """Where some rows of the frame stand."""
        picked = self.frame[list(rows)]
        pairs = zip(picked[PART].to_list(), picked[ROW].to_list(), strict=True)
        return [self.origins[part].places([row], LABEL)[0] for part, row in pairs]

    def only(self, assessors: Sequence[str]) -> Judgements:
        """The judgements of some assessors."""
        return replace(self, frame=self.frame.filter(pl.col(ASSESSOR).is_in(list(assessors))))

    def noting(self, *notices: Diagnostic) -> Judgements:
        """The same with further notices."""
        return replace(self, notices=(*self.notices, *notices))


def joined(parts: Sequence[Part]) -> Judgements:
    """One table of all parts; a part without a column for the assessor is one assessor."""
    frames = []
    for number, part in enumerate(parts):
        frame = part.frame
        if ASSESSOR not in frame.columns:
            frame = frame.with_columns(pl.lit(part.name).alias(ASSESSOR))
        frames.append(frame.with_columns(pl.lit(number).alias(PART)))
    every = pl.concat(_alike(frames), how="diagonal")
    has_cases = CASE in every.columns
    case = pl.col(CASE).fill_null(ONLY_CASE) if has_cases else pl.lit(ONLY_CASE).alias(CASE)
    every = every.with_columns(case).select(name for name in (*COLUMNS, PART, ROW) if name in (*every.columns, CASE))
    notices = [notice for part in parts for notice in part.notices]
    empty = every[LABEL].is_null()
    if every[LABEL].dtype == pl.String:
        empty = empty | (every[LABEL].str.strip_chars() == "")
    if empty.any():
        notices.append(judgements.no_answers(parts[0].label, int(empty.sum()), "without a label"))
        every = every.filter(~empty)
    return Judgements(_numbered(every), tuple(part.origin for part in parts), has_cases, tuple(notices))


def _alike(frames: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Labels as texts, unless an answer somewhere is a set of several or of none."""
    lists = [frame for frame in frames if frame[LABEL].dtype == pl.List]
    if any((frame[LABEL].list.len() != 1).any() for frame in lists):
        to_list = pl.concat_list(pl.col(LABEL))
        return [frame if frame[LABEL].dtype == pl.List else frame.with_columns(to_list) for frame in frames]
    return [frame.with_columns(pl.col(LABEL).list.first()) if frame[LABEL].dtype == pl.List else frame for frame in frames]


def _numbered(frame: pl.DataFrame) -> pl.DataFrame:
    """With the number of each label, and one spelling of each number, if all labels are numbers."""
    if frame[LABEL].dtype != pl.String:
        return frame
    numbers = frame[LABEL].str.strip_chars().cast(pl.Float64, strict=False)
    if frame.is_empty() or numbers.null_count() or not numbers.is_finite().all():
        return frame.with_columns(pl.col(LABEL).str.strip_chars())
    return frame.with_columns(numbers.alias(NUMBER), number_text(numbers).alias(LABEL))


EXACT: Final = 2.0**53
"""Below it all whole numbers are exact."""


def number_text(numbers: pl.Series) -> pl.Series:
    """Numbers as people write them: 2, not 2.0."""
    all_integers = ((numbers == numbers.floor()) & (numbers.abs() < EXACT)).all()
    return numbers.cast(pl.Int64).cast(pl.String) if all_integers else numbers.cast(pl.String).str.strip_suffix(".0")


def without_repetitions(table: Judgements, rule: OnDuplicate) -> Judgements:
    """At most one judgement of an item by an assessor; equal ones count once, and different ones are an error or chosen."""
    frame = table.frame.with_row_index("_row")
    twice = frame.filter(pl.struct(_KEY).is_duplicated())
    if twice.is_empty():
        return table
    groups = twice.group_by(_KEY, maintain_order=True).agg(
        pl.col("_row"), pl.col(LABEL), (pl.col(LABEL).n_unique() > 1).alias("differ")
    )
    differing = groups.filter("differ")
    if rule == "error" and not differing.is_empty():
        shown = [_twice(table, group) for group in differing.head(MOST_SHOWN).iter_rows(named=True)]
        raise BadData(*counted(shown, len(differing)))
    alike = groups.filter(~pl.col("differ"))
    notices = []
    if not alike.is_empty():
        first, second, *_ = alike["_row"][0]
        places = table.places([first, second])
        count = int((alike["_row"].list.len() - 1).sum())
        notices.append(
            judgements.judged_twice_alike(places[1], count, _whom(alike.row(0, named=True), table), _first(places[0]))
        )
    if rule == "mean" and not differing.is_empty():
        if not table.are_numbers:
            raise BadData(
                judgements.needs_grades("the mean of repeated judgements", table.frame[LABEL].unique().sort().to_list())
            )
        frame = frame.with_columns(pl.col(NUMBER).mean().over(_KEY))
        frame = frame.with_columns(number_text(frame[NUMBER]).alias(LABEL))
    kept = frame.unique(_KEY, keep="last" if rule == "last" else "first", maintain_order=True).drop("_row")
    return replace(table, frame=kept).noting(*notices)


def _twice(table: Judgements, group: dict[str, object]) -> Diagnostic:
    rows: list[int] = group["_row"]  # type: ignore[assignment]
    labels = [str(label) for label in group[LABEL]]  # type: ignore[attr-defined]
    other = next(place for place, label in enumerate(labels) if label != labels[0])
    places = table.places([rows[0], rows[other]])
    return judgements.judged_twice(places[1], _whom(group, table), _first(places[0]), (labels[0], labels[other]))


def _first(place: Place) -> str:
    return f"first at line {place.line}" if place.line is not None else f"first in {place}"


def _whom(group: dict[str, object], table: Judgements) -> str:
    case = f" in case {group[CASE]}" if table.has_cases else ""
    return f"assessor {group[ASSESSOR]} judged item {group[ITEM]}{case}"


def on_the_scale(table: Judgements, scale: tuple[float, float], rule: OutOfScale, whose: str) -> Judgements:
    """Grades within the scale; others are an error, dropped, clipped or kept."""
    low, high = scale
    outside = (table.frame[NUMBER] < low) | (table.frame[NUMBER] > high)
    if not outside.any():
        return table
    text, count = f"{low:g}-{high:g}", int(outside.sum())
    rows = outside.arg_true().to_list()
    if rule == "error":
        grades = table.frame[LABEL].gather(rows[:MOST_SHOWN]).to_list()
        places = table.places(rows[:MOST_SHOWN])
        shown = [
            judgements.off_the_scale(place, grade, text, whose, count) for place, grade in zip(places, grades, strict=True)
        ]
        raise BadData(*counted(shown, count))
    who = table.frame[ASSESSOR].gather(rows).unique(maintain_order=True).to_list()
    done = {"drop": "left out", "clip": "moved to its end", "keep": "kept as they are"}[rule]
    noted = table.noting(judgements.scale_kept(count, text, done, who))
    if rule == "drop":
        return replace(noted, frame=table.frame.filter(~outside))
    if rule == "clip":
        clipped = table.frame.with_columns(pl.col(NUMBER).clip(low, high))
        return replace(noted, frame=clipped.with_columns(number_text(clipped[NUMBER]).alias(LABEL)))
    return noted
