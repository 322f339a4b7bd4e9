"""TREC runs and judgements: columns between white space, comments at the line start, any line end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, files
from plumbline.io.formats.plain import LAYOUTS, columns_of
from plumbline.io.registry import Reader, Writer, declare

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_WIDTHS: Final = frozenset({4, 5, 6})
"""How many columns judgements and runs have."""
_FEWEST: Final = 3
"""A line with fewer columns is not one of this format, not even a wrong one."""
_MAY_BE_CUT: Final = 2
"""With more lines than these, the last one may have been cut with the part of the file that is looked at."""


def sniff(sample: Sample) -> str | None:
    """Any text with columns between white space, unless all lines have the few columns of labels."""
    columns = len(sample.first_line.split())
    if sample.kind == "scores" and columns not in _WIDTHS and (width := _width(sample.lines)) in LAYOUTS:
        raise BadData(files.labels_without_task(sample.label, width))
    if columns >= _FEWEST:
        return "its lines have columns separated by white space"
    return None


def _width(lines: list[str]) -> int:
    """The number of columns of all lines; 0 if it differs, or if there are too few lines."""
    complete = lines if len(lines) <= _MAY_BE_CUT else lines[:-1]
    widths = {len(columns_of(line)) for line in complete}
    return widths.pop() if len(widths) == 1 and len(complete) > 1 else 0


declare(
    Reader(
        "trec",
        "columns separated by spaces or tabs: `case 0 item grade` for judgements, `case Q0 item rank score tag` for runs",
        "plumbline.io.formats.trec.reading:read_trec",
        sniff,
        sign="fallback",
        suffixes=(".txt", ".run", ".runs", ".res", ".results", ".out", ".trec", ".top", ".qrels", ".prels"),
        example="q1 Q0 d1 1 2.5 bm25\nq1 Q0 caf\u00e9 2 1.5 bm25\nq2 Q0 d1 1 0.5 bm25\n",
        role_of="plumbline.io.formats.trec.reading:role_of",
        comments=True,
    ),
    Writer(
        "trec",
        "plumbline.io.formats.trec.writing:write_trec",
        suffixes=(".txt", ".run", ".qrels"),
        kinds=("scores",),
        suffix_roles={".qrels": "gold", ".run": "output"},
    ),
)
