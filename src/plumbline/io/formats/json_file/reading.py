"""JSON and JSON Lines: an object of objects, or records with named fields."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

import polars as pl

from plumbline.errors import BadData, Place, files, spans, table
from plumbline.errors.organizations import EXAMPLE as LEVELS_EXAMPLE
from plumbline.io.bytes.lines import numbered
from plumbline.io.columns.names import CASES, ITEMS, are_organization_names, are_span_names, columns_by_name, plain_name
from plumbline.io.columns.tables import to_table
from plumbline.io.columns.text import encodable
from plumbline.io.memory.clusters import cluster_lists
from plumbline.io.memory.nested import nested_table, several_labels
from plumbline.io.memory.organizations import has_levels, level_records, organization_object
from plumbline.io.memory.slots import slot_records
from plumbline.io.memory.spans import document_records, is_document, span_object
from plumbline.io.uncollected import uncollected

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import AnyValue, ReadOptions, Table

_GAP: Final = re.compile(r"[\s,:]*")
EXAMPLE: Final = '{"q1": {"d1": 2.5, "d2": 1.0}} or [{"case": "q1", "item": "d1", "score": 2.5}]'


@dataclass(frozen=True)
class RecordOrigin:
    """Records of a JSON Lines file have lines, those of a JSON list have numbers."""

    label: str
    lines: tuple[int, ...] = ()

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The line of each record, or its number in the list."""
        if self.lines:
            return [Place(self.label, self.lines[row] if row >= 0 else None) for row in rows]
        return [Place(f"{self.label}, record {row + 1}" if row >= 0 else self.label) for row in rows]


def _no_constant(token: str) -> NoReturn:
    message = f"{token} is not a JSON number"
    raise ValueError(message)


