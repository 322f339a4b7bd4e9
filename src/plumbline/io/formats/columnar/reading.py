"""Parquet and Arrow files."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

import polars as pl
from polars.exceptions import PanicException, PolarsError

from plumbline.errors import BadData, files
from plumbline.io.bytes.panics import without_panic_message
from plumbline.io.columns.tables import to_table
from plumbline.io.table import FrameOrigin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table

_VALUE: Final = 16
"""Bytes of a value."""


def read_parquet(content: Content, options: ReadOptions) -> Table:
    """Read all columns; the needed ones are chosen by name."""
    return to_table(columnar_frame(content, "parquet"), content.label, "parquet", options, FrameOrigin(content.label))


def read_arrow(content: Content, options: ReadOptions) -> Table:
    """Read all columns; the needed ones are chosen by name."""
    return to_table(columnar_frame(content, "arrow"), content.label, "arrow", options, FrameOrigin(content.label))


def columnar_frame(content: Content, reader: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """All columns as they are, or some of them."""
    read, scan = (pl.read_parquet, pl.scan_parquet) if reader == "parquet" else (pl.read_ipc, pl.scan_ipc)
    chosen = None if columns is None else list(columns)
    try:
        with without_panic_message(PanicException):
            data = bytes(content.data)
            needed = _needed(scan(BytesIO(data)))
            if needed <= content.limit:
                return read(BytesIO(data), columns=chosen)
    except PanicException:  # polars panics on some damaged files
        raise BadData(files.damaged(content.label, reader, "the content contradicts itself")) from None
    except (PolarsError, OSError) as error:
        raise BadData(files.damaged(content.label, reader, str(error).splitlines()[0])) from None
    raise BadData(files.too_many_rows(content.label, reader, needed, content.limit))


def _needed(rows: pl.LazyFrame) -> int:
    """About how many bytes the rows take: their number stands in the file, and a text or a list takes two words at least."""
    return int(rows.select(pl.len()).collect().item()) * len(rows.collect_schema()) * _VALUE
