"""What a part must know beside its rows: the request, the names of the systems, and where rows come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import Place
from plumbline.evaluation.request import request
from plumbline.schema import CASE, ITEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.errors import Diagnostic
    from plumbline.evaluation.request import Request
    from plumbline.io.table import Table

ROW: Final = "row"
"""The number of a row in its source."""
SYSTEM_NUMBER: Final = "number"
"""The number of the system that a row belongs to."""
GOLD: Final = "\0gold"
"""Stands for the name of the gold until the parts are put together; no file has such a name."""
AT_THE_END: Final = frozenset({"zscores", "watch", "floor", "floor_rate"})
"""Options that concern the scores of all cases together."""


def token(system: int) -> str:
    """Stands for the name of a system's source until the parts are put together."""
    return f"\0{system}"


@dataclass(frozen=True)
class RowPlace(Place):
    """A row of a source that a part does not have: its file and line are looked up when the parts are put together."""

    row: int = -1
    column_name: str = ""


@dataclass(frozen=True)
class RowOrigin:
    """Rows of a part by their numbers in the source."""

    source: str
    rows: pl.Series

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The numbers of these rows in the source."""
        return [RowPlace(self.source, row=int(self.rows[row]), column_name=column) for row in rows]


@dataclass(frozen=True)
class Source:
    """The gold or an output: what was found out when it was opened."""

    label: str
    reader: str = "frame"
    tag: str | None = None
    notices: tuple[Diagnostic, ...] = ()
    empty_cases: tuple[str, ...] = ()
    probabilities: int = 0
    """For how many classes it has probabilities."""

    @classmethod
    def of(cls, table: Table) -> Source:
        """What is known about a table that was read."""
        return cls(table.label, table.reader, table.tag, table.notices, table.empty_cases, table.probabilities)


@dataclass(frozen=True)
class Job:
    """An evaluation without its rows; it can be sent to other machines."""

    metrics: tuple[str, ...]
    options: Mapping[str, Any]
    gold: Source
    systems: Mapping[str, Source]
    top_grade: float = 1.0
    """The highest grade of the gold, which some metrics refer to; at least 1."""

    @property
    def by_item(self) -> bool:
        """Whether items are counted, instead of lists being scored."""
        return self.request.task.parts == "items"

    @property
    def by_document(self) -> bool:
        """Whether the spans of documents are counted."""
        return self.request.task.parts == "documents"

    @cached_property
    def request(self) -> Request:
        """The request as every part understands it."""
        return request(list(self.metrics), **{name: self.options[name] for name in self.options if name not in AT_THE_END})

    def sent(self) -> Job:
        """The job as parts need it: without notices, and without data that only the scores of all cases need."""
        plain = {name: value for name, value in self.options.items() if name not in AT_THE_END}
        systems = {name: replace(source, notices=(), empty_cases=()) for name, source in self.systems.items()}
        return Job(self.metrics, plain, replace(self.gold, notices=()), systems, self.top_grade)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "request"}


def starts_of_lists(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows at which another list begins than before: few beside all rows, if lists are together."""
    case, system = rows[CASE], rows[SYSTEM_NUMBER]
    new = (case != case.shift(1)) | (system != system.shift(1))
    return rows.select(SYSTEM_NUMBER, CASE, ROW).with_row_index("start").filter(new.fill_null(value=True))


def in_order(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows in the order of their source."""
    return rows if rows[ROW].is_sorted() else rows.sort(ROW)


def top_grade(gold: Table, task: str) -> float:
    """The highest grade of a gold for rankings, at least 1."""
    return float(gold.frame[VALUE].to_numpy().max(initial=1.0)) if task == "ranking" else 1.0


def gold_rows(table: Table) -> pl.DataFrame:
    """The rows of the gold with their numbers; a case without items is a row without an item, after all others."""
    frame = table.frame.with_columns(pl.col(CASE).cast(pl.String)).with_row_index(ROW).cast({ROW: pl.Int64})
    if not table.empty_cases:
        return frame
    known = set(frame[CASE].unique())
    empty = [case for case in table.empty_cases if case not in known]
    numbers = pl.int_range(len(frame), len(frame) + len(empty), eager=True).alias(ROW)
    return pl.concat([frame, pl.DataFrame([pl.Series(CASE, empty, dtype=pl.String), numbers])], how="diagonal")


def output_rows(table: Table, system: int) -> pl.DataFrame:
    """The rows of one system, with their numbers and the number of the system."""
    frame = table.frame.with_columns(pl.col(CASE).cast(pl.String), pl.lit(system, pl.Int32).alias(SYSTEM_NUMBER))
    return with_row_numbers(frame)


def with_row_numbers(frame: pl.DataFrame, first: int = 0) -> pl.DataFrame:
    """The rows of an output with their numbers, and with names as text."""
    numbered = frame.with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64) + first)
    return numbered.cast({name: pl.String for name in (CASE, ITEM) if name in frame.columns})
