"""PubTator: the title and the abstract of each article, then its spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_TITLE: Final = pattern(r"[^|\t]+\|t\|.*")


def sniff_pubtator(sample: Sample) -> str | None:
    """A title in the first line."""
    return "its first line is a title of PubTator" if _TITLE.fullmatch(sample.first_line) else None


declare(
    Reader(
        "pubtator",
        "spans of articles, with title and abstract, as PubTator writes them",
        "plumbline.io.formats.pubtator.reading:read_pubtator",
        sniff_pubtator,
        sign="layout",
        suffixes=(".pubtator",),
        example="1|t|Ada left.\n1|a|Caf\u00e9 Noir.\n1\t0\t3\tAda\tPER\n1\t10\t14\tCaf\u00e9\tORG\n",
        kinds=("spans",),
        annotated=True,
    ),
)
