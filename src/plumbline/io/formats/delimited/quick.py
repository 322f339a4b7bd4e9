"""Tables of labels between tabs or commas by the reader in C, or small ones in Python: the same rows, without a table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from plumbline.deferred import later
from plumbline.io.bytes.blocks import whole_lines
from plumbline.io.bytes.lines import is_utf8
from plumbline.io.columns.names import EVALL, TAGS, WEIGHTS, cluster_columns, columns_by_name, label_columns, plain_name
from plumbline.io.formats.delimited import small
from plumbline.io.formats.delimited.layout import Layout
from plumbline.io.formats.delimited.small import read_small
from plumbline.io.labelled import CodedLabels, Labelled
from plumbline.io.native import MOST_BYTES, native, native_function
from plumbline.io.registry import resolved
from plumbline.io.table import Table
from plumbline.io.text_column import TextColumn
from plumbline.schema import ONLY_CASE, UNIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.io.bytes.content import Content
    from plumbline.io.bytes.on_disk import OnDisk
    from plumbline.io.table import ReadOptions

_SHORTEST: Final = 4
"""Bytes of the shortest line: two columns, what is between them, and the line end."""
_LONGEST: Final = 2**16
"""Bytes of the longest first line; one without an end has no rows, or is longer."""


class QuickTable(NamedTuple):
    """The rows of a file, and the columns that were named for a meaning."""

    rows: Labelled
    named: frozenset[str]


def read_csv(content: Content, options: ReadOptions) -> Table:
    """A table of labels by the reader in C, anything else by polars."""
    return _read(content, "csv", options)


def read_tsv(content: Content, options: ReadOptions) -> Table:
    """The same with tabs."""
    return _read(content, "tsv", options)


def _read(content: Content, reader: str, options: ReadOptions) -> Table:
    if may_be_quick(content, options):
        content = in_memory(content)
    read, slowly = read_table(content, options), cache(lambda: _by_polars(content, reader, options))
    if read is None:
        return slowly()
    return table_of(read.rows, content.label, reader, slowly, read.named)


def table_of(
    rows: Labelled, label: str, reader: str, slowly: Callable[[], Table], named: frozenset[str] = frozenset()
) -> Table:
    """A table whose frame is made by polars if it is asked for."""
    frame, origin = later(lambda: slowly().frame), later(lambda: slowly().origin)
    return Table(frame, label, reader, origin, named_columns=named, labelled=rows)


def _by_polars(content: Content, reader: str, options: ReadOptions) -> Table:
    table: Table = resolved("plumbline.io.formats.delimited.reading:read_frame")(content, reader, options)
    return table


def read_table(content: Content, options: ReadOptions) -> QuickTable | None:
    """The rows below a line of names, about which there is nothing to tell; None for any other file."""
    if not may_be_quick(content, options):
        return None
    line, end, _ = bytes(content.data[:_LONGEST]).partition(b"\n")
    separator = "\t" if b"\t" in line else ","
    columns = _columns(line, separator) if end else []
    names, named = columns_by_name(columns, options.column_of)
    if options.kind == "clusters":
        if any(name in names for name in WEIGHTS):
            return None
        names = cluster_columns(names, options.role)
        if "label" not in names:
            return None
    case, item, score, label = label_columns(names, options.role)
    has_tags = any(name in names for name in TAGS)
    if options.role == "output" and (score is not None or has_tags):
        return None
    chosen = [column for column in (case, item, label) if column is not None]
    if item is None or label is None or len(set(chosen)) < len(chosen) or set(map(str.lower, columns)) >= EVALL:
        return None
    at = Layout(separator, len(columns), -1 if case is None else columns.index(case), columns.index(item), columns.index(label))
    rows = read_rows(content.data, len(line) + 1, at)
    return None if rows is None else QuickTable(rows, named)


def may_be_quick(content: Content, options: ReadOptions) -> bool:
    """Whether one label of each item is all that is wanted, and a reader in C is there or the file is small."""
    plain = options.kind in {"labels", "clusters"} and options.label_separator is None and options.fold_column is None
    further = options.role == "output" and options.tag is not None
    further = further or (options.role == "gold" and UNIT in options.column_of)
    most = small.AT_MOST if native_function("labels") is None else MOST_BYTES
    return plain and not further and len(content.data) <= most


def in_memory(content: Content) -> Content:
    """The same content, whose bytes are in memory, where they are looked at again."""
    return content if isinstance(content.data, bytes) else replace(content, data=bytes(content.data))


def _columns(line: bytes, separator: str) -> list[str]:
    """The names of columns; none if any of them is unusual."""
    try:
        columns = line.decode().split(separator)
    except UnicodeDecodeError:
        return []
    plain = line.isascii() and not any(sign in line for sign in b'"\r') and "" not in columns
    return columns if plain and len(set(map(plain_name, columns))) == len(columns) else []


def read_rows(data: bytes | OnDisk, begin: int, at: Layout) -> Labelled | None:
    """The rows from a place on; None if there is anything odd in them."""
    core = native()
    if core is None or not hasattr(core, "labels"):
        return read_small(bytes(data), begin, at)
    if not isinstance(data, bytes):
        return None
    room = core.breaks(data, begin, len(data)) + 1
    if room > len(data) // _SHORTEST + 1:
        return None
    case, label = np.empty((2, room), dtype=np.int32)
    starts, hashes = np.empty(room, dtype=np.uint32), np.empty(room, dtype=np.uint64)
    result = core.labels(data, begin, at.separator, at[1:], room, (case, label, starts, hashes))
    if result is None or not result[0]:
        return None
    count, cases, labels, is_ascii = result
    if not is_ascii and not all(is_utf8(data[block]) for block in whole_lines(data)):
        return None
    items = TextColumn(data, at.separator, starts[:count], hashes[:count])
    return Labelled(cases or [ONLY_CASE], case[:count], items, CodedLabels(tuple(labels), label[:count]))
