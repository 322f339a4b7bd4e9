"""Label files without a header: `item label` or `case item label`, between tabs, commas or white space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare
from plumbline.schema import CASE, ITEM

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

LAYOUTS: Final = {2: (ITEM, "label"), 3: (CASE, ITEM, "label")}


def separator_of(line: str) -> str:
    """What separates the columns of a line: tabs before commas before white space."""
    return "\t" if "\t" in line else "," if "," in line else " "


def columns_of(line: str) -> list[str]:
    """The columns of a line."""
    separator = separator_of(line)
    return line.split() if separator == " " else line.split(separator)


def sniff(sample: Sample) -> str | None:
    """Two or three columns in the first line."""
    if not sample.first_line.strip():
        return None
    width = len(columns_of(sample.first_line))
    return f"its lines have {width} columns and no header" if width in LAYOUTS else None


declare(
    Reader(
        "plain",
        "labels without header: `item label` or `case item label`, separated by tabs, commas or spaces",
        "plumbline.io.formats.plain.quick:read_plain",
        sniff,
        sign="layout",
        suffixes=(),
        example="d1\tnews\ncaf\u00e9\tsports\nd3\tnews\n",
        kinds=("labels", "clusters", "levels"),
        comments=True,
    )
)