def _no_repeat(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON libraries keep the last of two equal keys without a word; here they are an error."""
    made = dict(pairs)
    if len(made) < len(pairs):
        again, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        message = f"the key {again!r} occurs twice in one object"
        raise ValueError(message)
    return made


@uncollected
def read_json(content: Content, options: ReadOptions) -> Table:
    """An object of objects, or a list of records."""
    data = parsed_json(content.label, bytes(content.data), 1)
    if options.kind == "levels":
        return _organization(data, content, options)
    if options.kind == "spans":
        return _spans(data, content, options)
    is_record = isinstance(data, dict) and _is_record(data, options)
    if options.kind == "clusters" and not is_record and (lists := cluster_lists(data, content.label, "json")) is not None:
        return lists
    if isinstance(data, dict):
        if all(isinstance(inner, dict) for inner in data.values()) or (options.of_labels and not is_record):
            return nested_table(data, content.label, "json", options)
        if is_record:
            return _records([data], content.label, "jsonl", options, RecordOrigin(content.label, (1,)))
        kind = next(type(inner).__name__ for inner in data.values() if not isinstance(inner, dict))
        raise BadData(table.json_shape(Place(content.label), f"an object with a {kind} inside", EXAMPLE))
    if isinstance(data, list) and data and all(isinstance(record, dict) for record in data):
        return _records(data, content.label, "json", options, RecordOrigin(content.label))
    raise BadData(table.json_shape(Place(content.label), _shape(data), EXAMPLE))


def _organization(data: AnyValue, content: Content, options: ReadOptions) -> Table:
    """A list of records, one record, or anything nested that holds levels or clusters."""
    label = content.label
    if isinstance(data, dict) and are_organization_names(data) and not any(isinstance(one, dict) for one in data.values()):
        return _records([data], label, "jsonl", options, RecordOrigin(label, (1,)))
    if isinstance(data, list) and data and all(isinstance(one, dict) for one in data) and not any(map(has_levels, data)):
        return _records(data, label, "json", options, RecordOrigin(label))
    if not isinstance(data, (dict, list)):
        raise BadData(table.json_shape(Place(label), _shape(data), LEVELS_EXAMPLE))
    return organization_object(data, label, "json", options, element_lines(bytes(content.data).decode()))


def _spans(data: AnyValue, content: Content, options: ReadOptions) -> Table:
    """Records of documents or of single spans, or anything nested that holds spans or tags."""
    label = content.label
    if isinstance(data, list) and data and all(isinstance(one, dict) for one in data):
        if any(map(is_document, data)):
            lines = element_lines(bytes(content.data).decode())
            return document_records(data, [Place(label, line) for line in lines], label, "json", options)
        if not are_span_names(map(plain_name, data[0])):
            lines = element_lines(bytes(content.data).decode())
            return slot_records(data, lambda at: Place(label, lines[at]), label, "json", options)
        return _records(data, label, "json", options, RecordOrigin(label))
    if not isinstance(data, (dict, list)):
        raise BadData(spans.bad_document(Place(label), f"{_shape(data)}, not documents"))
    if isinstance(data, dict) and is_document(data):
        return document_records([data], [Place(label, 1)], label, "json", options)
    return span_object(data, label, "json", options)


def _is_record(data: dict[str, Any], options: ReadOptions) -> bool:
    """Whether an object is one record, the only line of a JSON Lines file."""
    names, _ = columns_by_name(data, options.column_of)
    return bool(names.keys() & set(CASES)) and bool(names.keys() & set(ITEMS))


@uncollected
def read_jsonl(content: Content, options: ReadOptions) -> Table:
    """One record a line."""
    records, origin = jsonl_records(content, _no_repeat if options.kind == "levels" else None)
    if options.kind == "spans" and any(map(is_document, records)):
        return document_records(records, origin.places(list(range(len(records))), "case"), content.label, "jsonl", options)
    if options.kind == "spans" and not are_span_names(map(plain_name, records[0])):
        return slot_records(records, lambda at: Place(content.label, origin.lines[at]), content.label, "jsonl", options)
    if options.kind == "levels" and any(map(has_levels, records)):
        return level_records(records, origin.places(list(range(len(records))), "case"), content.label, "jsonl")
    return _records(records, content.label, "jsonl", options, origin)


def jsonl_records(
    content: Content, hook: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None
) -> tuple[list[dict[str, Any]], RecordOrigin]:
    """The records, and their lines; a hook makes each object."""
    lines = [(number, line) for number, line in numbered(content) if line.strip()]
    if not lines:
        raise BadData(files.no_data(content.label))
    try:
        joined = b"[" + b",".join(line for _, line in lines) + b"]"
        records = json.loads(joined, parse_constant=_no_constant, object_pairs_hook=hook)
    except (ValueError, RecursionError):
        records = [parsed_json(content.label, line, number) for number, line in lines]
    wrong = next((index for index, record in enumerate(records) if not isinstance(record, dict)), None)
    if wrong is not None or len(records) != len(lines):
        place = Place(content.label, lines[wrong or 0][0])
        raise BadData(table.json_shape(place, "a line that is not one object", '{"case": "q1", "item": "d1", "score": 2.5}'))
    return records, RecordOrigin(content.label, tuple(number for number, _ in lines))


def parsed_json(label: str, data: bytes, first_line: int, *, constants: bool = False) -> AnyValue:
    """The JSON of some bytes; no object has a key twice, and NaN and Infinity are errors unless constants are allowed."""
    try:
        return json.loads(data.decode(), parse_constant=float if constants else _no_constant, object_pairs_hook=_no_repeat)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + first_line
        raise BadData(files.not_utf8(Place(label, line))) from None
    except json.JSONDecodeError as error:
        place = Place(label, error.lineno + first_line - 1, error.colno)
        raise BadData(table.bad_json(place, error.msg)) from None
    except (ValueError, RecursionError) as error:
        reason = "a number has too many digits" if "digits" in str(error) else str(error)
        raise BadData(table.bad_json(Place(label, first_line), reason)) from None


def _shape(data: object) -> str:
    if isinstance(data, list):
        return "an empty list" if not data else f"a list of {type(data[0]).__name__}s"
    return f"a single {type(data).__name__}"


def _records(records: list[dict[str, Any]], label: str, reader: str, options: ReadOptions, origin: RecordOrigin) -> Table:
    names = dict.fromkeys(name for record in records for name in record) if options.kind == "levels" else records[0]
    columns = {name: [record.get(name) for record in records] for name in names}
    odd = next((name for name in columns if not encodable(name)), None)
    if odd is not None:
        raise BadData(
            table.bad_json(origin.places([0], odd)[0], f"the key {odd!r} holds a lone surrogate, which is not a character")
        )
    return to_table(
        pl.DataFrame({name: _column(values, name, origin) for name, values in columns.items()}),
        label,
        reader,
        options,
        origin,
    )


def _column(values: list[Any], name: str, origin: RecordOrigin) -> pl.Series:
    """A column of one type: all numbers or all text; anything mixed is text, so that "1" and 1 are one id."""
    kinds = set(map(type, values))
    if kinds and kinds <= {list, type(None)}:
        return several_labels(values, origin)
    if kinds <= {int, float}:
        return pl.Series(values, dtype=pl.Float64 if float in kinds else pl.Int64, strict=False)
    odd = kinds - {str, int, float, bool, type(None)}
    if odd:
        row = next(index for index, value in enumerate(values) if type(value) in odd)
        raise BadData(
            table.json_shape(origin.places([row], name)[0], f"a {type(values[row]).__name__} in field {name!r}", EXAMPLE)
        )
    text = [None if value is None else str(value).lower() if isinstance(value, bool) else str(value) for value in values]
    try:
        return pl.Series(text, dtype=pl.String)
    except UnicodeEncodeError:
        row = next(index for index, value in enumerate(text) if value is not None and not encodable(value))
        raise BadData(
            table.bad_id(origin.places([row], name)[0], name, "holds a lone surrogate, which is not a character")
        ) from None


def element_lines(text: str) -> list[int]:
    """The lines on which the elements of the outermost list or object start, or their keys; the text is valid JSON."""
    position = _end_of_gap(text, 0)
    keyed = text[position] == "{"
    scan = json.JSONDecoder().raw_decode
    lines, line, counted = [], 1, 0
    position = _end_of_gap(text, position + 1)
    while text[position] not in "]}":
        line += text.count("\n", counted, position)
        counted = position
        lines.append(line)
        for _ in range(2 if keyed else 1):
            _, position = scan(text, _end_of_gap(text, position))
        position = _end_of_gap(text, position)
    return lines


def _end_of_gap(text: str, position: int) -> int:
    """Where the next value starts: after white space, commas and colons."""
    gap = _GAP.match(text, position)
    return position if gap is None else gap.end()
