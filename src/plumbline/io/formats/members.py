"""Rows of item and cluster that a reader found line by line, and several such tables as one."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from plumbline.errors import BadData, Place, clusterings, notices
from plumbline.errors.base import READ_AS, plural
from plumbline.io.table import Table
from plumbline.schema import CASE, ITEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.io.table import Origin


class Member(NamedTuple):
    """An item in a cluster, and the line that says so."""

    case: str
    item: str
    cluster: str
    line: int


@dataclass(frozen=True)
class LineOrigin:
    """Rows that know their line."""

    label: str
    lines: tuple[int, ...]

    def places(self, rows: list[int], column: str) -> list[Place]:  # noqa: ARG002 - the line is enough
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


def member_table(members: Sequence[Member], cases: Iterable[str], label: str, reader: str) -> Table:
    """A table of what was found; a case without any item is listed as empty."""
    columns = [
        pl.Series(name, [row[index] for row in members], dtype=pl.String) for index, name in enumerate((CASE, ITEM, VALUE))
    ]
    frame = pl.DataFrame(columns).with_columns(pl.col(CASE).cast(pl.Categorical))
    found = {row.case for row in members}
    empty = tuple(case for case in dict.fromkeys(cases) if case not in found)
    return Table(frame, label, reader, LineOrigin(label, tuple(row.line for row in members)), empty_cases=empty)


def joined(tables: Sequence[Table], label: str) -> Table:
    """The files of a folder as one table; no case may be in two of them."""
    homes: dict[str, str] = {}
    for one in tables:
        for case in (*one.frame[CASE].unique().cast(pl.String).sort(), *one.empty_cases):
            if case in homes:
                raise BadData(clusterings.same_case(Place(one.label), case, homes[case]))
            homes[case] = one.label
    starts = [0]
    for one in tables[:-1]:
        starts.append(starts[-1] + len(one.frame))
    return Table(
        pl.concat([one.frame for one in tables]),
        label,
        tables[0].reader,
        JoinedOrigin(label, tuple(starts), tuple(one.origin for one in tables)),
        notices=(
            notices.read_as(label, tables[0].reader, f"{plural(len(tables), 'file')} together, such as {tables[0].label}"),
            *(said for one in tables for said in one.notices if said.code != READ_AS),
        ),
        empty_cases=tuple(case for one in tables for case in one.empty_cases),
    )
