"""CSV and TSV with a header line."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Final

from plumbline.errors import BadData, Place, table
from plumbline.io.columns.names import EVALL, LEVELS, are_cluster_names, are_label_names, are_ranking_names, are_span_names
from plumbline.io.registry import Reader, declare, writer
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from plumbline.io.registry import Rows
    from plumbline.io.sample import Sample

_NUMBER: Final = pattern(r"(^|[\s,;])[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?([\s,;]|$)")
"""A line that names columns holds no number, so a run tag called `run` makes no header."""


def has_header(sample: Sample) -> bool:
    """Whether the first line names columns of the kind of table that is wanted."""
    if len(sample.names) < 2 or set(sample.names) >= EVALL:  # noqa: PLR2004 - one name alone may be anything
        return False
    if sample.columns.intersection(sample.names):
        return True
    if sample.kind in {"clusters", "levels"} and are_cluster_names(sample.names):
        return True
    if _NUMBER.search(sample.first_line):
        return False
    if sample.kind in {"scores", "spans"}:
        return (are_ranking_names if sample.kind == "scores" else are_span_names)(sample.names)
    return are_label_names(sample.names, LEVELS if sample.kind == "levels" else ())


def sniff_csv(sample: Sample) -> str | None:
    """A header with commas."""
    line = sample.first_line
    if "\t" in line or not has_header(sample):
        return None
    if "," not in line:
        raise BadData(table.semicolons(Place(sample.label, 1, 1, line)))
    return "its first line names columns"


def sniff_tsv(sample: Sample) -> str | None:
    """A header with tabs."""
    return "its first line names columns, with tabs" if "\t" in sample.first_line and has_header(sample) else None


declare(
    Reader(
        "csv",
        "a first line with column names, then rows",
        "plumbline.io.formats.delimited.quick:read_csv",
        sniff_csv,
        sign="header",
        suffixes=(".csv", ".dat"),
        example="case,item,score\nq1,d1,2.5\nq1,caf\u00e9,1.5\nq2,d1,0.5\n",
    ),
    Reader(
        "tsv",
        "the same with tabs",
        "plumbline.io.formats.delimited.quick:read_tsv",
        sniff_tsv,
        sign="header",
        suffixes=(".tsv", ".tab"),
        example="case\titem\tscore\nq1\td1\t2.5\nq1\tcaf\u00e9\t1.5\nq2\td1\t0.5\n",
    ),
)


@writer("csv", suffixes=(".csv",), lists=False)
def write_csv(rows: Rows, file: IO[bytes]) -> None:
    """Write columns separated by commas."""
    rows.frame.write_csv(file, separator=",")


@writer("tsv", suffixes=(".tsv",), lists=False)
def write_tsv(rows: Rows, file: IO[bytes]) -> None:
    """Write columns separated by tabs."""
    rows.frame.write_csv(file, separator="\t")
