"""Spans as Python and JSON hold them: sequences of tags, lists of spans, and records of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, Place, clusterings, spans, table
from plumbline.errors.base import plural
from plumbline.io.columns.names import CASES, END_NAMES, SPAN_LABELS, START_NAMES, plain_name
from plumbline.io.columns.text import encodable
from plumbline.io.documents import Documents
from plumbline.io.memory.clusters import is_list, listed
from plumbline.io.memory.slots import holds_slots, is_relation, is_triple, relation_of, slot_object
from plumbline.io.slots.rows import SlotRows, relations_table
from plumbline.io.spans.checks import check_offsets, check_surfaces
from plumbline.io.spans.rows import DocumentOrigin, Spans
from plumbline.io.spans.tags import tagged_sequences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.io.table import AnyValue, ReadOptions, Table

_LISTS: Final = ("spans", "entities", "labels", "label", "ents")
"""Where a record of a document has its spans."""
_TEXTS: Final = ("text", "data", "content")
_NAMES: Final = ("id", *CASES, "document", "document_id", "doc_id", "doc", "title")
_TRIPLE: Final = 3
_ENDS: Final = ("from_id", "to_id")


@dataclass(frozen=True)
class _Found:
    """One document: its name, its text if it is known, and its spans."""

    name: str
    text: str | None
    spans: list[Any]
    place: Place
    relations: list[Any] | None = None
    """Between its spans, where the record has a list of these."""

    def triple(self, one: AnyValue) -> tuple[str, str, str]:
        """A relation of Prodigy, which repeats its spans, or of doccano, which names them; or a triple."""
        if not isinstance(one, Mapping) or not ("head_span" in one or "from_id" in one):
            if not (is_relation(one) or is_triple(one)):
                raise BadData(spans.bad_document(self.place, f"{str(one)[:40]!r} is not a relation"))
            return relation_of(one, self.place)
        if "head_span" in one:
            return relation_of([one["head_span"], one.get("label"), one.get("child_span")], self.place)
        named = [
            [span for span in self.spans if isinstance(span, Mapping) and span.get("id") == one.get(name)] for name in _ENDS
        ]
        if not all(named):
            raise BadData(
                spans.bad_document(self.place, f"{str(dict(one))[:60]!r} is not a relation of two spans with these ids")
            )
        return relation_of([named[0][0], one.get("type"), named[1][0]], self.place)


def span_object(data: AnyValue, label: str, reader: str, options: ReadOptions) -> Table:
    """A table from sequences of tags, `{document: [(start, end, type)]}`, lists of these, or records of documents."""
    if not is_document(data) and not (is_list(data) and any(map(is_document, listed(data)))) and holds_slots(data):
        return slot_object(data, label, reader, options)
    if isinstance(data, Mapping) and not is_document(data):
        named = {str(name): value for name, value in data.items()}
    elif is_list(data) and not any(map(is_document, listed(data))):
        named = {str(number): value for number, value in enumerate(listed(data), 1)}
    elif is_list(data) or is_document(data):
        records = listed(data) if is_list(data) else [data]
        places = [Place(f"{label}, record {at}") for at in range(1, len(records) + 1)]
        return document_records(records, places, label, reader, options)
    else:
        raise BadUsage(spans.not_spans(label, f"a {type(data).__name__}"))
    odd = next((name for name, value in named.items() if not is_list(value)), None)
    if odd is not None:
        raise BadUsage(spans.not_spans(f"{label}, {odd}", f"a {type(named[odd]).__name__}"))
    lists = {name: listed(value) for name, value in named.items()}
    bad = next((name for name in lists if not encodable(name)), None)
    if bad is not None:
        raise BadData(table.bad_id(Place(label), "case", "holds a lone surrogate, which is not a character"))
    first = next((value[0] for value in lists.values() if value), None)
    if isinstance(first, str):
        return tagged_sequences(lists, label, reader, options)
    documents = [_Found(name, None, value, Place(f"{label}, {name}")) for name, value in lists.items()]
    return _table(documents, label, reader, options)


def document_records(
    records: Sequence[Mapping[str, Any]], places: list[Place], label: str, reader: str, options: ReadOptions
) -> Table:
    """A table from records of documents, as Prodigy, spaCy and doccano write them."""
    documents, seen = [], dict[str, Place]()
    for number, (record, place) in enumerate(zip(records, places, strict=True), 1):
        if not is_document(record):
            raise BadData(spans.bad_document(place, "a record without a text or a list of spans"))
        one = _document(record, place, number)
        if one.name in seen:
            raise BadData(clusterings.same_case(place, one.name, str(seen[one.name])))
        seen[one.name] = place
        documents.append(one)
    return _table(documents, label, reader, options)


def is_document(data: AnyValue) -> bool:
    """Whether an object is one document: it has a list of spans under a usual name."""
    if type(data) is dict and data.keys().isdisjoint(_LISTS):  # most records of fields
        return False
    return isinstance(data, Mapping) and any(name in data and is_list(data[name]) for name in _LISTS) and not _is_span(data)


def _is_span(data: Mapping[str, Any]) -> bool:
    names = set(map(plain_name, map(str, data)))
    return bool(names & set(START_NAMES)) and bool(names & set(END_NAMES))


def _document(record: Mapping[str, Any], place: Place, number: int) -> _Found:
    name = next((record[key] for key in _NAMES if isinstance(record.get(key), (str, int))), None)
    if name is None and isinstance(record.get("meta"), Mapping):
        name = next((record["meta"][key] for key in _NAMES if isinstance(record["meta"].get(key), (str, int))), None)
    text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
    listed_spans = next(listed(record[key]) for key in _LISTS if is_list(record.get(key)))
    for candidate in (str(name), text or ""):
        if not encodable(candidate):
            raise BadData(table.bad_id(place, "case", "holds a lone surrogate, which is not a character"))
    relations = listed(record["relations"]) if is_list(record.get("relations")) else None
    return _Found(str(number if name is None else name), text, listed_spans, place, relations)


def _table(annotated: list[_Found], label: str, reader: str, options: ReadOptions) -> Table:
    """Checked spans of all documents; where a text is known, its offsets lie in it."""
    rows = [(at, *_span(one, document.place)) for at, document in enumerate(annotated) for one in document.spans]
    document = np.array([row[0] for row in rows], dtype=np.int64)
    start, end = (np.array([row[at] for row in rows], dtype=np.int64) for at in (1, 2))
    kind = pl.Series([row[3] for row in rows], dtype=pl.String)
    texts = [one.text for one in annotated]
    lengths = np.array([-1 if text is None else len(text) for text in texts], dtype=np.int64)
    origin = DocumentOrigin(label, lambda at: annotated[at].place, document)
    made = Spans(document, start, end, kind)
    check_offsets(made, origin, lengths, texts)
    check_surfaces(made, [row[4] for row in rows], origin, texts)
    known = bool(len(annotated)) and all(text is not None for text in texts)
    text_of = (lambda at: str(texts[at])) if known else None
    documents = Documents(
        [one.name for one in annotated], lengths if known else None, text_of, place_of=lambda at, _: annotated[at].place
    )
    if options.annotations == "relations" and any(one.relations is not None for one in annotated):
        return _relations(annotated, documents, label, reader, options)
    count = sum(len(one.relations or ()) for one in annotated)
    left = (spans.unread_annotations(label, [plural(count, "relation")], options.annotations),) if count else ()
    return made.table(documents, label, reader, origin, left)


def _relations(annotated: list[_Found], documents: Documents, label: str, reader: str, options: ReadOptions) -> Table:
    """The relations of all documents; their ends are the places of spans."""
    rows = SlotRows()
    for number, one in enumerate(annotated):
        rows.begin(number, 0)
        for relation in one.relations or ():
            rows.add_relation(*one.triple(relation))
    if not all(map(encodable, {*rows.head, *rows.kind, *rows.filler})):
        raise BadData(table.bad_id(Place(label), "relation", "holds a lone surrogate, which is not a character"))
    origin = DocumentOrigin(label, lambda at: annotated[at].place, rows.columns()[0])
    return relations_table(rows, documents, label, reader, origin, options)


def _span(one: AnyValue, place: Place) -> tuple[int, int, str, str | None]:
    """Start, end, type and text, where it is repeated, of a span."""
    if isinstance(one, Mapping):
        names = {plain_name(str(key)): value for key, value in one.items()}
        start, end = (next((names[name] for name in known if name in names), None) for known in (START_NAMES, END_NAMES))
        kind = next((names[name] for name in SPAN_LABELS if name in names), None)
        surface = next((names[name] for name in ("text", "word", "surface") if isinstance(names.get(name), str)), None)
    elif is_list(one) and len(listed(one)) >= _TRIPLE:
        start, end, kind = listed(one)[:_TRIPLE]
        surface = None
    else:
        raise BadData(spans.bad_document(place, f"{str(one)[:40]!r} is not a span"))
    for number in (start, end):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
            raise BadData(spans.bad_document(place, f"a span with {str(number)[:40]!r} for an offset, not start, end and type"))
        if abs(int(number)) >= 2**62:
            raise BadData(spans.bad_offsets(place, f"an offset of {number} is beyond every text"))
    if kind is None or not str(kind).strip():
        raise BadData(spans.no_type(place))
    if not encodable(str(kind)):
        raise BadData(table.bad_id(place, "label", "holds a lone surrogate, which is not a character"))
    return int(start), int(end), str(kind), surface  # type: ignore[arg-type]  # both are whole numbers
