"""Standoff annotations of brat: a file `.ann` for each document, beside its text in a file `.txt`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_SPAN: Final = pattern(rb"(?:\A|[\r\n])(T[^\r\n]*)")
_LINE: Final = pattern(r"T\d+\t\S+ \d+ \d+(;\d+ \d+)*(\t.*)?")


def sniff_brat(sample: Sample) -> str | None:
    """A span in the first line that has one."""
    first = _SPAN.search(sample.head)
    return "its lines are spans of brat" if first and _LINE.fullmatch(first[1].decode(errors="replace")) else None


declare(
    Reader(
        "brat",
        "spans in the standoff files of brat, a file .ann for each document",
        "plumbline.io.formats.brat.reading:read_brat",
        sniff_brat,
        sign="layout",
        suffixes=(".ann",),
        example="T1\tPER 0 3\tAda\nT2\tORG 9 13\tCaf\u00e9\n",
        kinds=("spans",),
        annotated=True,
        comments=True,
        folders=True,
    ),
)
