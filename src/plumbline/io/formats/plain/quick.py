"""Label files without a header by the reader in C, or small ones in Python: the same rows, without a table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from plumbline.io.formats.delimited.layout import Layout
from plumbline.io.formats.delimited.quick import in_memory, may_be_quick, read_rows, table_of
from plumbline.io.formats.plain import LAYOUTS, columns_of, separator_of
from plumbline.io.registry import resolved
from plumbline.schema import CASE, ITEM

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.labelled import Labelled
    from plumbline.io.table import ReadOptions, Table


def read_plain(content: Content, options: ReadOptions) -> Table:
    """Labels between tabs or commas by the reader in C, anything else by polars."""
    if may_be_quick(content, options):
        content = in_memory(content)
    rows, slowly = read_rows_of(content, options), cache(lambda: _by_polars(content, options))
    return slowly() if rows is None else table_of(rows, content.label, "plain", slowly)


def _by_polars(content: Content, options: ReadOptions) -> Table:
    table: Table = resolved("plumbline.io.formats.plain.reading:read_columns")(content, options)
    return table


def read_rows_of(content: Content, options: ReadOptions) -> Labelled | None:
    """The rows of a file about which there is nothing to tell; None for any other."""
    if not may_be_quick(content, options):
        return None
    line = content.head().partition(b"\n")[0].decode(errors="replace")
    separator, first = separator_of(line), columns_of(line)
    if separator == " " or len(first) not in LAYOUTS or not line.strip() or line.lstrip().startswith("#"):
        return None
    names = LAYOUTS[len(first)]
    case = names.index(CASE) if CASE in names else -1
    rows = read_rows(content.data, 0, Layout(separator, len(first), case, names.index(ITEM), names.index("label")))
    if rows is None or (options.reader_of_role != "plain" and _may_be_heading(first, rows)):
        return None
    return rows


def _may_be_heading(first: list[str], rows: Labelled) -> bool:
    """Whether the first line may hold names of columns; with digits, or a label that occurs again, it does not."""
    codes = rows.labels.codes
    return not any(map(str.isdigit, "".join(first))) and int(np.count_nonzero(codes == codes[0])) < 2  # noqa: PLR2004 - again
