"""Rows of delimited text with fields of any length, of which the csv module takes 131,072 characters unless it is told more."""

from __future__ import annotations

import csv
from io import StringIO
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeVar

from plumbline.errors import BadData, Place, table

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
_LONG: Final = 2**17
"""Characters of a field that may be so long because nothing ends it."""
_LARGEST: Final = 2**31 - 1
"""What the module takes on every system."""
_ONE_AT_A_TIME: Final = Lock()
"""The limit is that of all threads."""


def rows_of(
    text: str, separator: str, label: str, made: Callable[[list[str]], T], first: int = 1, *, quotes: bool = True
) -> list[tuple[int, T]]:
    """What is made of each row, and the line on which it starts, counted from the first one; blank lines are left out.

    Raises:
        BadData: If a long quoted field does not end.
    """
    with _ONE_AT_A_TIME:
        limit = csv.field_size_limit(min(max(len(text), _LONG), _LARGEST))
        try:
            reader = csv.reader(
                StringIO(text, newline=""), delimiter=separator, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
            )
            rows, start, last = list[tuple[int, T]](), first, [""]
            for row in reader:
                if row:
                    rows.append((start, made(row)))
                    last = row
                start = reader.line_num + first
        finally:
            csv.field_size_limit(limit)
    if _is_open(last[-1], text):
        raise BadData(table.open_quote(Place(label, rows[-1][0])))
    return rows


def _is_open(last: str, text: str) -> bool:
    """Whether the last field starts with a quotation mark and goes on to the end of the text, in which marks are doubled."""
    before = len(text) - len(last) - last.count('"') - 1
    return len(last) > _LONG and text[before : before + 1] == '"' and not text.rstrip("\r\n").endswith('"')
