"""From a frame with columns for the document, the start, the end and the type to a table of spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.errors import BadData, spans, table
from plumbline.errors.base import nearest
from plumbline.io.columns.names import END_NAMES, SPAN_CASES, SPAN_LABELS, START_NAMES
from plumbline.io.columns.text import id_text, single_texts, single_values
from plumbline.io.spans.checks import check_offsets
from plumbline.io.spans.rows import Spans
from plumbline.io.table import Table
from plumbline.schema import CASE, END, ONLY_CASE, START, VALUE

if TYPE_CHECKING:
    from plumbline.io.table import Origin


def are_spans(names: dict[str, str]) -> bool:
    """Whether a table has a start, an end and a type."""
    return all(names.keys() & set(known) for known in (START_NAMES, END_NAMES, SPAN_LABELS))


def span_table(frame: pl.DataFrame, names: dict[str, str], label: str, reader: str, origin: Origin) -> Table:
    """The columns of spans; without a column of documents all are of one."""
    case = next((names[name] for name in SPAN_CASES if name in names), None)
    start, end = _offsets(frame, names, START_NAMES, "start", origin), _offsets(frame, names, END_NAMES, "end", origin)
    kind = single_texts(frame[_find(names, SPAN_LABELS, "label", origin)], "labels")
    empty = kind.is_null() | (kind.str.strip_chars() == "")
    if empty.any():
        raise BadData(spans.no_type(origin.places([int(empty.arg_max() or 0)], "label")[0]))
    cases = (
        pl.Series(CASE, [ONLY_CASE], dtype=pl.String).new_from_index(0, len(frame))
        if case is None
        else id_text(frame[case], "case", origin)
    )
    read = Spans(np.zeros(len(frame), dtype=np.int64), start.to_numpy(), end.to_numpy(), kind)
    check_offsets(read, origin)
    columns = [cases.cast(pl.Categorical).alias(CASE), start.alias(START), end.alias(END), kind.alias(VALUE)]
    return Table(pl.DataFrame(columns), label, reader, origin)


def _offsets(frame: pl.DataFrame, names: dict[str, str], wanted: tuple[str, ...], what: str, origin: Origin) -> pl.Series:
    values = single_values(frame[_find(names, wanted, what, origin)], f"the {what}")
    numbers = values.cast(pl.Int64, strict=False)
    wrong = numbers.is_null() | (numbers.cast(pl.Float64) != values.cast(pl.Float64, strict=False)).fill_null(value=True)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise BadData(spans.bad_offsets(origin.places([row], what)[0], f"the {what} {values[row]!r} is not a whole number"))
    return numbers


def _find(names: dict[str, str], wanted: tuple[str, ...], what: str, origin: Origin) -> str:
    column = next((names[name] for name in wanted if name in names), None)
    if column is None:
        near = nearest(wanted[0], list(names), n=1, cutoff=0.5)
        place = origin.places([-1], what)[0]
        raise BadData(table.missing_column(place, what, list(wanted), list(names.values()), near[0] if near else None))
    return column
