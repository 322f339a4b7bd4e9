"""EvALL files: the columns test_case, id and value, as text or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.io.columns.names import EVALL
from plumbline.io.registry import reader, readers

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.sample import Sample
    from plumbline.io.table import ReadOptions, Table


_EXAMPLE: Final = "test_case\tid\tvalue\nq1\td1\t1\nq1\tcaf\u00e9\t2\nq2\td1\t1\n"


def sniff(sample: Sample) -> str | None:
    """The three names in the first line."""
    return "its columns are test_case, id, value" if set(sample.names) >= EVALL else None


@reader("evall", sniff=sniff, sign="header", suffixes=(), example=_EXAMPLE)
def read_evall(content: Content, options: ReadOptions) -> Table:
    """Columns `test_case`, `id`, `value`; in an output the value is a rank."""
    return readers()["json" if content.head(1) == b"[" else "csv"](content, options)  # the first line tells what separates
