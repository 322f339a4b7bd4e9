"""Tables of more impressions than should be in memory at once: divided by session on the disk, and read portion by portion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from polars.exceptions import PolarsError

from plumbline.errors import BadData, files
from plumbline.io.bytes.content import Content
from plumbline.io.formats.delimited.reading import DelimitedOrigin, delimited_frame
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.io.scanned import scanned
from plumbline.io.table import FrameOrigin
from plumbline.schema import CASE
from plumbline.truth.clicks.log import SESSION
from plumbline.truth.clicks.reading.forms import Opened, meanings_of, read_table
from plumbline.truth.clicks.reading.impressions import ROW, checked_impressions
from plumbline.truth.clicks.reading.portions import Portions, about_gaps, portion_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.errors import Place
    from plumbline.io.table import Origin
    from plumbline.truth.clicks.reading.portions import Portion

ROWS: Final = 1_000_000
"""About so many rows are in memory at once."""
LEAST: Final = 2**20
"""Files of fewer bytes are never divided."""
MOST: Final = 256
"""The largest number of portions: a file is open for each."""
_BUCKET: Final = "bucket"


@dataclass(frozen=True)
class _Chosen:
    """Some rows of a table, by their numbers in it."""

    origin: Origin
    rows: pl.Series

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The places in the table."""
        return self.origin.places([int(self.rows[row]) for row in rows], column)


def large_table(source: Any, columns: Mapping[str, str]) -> Opened | None:
    """A table with so many rows that it is divided; None for others."""
    rows: pl.LazyFrame | None = None
    label, origin = "log", None
    if isinstance(source, pl.LazyFrame):
        rows = source
    elif isinstance(source, Content):
        scan = scanned(source, LEAST)
        label = source.label
        rows, origin = scan or (None, None)
    elif is_frame(source):
        rows = polars_frame(source, label).lazy()
    if rows is None or size_of(rows) <= ROWS:
        return None
    return Opened(rows, label, origin or FrameOrigin(label), columns)


def size_of(rows: pl.LazyFrame) -> int:
    """The number of rows."""
    return int(rows.select(pl.len()).collect(engine="streaming").item())


def divided(opened: Opened, positions_from: int) -> Portions:
    """The rows of all sessions with the same hash at a time.

    Raises:
        BadData: If a row cannot be understood: the first of those that are found.
    """
    column_of = meanings_of(opened.data.collect_schema().names(), opened)
    rows = opened.data.select(pl.col(column).alias(meaning) for meaning, column in column_of.items()).with_row_index(ROW)
    size, gaps = size_of(opened.data), 0
    number = min(-(-size // ROWS), MOST)
    parts: list[Portion] = []
    wrong: list[BadData] = []
    with TemporaryDirectory(prefix="plumbline-") as folder:
        _divide(opened, rows.with_columns((pl.struct(SESSION, CASE).hash(0) % number).alias(_BUCKET)), folder)
        for path in sorted(Path(folder).iterdir()):
            frame = pl.scan_ipc(path / "*.ipc").sort(ROW).collect()
            origin = _Chosen(opened.origin, frame[ROW])
            try:
                read = checked_impressions(read_table(Opened(frame.drop(ROW), opened.label, origin, {})), positions_from)
            except BadData as error:
                wrong.append(error)
            else:
                gaps += read.gaps
                parts.append(portion_of(replace(read, frame=read.frame.with_columns(frame[ROW]))))
    if wrong:
        raise min(wrong, key=_line)
    return Portions(tuple(parts), size, opened.label, about_gaps(gaps))


def _divide(opened: Opened, rows: pl.LazyFrame, folder: str) -> None:
    """Write rows into a folder for each bucket."""
    target = pl.PartitionBy(folder, key=_BUCKET, include_key=False)
    try:
        rows.sink_ipc(target, compression="lz4", mkdir=True, maintain_order=False)
    except PolarsError as error:
        if isinstance(opened.origin, DelimitedOrigin):
            delimited_frame(opened.origin.content)
        raise BadData(files.damaged(opened.label, "table", str(error).splitlines()[0])) from None


def _line(error: BadData) -> int:
    place = error.diagnostics[0].place
    return 0 if place is None or place.line is None else place.line
