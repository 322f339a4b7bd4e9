"""Tables from rows that a reader collects line by line, and several tables as one."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from plumbline.errors import BadData, Place, clusterings, notices, table
from plumbline.errors.base import READ_AS, plural
from plumbline.io.table import PickedOrigin, Table
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM, TAG, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.io.table import Origin, ReadOptions


_ROW: Final = "row"


class Row(NamedTuple):
    """An item of a case with its number, label or cluster, and the line that holds it."""

    case: str
    item: str
    value: float | str
    line: int


@dataclass(frozen=True)
class LineOrigin:
    """Rows that know their line."""

    label: str
    lines: tuple[int, ...]

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The line of each row."""
        return [Place(self.label, self.lines[row] if row >= 0 else None) for row in rows]


@dataclass(frozen=True)
class JoinedOrigin:
    """Rows of several tables, one after the other."""

    label: str
    starts: tuple[int, ...]
    origins: tuple[Origin, ...]

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The place of each row in the table that it came from."""
        return [self._place(row, column) if row >= 0 else Place(self.label) for row in rows]

    def _place(self, row: int, column: str) -> Place:
        part = bisect_right(self.starts, row) - 1
        return self.origins[part].places([row - self.starts[part]], column)[0]


def table_of_rows(
    rows: Sequence[Row], label: str, reader: str, cases: Iterable[str] = (), options: ReadOptions | None = None
) -> Table:
    """A table of what a reader collected line by line.

    Of the cases given, those without a row are listed as empty. With options, the numbers of an output are put in the order
    that they name: by score, by rank or as in the file.
    """
    text = not rows or isinstance(rows[0].value, str)
    frame = pl.DataFrame(
        [
            pl.Series(CASE, [row.case for row in rows], dtype=pl.String).cast(pl.Categorical),
            pl.Series(ITEM, [row.item for row in rows], dtype=pl.String),
            pl.Series(VALUE, [row.value for row in rows], dtype=pl.String if text else pl.Float64),
        ]
    )
    if options is not None and options.role == "output" and not text and options.order != "score":
        in_order = -(pl.col(VALUE) if options.order == "rank" else pl.int_range(pl.len()).cast(pl.Float64))
        frame = frame.with_columns(in_order.alias(VALUE))
    filled = {row.case for row in rows}
    empty = tuple(case for case in dict.fromkeys(cases) if case not in filled)
    return Table(frame, label, reader, LineOrigin(label, tuple(row.line for row in rows)), empty_cases=empty)


def systems_of(read: Table) -> list[Table]:
    """The tables of the systems that a column of run tags tells apart; one table, if there is no such column."""
    if read.names_of_cases is not None or read.numbered is not None or TAG not in read.frame.columns:
        return [read]
    parts = read.frame.with_row_index(_ROW).partition_by(TAG, maintain_order=True)
    return [
        replace(
            read,
            frame=part.drop(_ROW, TAG),
            label=f"{read.label}, {part[TAG][0]}",
            origin=PickedOrigin(read.origin, part[_ROW]),
            tag=str(part[TAG][0]),
            notices=read.notices if number == 0 else (),
        )
        for number, part in enumerate(parts)
    ]


def joined(tables: Sequence[Table], label: str) -> Table:
    """The files of a folder as one table; no case may be in two of them."""
    from plumbline.io.documents import joined_documents

    check_apart(tables)
    return Table(
        pl.concat([one.frame for one in tables]),
        label,
        tables[0].reader,
        _origin(tables, label),
        notices=(
            notices.read_as(label, tables[0].reader, f"{plural(len(tables), 'file')} together, such as {tables[0].label}"),
            *(notice for one in tables for notice in one.notices if notice.code != READ_AS),
        ),
        empty_cases=tuple(case for one in tables for case in one.empty_cases),
        documents=joined_documents([one.documents for one in tables]),
    )


def check_apart(tables: Iterable[Table]) -> None:
    """Refuse a case that is in two files."""
    import polars as pl

    files: dict[str, str] = {}
    for one in tables:
        for case in (*one.frame[CASE].unique().cast(pl.String).sort(), *one.empty_cases):
            if case in files:
                raise BadData(clusterings.same_case(Place(one.label), case, files[case]))
            files[case] = one.label


def stacked(tables: Sequence[Table], label: str, options: ReadOptions) -> Table:
    """The rows of several files as one table; a case may be in several of them, if all are of one system."""
    first = tables[0]
    for one in tables[1:]:
        if (one.frame.schema, one.classes, one.probabilities) != (first.frame.schema, first.classes, first.probabilities):
            raise BadData(table.other_columns(one.label, first.label))
    tags = list(dict.fromkeys(one.tag for one in tables if one.tag is not None))
    if len(tags) > 1 and options.tag is None:
        raise BadData(table.several_tags_of_files(label, tags))
    frames = [one.frame for one in tables]
    if options.role == "output" and options.order == "file" and first.frame.schema[VALUE].is_float():
        frames = [
            frame.with_columns(pl.col(VALUE) - float(start)) for frame, start in zip(frames, _starts(tables), strict=True)
        ]
    rows = pl.concat(frames)
    cases = dict.fromkeys(case for one in tables for case in one.empty_cases)
    filled = set(rows[CASE].unique().cast(pl.String)) if cases else set()
    return replace(
        first,
        frame=rows,
        label=label,
        origin=_origin(tables, label),
        tag=tags[0] if len(tags) == 1 else None,
        notices=(*first.notices, *(notice for one in tables[1:] for notice in one.notices if notice.code != READ_AS)),
        empty_cases=tuple(case for case in cases if case not in filled),
        named_columns=frozenset().union(*(one.named_columns for one in tables)),
    )


def _starts(tables: Sequence[Table]) -> tuple[int, ...]:
    """How many rows stand before each table."""
    return tuple(accumulate((len(one.frame) for one in tables[:-1]), initial=0))


def _origin(tables: Sequence[Table], label: str) -> JoinedOrigin:
    return JoinedOrigin(label, _starts(tables), tuple(one.origin for one in tables))
