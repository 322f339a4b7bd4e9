"""Tables that polars reads piece by piece, so that they never have to fit into memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from polars.exceptions import PolarsError

from plumbline.io.bytes.content import BLOCK
from plumbline.io.formats.delimited.reading import DelimitedOrigin
from plumbline.io.sniff import columns_of, self_described
from plumbline.io.table import FrameOrigin

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import Origin


def scanned(content: Content, least: int) -> tuple[pl.LazyFrame, Origin] | None:
    """The rows of a table of more than so many bytes; None for smaller ones, and for files that polars cannot read in one way.

    Columns of CSV and TSV are texts.
    """
    if content.path is None or len(content.data) <= least:
        return None
    kind = self_described(content)
    try:
        if kind in {"parquet", "arrow"}:
            scan = pl.scan_parquet if kind == "parquet" else pl.scan_ipc
            return scan(content.path), FrameOrigin(content.label)
        if kind is not None:
            return None
        columns, separator = columns_of(content)
        if separator is None or not _is_regular(content, separator.encode(), len(columns)):
            return None
        rows = pl.scan_csv(content.path, separator=separator, infer_schema=False, empty_string_is_null=True, glob=False)
        return rows, DelimitedOrigin(content, separator)
    except (PolarsError, OSError):
        return None


def _is_regular(content: Content, separator: bytes, width: int) -> bool:
    """Whether every line has all columns, by counting separators; with quotes, that cannot be known so."""
    separators = lines = 0
    block = b""
    for start in range(0, len(content.data), BLOCK):
        block = content.take(slice(start, start + BLOCK))
        if b'"' in block:
            return False
        separators += block.count(separator)
        lines += block.count(b"\n")
    return separators == (lines + (not block.endswith(b"\n"))) * (width - 1)
