"""From a frame with columns for the document, the field and its value, or for relations, to a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, slots, spans
from plumbline.io.columns.names import (
    FIELD_NAMES,
    FILLER_NAMES,
    HEAD_NAMES,
    RECORD_NAMES,
    RELATION_NAMES,
    SPAN_CASES,
    TAIL_NAMES,
    plain_name,
)
from plumbline.io.columns.text import id_text
from plumbline.io.slots.rows import relation_frame, slot_frame
from plumbline.io.table import Table
from plumbline.schema import CASE, ONLY_CASE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.io.table import Origin, ReadOptions


def are_fields(names: dict[str, str]) -> bool:
    """Whether a table has fields and their values."""
    return bool(names.keys() & set(FIELD_NAMES)) and bool(names.keys() & set(FILLER_NAMES))


def has_records(columns: Iterable[str]) -> bool:
    """Whether fields belong to one of several records of a document."""
    names = {plain_name(column) for column in columns}
    return are_fields(dict.fromkeys(names, "")) and bool(names & set(RECORD_NAMES))


def are_relations(names: dict[str, str]) -> bool:
    """Whether a table has both ends of relations."""
    return bool(names.keys() & set(HEAD_NAMES)) and bool(names.keys() & set(TAIL_NAMES))


def slot_table(
    frame: pl.DataFrame, names: dict[str, str], label: str, reader: str, options: ReadOptions, origin: Origin
) -> Table:
    """The fields or relations of a frame; without a column of documents all are of one."""
    case_column = next((names[name] for name in SPAN_CASES if name in names), None)
    cases = (
        pl.Series(CASE, [ONLY_CASE], dtype=pl.String).new_from_index(0, len(frame))
        if case_column is None
        else id_text(frame[case_column], "case", origin)
    )
    if are_fields(names):
        field = _text(frame, names, FIELD_NAMES, origin)
        filler = _text(frame, names, FILLER_NAMES, origin)
        made = slot_frame(cases, _records(frame, names, cases, origin), field, filler, options)
    else:
        head, tail = (_text(frame, names, known, origin) for known in (HEAD_NAMES, TAIL_NAMES))
        made = relation_frame(cases, head, _text(frame, names, RELATION_NAMES, origin), tail, options)
    return Table(made, label, reader, origin)


def _text(frame: pl.DataFrame, names: dict[str, str], known: tuple[str, ...], origin: Origin) -> pl.Series:
    column = next((names[name] for name in known if name in names), None)
    if column is None:
        raise BadData(slots.bad_record(origin.places([-1], known[0])[0], f"there is no column {known[0]}"))
    values = frame[column].cast(pl.String)
    empty = values.is_null() | (values.str.strip_chars() == "")
    if empty.any():
        place = origin.places([int(empty.arg_max() or 0)], column)[0]
        raise BadData(
            spans.no_type(place) if known is RELATION_NAMES else slots.bad_record(place, f"the column {column} is empty")
        )
    return values


def _records(frame: pl.DataFrame, names: dict[str, str], cases: pl.Series, origin: Origin) -> pl.Series:
    """The number of the record within its document, in the order in which they occur."""
    column = next((names[name] for name in RECORD_NAMES if name in names), None)
    if column is None:
        return pl.Series([0], dtype=pl.Int64).new_from_index(0, len(frame))
    rows = pl.DataFrame([cases.alias("case"), id_text(frame[column], "record", origin).alias("record")]).with_row_index("row")
    first = rows.with_columns(pl.col("row").min().over("case", "record"))
    return first.select(pl.col("row").rank("dense").over("case").cast(pl.Int64) - 1).to_series()
