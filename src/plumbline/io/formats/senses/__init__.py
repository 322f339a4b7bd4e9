"""Keys of word senses: `word instance sense/weight sense/weight`, as Senseval and SemEval have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_WEIGHTED: Final = pattern(r"\S+/[0-9.]+([eE][-+]?[0-9]+)?")
LEAST: Final = 3
"""The fewest columns of a line."""
COMMENT: Final = "!!"
"""What follows is a remark."""


def sniff(sample: Sample) -> str | None:
    """Instances are called after their word, and all senses have weights: other labels may be paths."""
    fields = sample.first_line.partition(COMMENT)[0].split()
    if len(fields) < LEAST or not fields[1].startswith(f"{fields[0]}."):
        return None
    return "its lines are keys of word senses with weights" if all(map(_WEIGHTED.fullmatch, fields[2:])) else None


declare(
    Reader(
        "key",
        "keys of word senses: `word instance sense/weight sense/weight`, between spaces",
        "plumbline.io.formats.senses.reading:read_key",
        sniff,
        sign="layout",
        suffixes=(".key",),
        example="café.n café.n.1 s1/0.7 s2/0.3\ncafé.n café.n.2 s1/1\n",
        kinds=("clusters",),
        comments=True,
    )
)
