"""Slots and relations as Python and JSON hold them: `{document: {field: value}}`, lists of records, and triples."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from plumbline.errors import BadData, Place, clusterings, slots, table
from plumbline.io.columns.names import END_NAMES, HEAD_NAMES, RELATION_NAMES, START_NAMES, TAIL_NAMES, plain_name
from plumbline.io.columns.text import encodable
from plumbline.io.memory.clusters import is_list, listed
from plumbline.io.slots.rows import SlotRows, slots_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.io.table import AnyValue, ReadOptions, Table

_SLOTS: Final = ("slots", "fields", "records", "relations", "triples")
"""Where a record of a document has its fields or relations."""
_NAMES: Final = ("id", "case", "document", "document_id", "doc_id", "doc")
_TEXTS: Final = {"text", "data", "content"}
_TRIPLE: Final = 3
_DEEPEST: Final = 20


def holds_slots(data: AnyValue) -> bool:
    """Whether an object has fields or relations of documents: `{document: {...}}`, or lists of records or triples."""
    values = list(data.values()) if isinstance(data, Mapping) else listed(data) if is_list(data) else []
    first = next((value for value in values if isinstance(value, Mapping) or (is_list(value) and listed(value))), None)
    if isinstance(first, Mapping):
        return not _is_span(first)
    if first is None:
        return bool(values) and all(isinstance(value, Mapping) for value in values)
    inner = listed(first)[0]
    return (isinstance(inner, Mapping) and not _is_span(inner)) or is_triple(inner)


def is_slot_record(data: AnyValue) -> bool:
    """Whether an object is one document with its name and its fields or relations."""
    return isinstance(data, Mapping) and any(key in data and _is_nested(data[key]) for key in _SLOTS)


def _is_nested(value: AnyValue) -> bool:
    return is_list(value) or isinstance(value, Mapping)


def slot_object(data: AnyValue, label: str, reader: str, options: ReadOptions) -> Table:
    """The table of `{document: fields}`, or of a list with the fields of each document."""
    if is_list(data) and all(isinstance(one, Mapping) and not is_relation(one) for one in listed(data)):
        return slot_records(listed(data), lambda at: Place(f"{label}, record {at + 1}"), label, reader, options)
    pairs = data.items() if isinstance(data, Mapping) else enumerate(listed(data), 1)
    named = {str(name): value for name, value in pairs}
    names = list(named)
    return _table(named, lambda at: Place(f"{label}, {names[at]}"), label, reader, options)


def slot_records(
    records: Sequence[AnyValue], place_of: Callable[[int], Place], label: str, reader: str, options: ReadOptions
) -> Table:
    """The table of records of documents, each with a name and its fields."""
    named: dict[str, Any] = {}
    for number, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise BadData(slots.bad_record(place_of(number), f"a {type(record).__name__} in place of a record"))
        key = next((key for key in _NAMES if isinstance(record.get(key), (str, int))), None)
        name = str(number + 1 if key is None else record[key])
        if name in named:
            first = place_of(list(named).index(name))
            raise BadData(clusterings.same_case(place_of(number), name, str(first)))
        inner = next((record[one] for one in _SLOTS if one in record and _is_nested(record[one])), None)
        if inner is None:
            inner = {field: value for field, value in record.items() if field != key}
            if inner and inner.keys() <= _TEXTS:
                raise BadData(slots.bad_record(place_of(number), "a record with a text and neither spans nor fields"))
        named[name] = inner
    return _table(named, place_of, label, reader, options)


def _table(named: dict[str, Any], place_of: Callable[[int], Place], label: str, reader: str, options: ReadOptions) -> Table:
    rows = SlotRows()
    for document, value in enumerate(named.values()):
        _Document(rows, document, place_of).add(value)
    if rows.head and len(rows.head) < len(rows.kind):
        raise BadData(slots.bad_record(Place(label), "relations and fields of records"))
    if not encodable("".join({*named, *rows.kind, *rows.filler, *rows.head})):
        raise BadData(table.bad_id(Place(label), "case", "holds a lone surrogate, which is not a character"))
    return slots_table(rows, list(named), place_of, label, reader, options)


class _Document(NamedTuple):
    """One document whose fields or relations become rows."""

    rows: SlotRows
    number: int
    place_of: Callable[[int], Place]

    def add(self, value: AnyValue) -> None:
        """The fields of one record or of several, or the relations."""
        if value is None:
            return
        self.rows.begin(self.number, 0)
        if is_list(value):
            parts = listed(value)
        elif not isinstance(value, Mapping):
            raise BadData(self._problem(f"a {type(value).__name__} in place of fields"))
        elif is_relation(value):
            parts = [value]
        else:
            self._add_fields("", value, 0)
            return
        for record, one in enumerate(parts):
            if is_relation(one) or is_triple(one):
                self.rows.add_relation(*relation_of(one, self.place_of(self.number)))
            elif type(one) is dict or isinstance(one, Mapping):
                self.rows.begin(self.number, record)
                self._add_fields("", one, 0)
            else:
                raise BadData(self._problem(f"{str(one)[:40]!r} is neither a record nor a triple"))

    def _add_fields(self, prefix: str, value: AnyValue, depth: int) -> None:
        """A row for each value; fields of objects within objects have both names, with a point between them."""
        if depth > _DEEPEST:
            raise BadData(self._problem(f"objects within objects more than {_DEEPEST} times"))
        kind, filler = self.rows.kind, self.rows.filler
        if type(value) is dict or isinstance(value, Mapping):  # of the abstract class it takes long to ask
            for key, inner in value.items():
                name = key if type(key) is str else str(key)
                if not name or name.isspace():
                    raise BadData(self._problem("a field without a name"))
                field = f"{prefix}.{name}" if prefix else name
                if type(inner) is str or type(inner) is int:  # most values are: no call for each
                    kind.append(field)
                    filler.append(str(inner))
                else:
                    self._add_fields(field, inner, depth + 1)
        elif is_list(value):
            for inner in listed(value):
                if type(inner) is str:
                    kind.append(prefix)
                    filler.append(inner)
                else:
                    self._add_fields(prefix, inner, depth + 1)
        elif value is not None:
            self.rows.add_slot(prefix, _text(value, self.place_of(self.number)))

    def _problem(self, reason: str) -> Diagnostic:
        return slots.bad_record(self.place_of(self.number), reason)


def _text(value: AnyValue, place: Place) -> str:
    """A value as text; 3 and 3.0 are one number."""
    if type(value) is str:
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, (str, int)) or type(value).__module__ in {"datetime", "decimal", "numpy"}:
        return str(value)
    raise BadData(slots.bad_record(place, f"a {type(value).__name__} in place of a value"))


def _is_span(data: Mapping[str, Any]) -> bool:
    names = set(map(plain_name, map(str, data)))
    return bool(names & set(START_NAMES)) and bool(names & set(END_NAMES)) and not is_relation(data)


def is_relation(data: AnyValue) -> bool:
    """An object with a head, a relation and a tail."""
    if type(data) is not dict and not isinstance(data, Mapping):
        return False
    return _are_relation_names(tuple(data))


@lru_cache(maxsize=2**12)  # most objects of a file have the same names
def _are_relation_names(keys: tuple[object, ...]) -> bool:
    names = {plain_name(str(key)) for key in keys}
    return not names.isdisjoint(HEAD_NAMES) and not names.isdisjoint(TAIL_NAMES) and not names.isdisjoint(RELATION_NAMES)


def is_triple(value: AnyValue) -> bool:
    """Head, relation and tail; the relation is text, and no end is a number."""
    parts = listed(value) if is_list(value) else []
    return (
        len(parts) == _TRIPLE
        and isinstance(parts[1], str)
        and all(isinstance(end, (str, Mapping)) or is_list(end) for end in (parts[0], parts[2]))
    )


def relation_of(one: AnyValue, place: Place) -> tuple[str, str, str]:
    """Head, relation and tail of a triple, or of an object with such names."""
    if isinstance(one, Mapping):
        names = {plain_name(str(key)): value for key, value in one.items()}
        head, kind, tail = (
            next(names[name] for name in known if name in names) for known in (HEAD_NAMES, RELATION_NAMES, TAIL_NAMES)
        )
    else:
        head, kind, tail = listed(one)
    if not isinstance(kind, str) or not kind.strip():
        raise BadData(slots.bad_record(place, "a relation without a type"))
    return _end(head, place), kind, _end(tail, place)


def _end(end: AnyValue, place: Place) -> str:
    """An end of a relation: its text, or START-END."""
    offsets = []
    if isinstance(end, Mapping):
        names = {plain_name(str(key)): value for key, value in end.items()}
        offsets = [next((names[name] for name in known if name in names), None) for known in (START_NAMES, END_NAMES)]
    elif is_list(end):
        offsets = listed(end)[:2]
    if isinstance(end, str) and end.strip():
        return end
    if len(offsets) == 2 and all(isinstance(offset, int) and offset >= 0 for offset in offsets):  # noqa: PLR2004 - start, end
        return f"{offsets[0]}-{offsets[1]}"
    raise BadData(slots.bad_record(place, f"{str(end)[:40]!r} is not an end of a relation"))
