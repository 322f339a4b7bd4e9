"""Tags of tokens, one token per line: CoNLL-2003, IOB1, IOB2, IOE, IOBES, BILOU."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_TAGGED: Final = pattern(r"\S+[ \t](.*[ \t])?([BIESLU]-\S*|[OBIESLU])[ \t]*")
_EXAMPLE: Final = """Ada B-PER
left O
Caf\u00e9 B-ORG
Noir I-ORG

Ada B-PER
"""
_LINES: Final = 5


def sniff_tags(sample: Sample) -> str | None:
    """A tag at the end of the first lines."""
    lines = [line for line in islice(sample.each_line(), _LINES) if not line.startswith("-DOCSTART-")][: _LINES - 1]
    return "its lines end in tags such as B-PER and O" if lines and all(map(_TAGGED.fullmatch, lines)) else None


declare(
    Reader(
        "iob",
        "tags of tokens in the last column, one token per line: CoNLL-2003, IOB1, IOB2, IOE, IOBES, BILOU",
        "plumbline.io.formats.tags.reading:read_tags",
        sniff_tags,
        sign="layout",
        suffixes=(".iob", ".bio", ".iob2", ".bilou"),
        example=_EXAMPLE,
        kinds=("spans",),
    ),
)
