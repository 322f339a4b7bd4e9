"""Scores in JSON: records, columns, or `{metric: {system: {case: value}}}`; here NaN is a missing value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from plumbline.errors import BadData, Place, comparisons, files
from plumbline.io.bytes.lines import numbered
from plumbline.io.formats.json_file.reading import RecordOrigin, element_lines, parsed_json
from plumbline.io.scores.values import column_of

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import AnyValue


def json_scores(content: Content, kind: str) -> tuple[pl.DataFrame | dict[str, Any], RecordOrigin]:
    """A frame from records or columns, or else the nested object."""
    if kind == "jsonl":
        lines = [(number, line) for number, line in numbered(content) if line.strip()]
        records = [parsed_json(content.label, line, number, constants=True) for number, line in lines]
        origin = RecordOrigin(content.label, tuple(number for number, _ in lines))
        return _of_records(records, origin), origin
    data = bytes(content.data)
    value = parsed_json(content.label, data, 1, constants=True)
    if isinstance(value, dict) and not _is_record(value):
        columns = bool(value) and all(isinstance(values, list) for values in value.values())
        return (frame_of_columns(value, content.label) if columns else value), RecordOrigin(content.label)
    if isinstance(value, dict):
        origin = RecordOrigin(content.label, (1,))
        return _of_records([value], origin), origin
    if not isinstance(value, list):
        raise BadData(comparisons.unknown_form(Place(content.label), f"found a single {type(value).__name__}"))
    if not value:
        raise BadData(files.no_data(content.label))
    origin = RecordOrigin(content.label, tuple(element_lines(data.decode())))
    return _of_records(value, origin), origin


def _is_record(record: dict[str, Any]) -> bool:
    """Whether an object is the only line of a JSON Lines file."""
    return bool(record) and not any(isinstance(value, (dict, list)) for value in record.values())


def _of_records(records: list[Any], origin: RecordOrigin) -> pl.DataFrame:
    wrong = next((row for row, record in enumerate(records) if not isinstance(record, dict)), None)
    if wrong is not None:
        reason = f"found a {type(records[wrong]).__name__} where a record is expected"
        raise BadData(comparisons.unknown_form(origin.places([wrong], "record")[0], reason))
    names = dict.fromkeys(name for record in records for name in record)
    return pl.DataFrame({name: column_of([record.get(name) for record in records]) for name in names})


def frame_of_columns(columns: dict[str, Any], label: str) -> pl.DataFrame:
    """A frame from lists of values, all of one length."""
    series = {
        str(name): values if isinstance(values, pl.Series) else column_of(_listed(values)) for name, values in columns.items()
    }
    lengths = {name: len(values) for name, values in series.items()}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{name} has {length}" for name, length in list(lengths.items())[:5])
        raise BadData(comparisons.unknown_form(Place(label), f"lists of different lengths: {counts}"))
    return pl.DataFrame(series)


def _listed(values: AnyValue) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)
