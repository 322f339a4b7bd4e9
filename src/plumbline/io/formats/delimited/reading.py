"""CSV and TSV with a header line: everything is text until a column is known to hold numbers."""

from __future__ import annotations

import csv
from collections import deque
from dataclasses import dataclass, replace
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Final, TypeVar

import polars as pl
from polars.exceptions import PolarsError

from plumbline.errors import BadData, Place, comparisons, files, table
from plumbline.errors.base import MOST_SHOWN, counted
from plumbline.io.bytes.fields import rows_of
from plumbline.io.bytes.lines import first_ink, nul_place
from plumbline.io.columns.names import same_names
from plumbline.io.columns.tables import to_table
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table

_ENDS_EARLY: Final = "unexpected end of data"
"""What the csv module says where a quoted field does not end."""
_RENAMED: Final = "_duplicated_"
"""What polars adds to a name that another column has."""
_BLANK: Final = pattern(rb"\n(?:\r?\n)+")
T = TypeVar("T")


@dataclass(frozen=True)
class DelimitedOrigin:
    """Rows of a delimited file; a quoted field may span lines, so only the csv module can count them."""

    content: Content
    separator: str

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The line on which each row starts; row -1 is the header."""
        starts = {index - 1: number for index, (number, _) in enumerate(_rows(self.content, self.separator, len))}
        return [Place(self.content.label, starts.get(row)) for row in rows]


def _rows(content: Content, separator: str, made: Callable[[list[str]], T]) -> list[tuple[int, T]]:
    first, number = first_ink(content)
    return rows_of(bytes(content.data[first:]).decode(errors="replace"), separator, content.label, made, number)


def read_frame(content: Content, reader: str, options: ReadOptions) -> Table:
    """Read as text columns, separated as the first line is, then choose and convert the ones that are needed."""
    frame, origin = delimited_frame(content)
    if any(_RENAMED in column for column in frame.columns):
        _, columns = _rows(origin.content, origin.separator, list)[0]
        if alike := same_names(columns, {}):
            raise BadData(comparisons.two_columns(origin.places([-1], "")[0], "columns of the same name", alike))
    return to_table(frame, content.label, reader, options, origin)


def delimited_frame(content: Content) -> tuple[pl.DataFrame, DelimitedOrigin]:
    """All columns as text, and how to find a row again."""
    if b"\r" in content.head() and b"\n" not in content.data:  # line ends of old Macs, which polars does not know
        content = replace(content, data=bytes(content.data).replace(b"\r", b"\n"))
    first, _ = first_ink(content)
    separator = "\t" if b"\t" in bytes(content.data[first : first + 2**16]).split(b"\n", 1)[0] else ","
    origin = DelimitedOrigin(content, separator)
    data = content.take(slice(first, None))
    if b"\x00" in data:
        raise BadData(files.binary(nul_place(content)))
    frame = _parsed(data, separator)
    if frame is not None and _has_nulls(frame) and _BLANK.search(data):  # polars takes blank lines for rows
        frame = None if b'"' in data else _parsed(_BLANK.sub(b"\n", data), separator)
    if frame is None or (_has_nulls(frame) and not _is_regular(content, separator, frame)):
        _diagnose(content, separator)
    if data.count(b'"') % 2:  # a quoted field that does not end takes all further lines for its own
        _check_quotes(content, separator)
    if frame is None:
        frame = _exact(content, separator)
    return frame, origin


def _parsed(data: bytes, separator: str) -> pl.DataFrame | None:
    """What polars reads; None if it cannot."""
    try:
        return pl.read_csv(BytesIO(data), separator=separator, infer_schema=False, empty_string_is_null=True, glob=False)
    except PolarsError:
        return None


def _has_nulls(frame: pl.DataFrame) -> bool:
    return bool(frame.null_count().sum_horizontal().item())


def _is_regular(content: Content, separator: str, frame: pl.DataFrame) -> bool:
    """Whether every line has all columns, by counting separators; with quotes, that cannot be known."""
    data = bytes(content.data)
    return b'"' not in data and data.count(separator.encode()) == (len(frame) + 1) * (frame.width - 1)


def _diagnose(content: Content, separator: str) -> None:
    """Name the lines with too few or too many columns."""
    try:
        bytes(content.data).decode()
    except UnicodeDecodeError as error:
        line = bytes(content.data[: error.start]).count(b"\n") + 1
        raise BadData(files.not_utf8(Place(content.label, line))) from None
    header: list[str] = []

    def width(row: list[str]) -> int:
        header.extend(() if header else row)
        return len(row)

    rows = _rows(content, separator, width)
    if not header:
        raise BadData(files.no_data(content.label))
    wrong = [(number, columns) for number, columns in rows if columns != len(header)]
    shown = [
        table.wrong_columns(Place(content.label, number), columns, len(header), separator.join(header))
        for number, columns in wrong[:MOST_SHOWN]
    ]
    if wrong:
        raise BadData(*counted(shown, len(wrong)))


def _check_quotes(content: Content, separator: str) -> None:
    """Raise if the last row ends within a quoted field."""
    number, _ = _rows(content, separator, len)[-1]
    lines = list(StringIO(bytes(content.data).decode(errors="replace"), newline=""))
    try:
        deque(csv.reader(lines[number - 1 :], delimiter=separator, strict=True), maxlen=0)
    except csv.Error as error:
        if str(error) == _ENDS_EARLY:
            raise BadData(table.open_quote(Place(content.label, number))) from None


def _exact(content: Content, separator: str) -> pl.DataFrame:
    header, *rows = [row for _, row in _rows(content, separator, list)]
    return pl.DataFrame(rows, schema=dict.fromkeys(header, pl.String), orient="row").with_columns(pl.all().replace("", None))
