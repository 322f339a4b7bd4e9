"""Whether a file has what is scored: spans, their attributes or the relations between them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from plumbline.errors import BadData, spans
from plumbline.io.registry import readers
from plumbline.schema import FILLER, HEAD, START

if TYPE_CHECKING:
    from plumbline.io.table import Table


def check_annotations(table: Table, wanted: str) -> Table:
    """The table, if it has what is scored; the types of spans pass for attributes, and a notice says so."""
    columns = table.frame.columns
    if not {START, FILLER, HEAD} & set(columns) and table.rows:
        raise BadData(spans.not_spans(table.label, f"what {table.reader} reads"))
    kind = "relations" if HEAD in columns else "fields" if FILLER in columns else "spans"
    if wanted in {"spans", kind} or not table.rows:
        return table
    if wanted == "relations" or kind != "spans":
        raise BadData(spans.no_annotations(table.label, kind, wanted))
    reader = readers().get(table.reader)
    if reader is not None and reader.annotated:
        return table
    return replace(table, notices=(*table.notices, spans.types_as_attributes(table.label)))
