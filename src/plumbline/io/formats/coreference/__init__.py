"""Coreference: documents are cases, entities are clusters, and their mentions are items."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_CONLLU: Final = re.compile(r"\d+([-.]\d+)?(\t[^\t\r\n]*){9}")


def sniff_conll(sample: Sample) -> str | None:
    """The line that opens a document."""
    return "it starts with #begin document" if sample.text.startswith(b"#begin document") else None


def sniff_conllu(sample: Sample) -> str | None:
    """The ten columns of a word."""
    return "its lines have the 10 columns of CoNLL-U" if _CONLLU.fullmatch(sample.first_line.strip(" ")) else None


declare(
    Reader(
        "conll",
        "coreference in the columns of CoNLL-2012 and SemEval-2010: brackets in the last column",
        "plumbline.io.formats.coreference.conll:read_conll",
        sniff_conll,
        sign="magic",
        suffixes=(".conll",),
        kinds=("clusters", "levels"),
        comments=True,
        folders=True,
    ),
    Reader(
        "conllu",
        "coreference in CoNLL-U: brackets in the attribute Entity of the last column",
        "plumbline.io.formats.coreference.conllu:read_conllu",
        sniff_conllu,
        sign="magic",
        suffixes=(".conllu",),
        kinds=("clusters", "levels"),
        comments=True,
        folders=True,
    ),
)
