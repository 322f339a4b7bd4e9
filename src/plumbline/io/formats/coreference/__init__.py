"""Coreference: documents are cases, entities are clusters, and their mentions are items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_CONLL: Final = pattern(rb"(#[^\r\n]*[\r\n]+)*?#begin document")
_CONLL_EXAMPLE: Final = """#begin document (a);
a 0 0 Caf\u00e9 (1
a 0 1 Noir 1)
a 0 2 opened (2)

a 0 0 It (1)
#end document
"""
_CONLLU_EXAMPLE: Final = """# newdoc id = a
1\tCaf\u00e9\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1
2\tNoir\t_\t_\t_\t_\t_\t_\t_\tEntity=e1)
3\topened\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2)
"""
_CONLLU: Final = pattern(r"\d+([-.]\d+)?(\t[^\t\r\n]*){9}")


def sniff_conll(sample: Sample) -> str | None:
    """The line that opens a document, perhaps after comments."""
    return "it starts with #begin document" if _CONLL.match(sample.text) else None


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
        example=_CONLL_EXAMPLE,
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
        example=_CONLLU_EXAMPLE,
        kinds=("clusters", "levels"),
        comments=True,
        folders=True,
    ),
)
