"""EvALL files: the columns test_case, id and value, as text or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.io.columns.names import EVALL
from plumbline.io.registry import reader, readers

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.sample import Sample
    from plumbline.io.table import ReadOptions, Table


def sniff(sample: Sample) -> str | None:
    """The three names in the first line."""
    return "its columns are test_case, id, value" if set(sample.names) >= EVALL else None


@reader("evall", sniff=sniff, sign="header", suffixes=())
def read_evall(content: Content, options: ReadOptions) -> Table:
    """Columns `test_case`, `id`, `value`; in an output the value is a rank."""
    name = "json" if content.head(1) == b"[" else "tsv" if b"\t" in content.head().split(b"\n", 1)[0] else "csv"
    return readers()[name](content, options)
