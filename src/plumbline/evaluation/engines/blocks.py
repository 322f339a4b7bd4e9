"""Files in blocks of whole lines or rows, so that no more than a block of a file is in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import PlumblineError, notices
from plumbline.io.bytes.content import Content, load
from plumbline.io.checks import check
from plumbline.io.columns.tables import label_column, to_table
from plumbline.io.read import read
from plumbline.io.sniff import sniff
from plumbline.io.table import FrameOrigin
from plumbline.schema import FILLER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from plumbline.errors import Diagnostic, Place
    from plumbline.io.bytes.on_disk import OnDisk
    from plumbline.io.table import Origin, ReadOptions, Table

HEADED: Final = frozenset({"csv", "tsv"})
"""Formats whose first line names the columns."""
BY_LINES: Final = frozenset({"trec", "jsonl", *HEADED})
"""Formats in which every line is a row."""
NO_DATA: Final = "E002"
ROW_BYTES: Final = 64
"""About how many bytes of memory a row of a Parquet file takes."""
_PORTION: Final = 2**20


@dataclass(frozen=True)
class Block:
    """Some rows of a file, as its reader reads them."""

    table: Table
    first_row: int
    """How many rows of the file stand before them."""


@dataclass(frozen=True)
class ShiftedOrigin:
    """Rows of a block, which stands so many lines or rows after the start of its file."""

    origin: Origin
    lines: int

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The places in the file."""
        return [shifted(place, self.lines) for place in self.origin.places(rows, column)]


@dataclass(frozen=True)
class FileOrigin:
    """Rows of a file, which is read again, block by block, until they are found."""

    path: Path
    options: ReadOptions
    size: int

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The places of these rows."""
        by_row: dict[int, Place] = {}
        for block in blocks(self.path, self.options, self.size):
            inside = [row for row in rows if 0 <= row - block.first_row < len(block.table.frame)]
            places = block.table.origin.places([row - block.first_row for row in inside], column)
            by_row.update(zip(inside, places, strict=True))
            if len(by_row) == len(set(rows)):
                break
        return [by_row[row] for row in rows]


def shifted(place: Place, lines: int) -> Place:
    """The place so many lines further down."""
    return place if place.line is None else replace(place, line=place.line + lines)


def blocks(path: Path, options: ReadOptions, size: int) -> Iterator[Block]:
    """The rows of a file, about so many bytes at a time; a format that cannot be cut is one block."""
    content = load(path, options.max_bytes)
    reader, why = sniff(content, options)
    remark = notices.read_as(content.label, reader.name, why)
    if reader.name == "parquet" and content.path is not None:
        yield from _of_columns(content, options, max(size // ROW_BYTES, 1), remark)
    elif reader.name in BY_LINES and len(content.data) > size:
        yield from _of_lines(content, reader.name, options, size, remark)
    else:
        yield Block(read(content, "output", options), 0)


def _of_columns(content: Content, options: ReadOptions, rows: int, remark: Diagnostic) -> Iterator[Block]:
    scanned = pl.scan_parquet(content.path or "")
    label = label_column(scanned.collect_schema().names(), options) if options.of_labels else None
    if label is not None and scanned.collect_schema()[label].is_float():
        yield Block(read(content, "output", options), 0)  # how such labels are written depends on all of them
        return
    total = int(scanned.select(pl.len()).collect().item())
    for start in range(0, max(total, 1), rows):
        frame = scanned.slice(start, rows).collect(engine="streaming")
        origin = ShiftedOrigin(FrameOrigin(content.label), start)
        table = check(to_table(frame, content.label, "parquet", replace(options, role="output"), origin), "output")
        if FILLER in table.frame.columns:
            yield Block(read(content, "output", options), 0)  # records are numbered in the order in which they occur
            return
        yield Block(replace(table, notices=((remark, *table.notices) if start == 0 else table.notices)), start)


def _of_lines(content: Content, reader: str, options: ReadOptions, size: int, remark: Diagnostic) -> Iterator[Block]:
    head, chosen = b"", replace(options, output_reader=reader)
    start = row = line = 0
    while start < len(content.data):
        piece = _whole_lines(content.data, start, size, quoted=reader in HEADED)
        table = _read_piece(replace(content, data=head + piece, path=None), chosen, line - bool(head))
        if reader in HEADED and not head:
            head = piece[: piece.index(b"\n") + 1]
        if table is not None and FILLER in table.frame.columns:
            yield Block(read(content, "output", options), 0)  # as above
            return
        start += len(piece)
        line += piece.count(b"\n")
        if table is not None:
            others = [notice for notice in table.notices if notice.code != remark.code]
            yield Block(replace(table, notices=(remark, *others) if row == 0 else tuple(others)), row)
            row += len(table.frame)


def _read_piece(piece: Content, options: ReadOptions, lines: int) -> Table | None:
    """The rows of some lines; None if all of them are blank or comments."""
    try:
        table = read(piece, "output", options)
    except PlumblineError as error:
        if lines > 0 and error.code == NO_DATA:
            return None
        moved = [replace(one, place=one.place and shifted(one.place, lines)) for one in error.diagnostics]
        raise type(error)(*moved) from None
    return replace(table, frame=table.frame, origin=ShiftedOrigin(table.origin, lines))


def _whole_lines(data: bytes | OnDisk, start: int, size: int, *, quoted: bool) -> bytes:
    """About so many bytes, down to the end of a line that is not within quotes."""
    piece = bytearray(data[start : start + size])
    while start + len(piece) < len(data):
        cut = piece.rfind(b"\n")
        while cut >= 0 and quoted and piece.count(b'"', 0, cut) % 2:
            cut = piece.rfind(b"\n", 0, cut)
        if cut >= 0:
            return bytes(piece[: cut + 1])
        piece += data[start + len(piece) : start + len(piece) + _PORTION]
    return bytes(piece)
