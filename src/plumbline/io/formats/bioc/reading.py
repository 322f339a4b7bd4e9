"""BioC, in XML or JSON: documents have passages, these a text or sentences; annotations may be at each of them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, clusterings, spans, table
from plumbline.errors.base import plural
from plumbline.io.bytes.lines import checked_text
from plumbline.io.columns.text import encodable
from plumbline.io.documents import Documents
from plumbline.io.formats.bioc.elements import LINE, documents_of_xml
from plumbline.io.formats.json_file.reading import jsonl_records, parsed_json
from plumbline.io.slots.rows import SlotRows, relations_table
from plumbline.io.spans.rows import DocumentOrigin, Spans
from plumbline.io.spans.units import Settled, settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.io.bytes.content import Content
    from plumbline.io.spans.units import Unit
    from plumbline.io.table import AnyValue, ReadOptions, Table

_OBJECTS_ONLINES: Final = re.compile(rb"\s*\{.*\}[ \t]*[\r\n]+\{")
_MOST_DIGITS: Final = 18
_TWO: Final = 2
_Object = dict[str, Any]
_Relation = tuple[int, int | str, str, int | str]
"""A document, a head, a type and a tail; an end is the row of a span, or a name."""


def read_bioc(content: Content, options: ReadOptions) -> Table:
    """The spans of all documents; passages stand at their offsets in the text.

    Attributes are all facts of an annotation other than its type. The ends of relations are places of annotations, or names.
    """
    data = bytes(checked_text(content).data)
    reading = _Reading(content.label)
    for document in documents_of_xml(content.label, data) if data.lstrip().startswith(b"<") else _of_json(content, data):
        reading.add(document)
    in_text = reading.settled()
    known = Documents(list(reading.names), place_of=lambda at, _: reading.documents[at])
    if None not in in_text.texts:
        lengths = np.array([len(text or "") for text in in_text.texts], dtype=np.int64)
        known = replace(known, lengths=lengths, text_of=lambda at: in_text.texts[at] or "")
    related = reading.related(in_text.spans)
    left = [plural(reading.unplaced, "annotation") + " without a place"] if reading.unplaced else []
    left += [plural(reading.unread, "relation") + " of other than two ends"] if reading.unread else []
    unscored = 0 if options.annotations == "relations" else len(related.kind)
    left += [plural(unscored, "relation")] if unscored else []
    notices = in_text.notices(content.label)
    notices += [spans.in_pieces(content.label, reading.pieces)] if reading.pieces else []
    notices += [spans.unread_annotations(content.label, left, options.annotations)] if left else []
    if options.annotations == "relations":
        by_row = DocumentOrigin(content.label, lambda at: reading.documents[at], related.columns()[0])
        table_of_relations = relations_table(related, known, content.label, "bioc", by_row, options)
        return replace(table_of_relations, notices=tuple(notices))
    if options.annotations == "attributes":
        made, origin = reading.attributes(in_text.spans)
    else:
        made, origin = in_text.spans, _Origin(content.label, reading.places)
    return made.table(known, content.label, "bioc", origin, tuple(notices))


@dataclass
class _Origin:
    """Rows that know their place."""

    label: str
    rows: list[Place]

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The place of each row."""
        return [self.rows[row] if row >= 0 else Place(self.label) for row in rows]


@dataclass
class _Reading:
    """What was found so far; offsets as the file has them."""

    label: str
    names: dict[str, int] = field(default_factory=dict)
    documents: list[Place] = field(default_factory=list)
    texts: list[list[tuple[int, str]]] = field(default_factory=list)
    """Of each document the texts of its passages and sentences, with their offsets."""
    rows: list[tuple[int, int, int, str]] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    surfaces: list[str | None] = field(default_factory=list)
    facts: list[tuple[int, str]] = field(default_factory=list)
    """Of each attribute the row of its span, and what it says."""
    relations: list[_Relation] = field(default_factory=list)
    pieces: int = 0
    unplaced: int = 0
    unread: int = 0

    def settled(self) -> Settled:
        """The spans and the texts, in characters."""
        document, start, end = (np.array([row[at] for row in self.rows], dtype=np.int64) for at in range(3))
        made = Spans(document, start, end, pl.Series([row[3] for row in self.rows], dtype=pl.String))
        return settled(made, self.surfaces, _Origin(self.label, self.places), self.texts_in)

    def texts_in(self, unit: Unit) -> list[str | None]:
        """The text of each document, if offsets count this."""
        return [_joined_text(pieces, unit, place) for pieces, place in zip(self.texts, self.documents, strict=True)]

    def attributes(self, of: Spans) -> tuple[Spans, _Origin]:
        """The attributes of these spans as spans, and where they are."""
        rows = np.array([row for row, _ in self.facts], dtype=np.int64)
        kind = pl.Series([value for _, value in self.facts], dtype=pl.String)
        return Spans(of.document[rows], of.start[rows], of.end[rows], kind), _Origin(
            self.label, [self.places[row] for row in rows]
        )

    def related(self, of: Spans) -> SlotRows:
        """The relations, whose ends are the places of spans, or names."""
        made = SlotRows()
        for document, head, kind, tail in self.relations:
            made.begin(document, 0)
            first, second = (one if isinstance(one, str) else f"{of.start[one]}-{of.end[one]}" for one in (head, tail))
            made.add_relation(first, kind, second)
        return made

    def add(self, document: _Object) -> None:
        """A document: its text, then its annotations, then its relations, which are between them."""
        name = _text(document.get("id"), Place(self.label, document.get(LINE))).strip()
        place = self._place(document, Place(f"{self.label}, document {name}"))
        if not name:
            raise BadData(spans.bad_bioc(place, "a document without an id"))
        if name in self.names:
            raise BadData(clusterings.same_case(place, name, str(self.documents[self.names[name]])))
        self.names[name] = len(self.names)
        self.documents.append(place)
        passages = _objects(document, "passages", place)
        sentences = [one for passage in passages for one in _objects(passage, "sentences", place)]
        with_text = [part for part in [*passages, *sentences] if part.get("text")]
        pieces = [(_number(part.get("offset"), place), _text(part["text"], place)) for part in with_text]
        self.texts.append(sorted(pieces, key=lambda piece: (piece[0], -len(piece[1]))))
        levels = [document, *passages, *sentences]
        row_of: dict[str, int] = {}
        for annotation in [one for level in levels for one in _objects(level, "annotations", place)]:
            self._annotation(annotation, self._place(annotation, place), row_of)
        for relation in [one for level in levels for one in _objects(level, "relations", place)]:
            self._relation(relation, self._place(relation, place), row_of)

    def _place(self, thing: _Object, otherwise: Place) -> Place:
        return Place(self.label, thing[LINE]) if LINE in thing else otherwise

    def _annotation(self, annotation: _Object, place: Place, row_of: dict[str, int]) -> None:
        facts, where = _facts(annotation, place), _objects(annotation, "locations", place)
        if not where:
            self.unplaced += 1
            return
        starts = [_number(one.get("offset"), place) for one in where]
        ends = [start + _number(one.get("length"), place) for start, one in zip(starts, where, strict=True)]
        self.pieces += len(where) > 1
        if not facts.get("type", "").strip():
            raise BadData(spans.no_type(place))
        row = row_of[_text(annotation.get("id"), place)] = len(self.rows)
        self.rows.append((len(self.names) - 1, min(starts), max(ends), facts.pop("type")))
        self.places.append(place)
        self.surfaces.append(_text(annotation["text"], place) if annotation.get("text") and len(where) == 1 else None)
        self.facts += [(row, f"{name}={value}") for name, value in facts.items()]

    def _relation(self, relation: _Object, place: Place, row_of: dict[str, int]) -> None:
        facts = _facts(relation, place)
        kind = facts.pop("type", "") or facts.pop("relation", "")
        nodes = [_text(node.get("refid"), place) for node in _objects(relation, "nodes", place)]
        ends: list[int | str] = [row_of[node] for node in nodes if node in row_of]
        ends = ends or [facts[name] for name in ("entity1", "entity2") if name in facts] or list(facts.values())
        if len(ends) != _TWO or len(nodes) not in {0, _TWO}:
            self.unread += 1
        elif not kind.strip():
            raise BadData(spans.bad_bioc(place, "a relation without a type"))
        else:
            self.relations.append((len(self.names) - 1, ends[0], kind, ends[1]))


def _facts(thing: _Object, place: Place) -> dict[str, str]:
    """What is said about an annotation or a relation, as text."""
    facts = thing.get("infons") or {}
    if not isinstance(facts, dict):
        raise BadData(spans.bad_bioc(place, "infons that are not an object"))
    given = {name: value if isinstance(value, str) else json.dumps(value) for name, value in facts.items() if value is not None}
    return {_text(name, place): _text(value, place) for name, value in given.items()}


def _objects(thing: _Object, name: str, place: Place) -> list[_Object]:
    listed = thing.get(name) or []
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise BadData(spans.bad_bioc(place, f"{name} that are not a list of objects"))
    return listed


def _text(value: AnyValue, place: Place) -> str:
    text = "" if value is None else str(value)
    if not encodable(text):
        raise BadData(table.bad_id(place, "text", "holds a lone surrogate, which is not a character"))
    return text


def _number(value: AnyValue, place: Place) -> int:
    text = str(value).strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise BadData(spans.bad_bioc(place, f"{text[:40]!r} in place of an offset or a length"))
    return int(text)


def _of_json(content: Content, data: bytes) -> list[_Object]:
    """The documents of a collection, of a list of these, or on lines; other names than `documents` occur."""
    parsed = jsonl_records(content)[0] if _OBJECTS_ONLINES.match(data) else parsed_json(content.label, data, 1)
    documents, waiting = list[_Object](), [parsed]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict) and "passages" in one:
            documents.append(one)
        elif isinstance(one, (dict, list)):
            inner = one if isinstance(one, list) else [value for value in one.values() if isinstance(value, list)]
            waiting += reversed(inner)
        else:
            raise BadData(spans.bad_bioc(Place(content.label), f"a {type(one).__name__} in place of a document"))
    if not documents:
        raise BadData(spans.bad_bioc(Place(content.label), "no document with passages"))
    return documents


def _joined_text(pieces: Sequence[tuple[int, str]], unit: Unit, place: Place) -> str | None:
    """The text of a document from those of its passages and sentences, which have offsets; None where none is given."""
    encoded = [(offset * unit.size, text.encode(unit.encoding)) for offset, text in pieces]
    joined, most = bytearray(), sum(len(data) for _, data in encoded) + unit.size * 2**20
    for start, data in encoded:
        if start < len(joined):
            if data in joined[start : start + len(data)]:
                continue  # a sentence of a passage that has its text, too
            end = len(joined) // unit.size
            reason = f"the passage at {start // unit.size} begins before the end of another one, at {end}"
            raise BadData(spans.bad_bioc(place, reason))
        if start - len(joined) > most:
            raise BadData(spans.bad_bioc(place, f"a passage begins at {start // unit.size}, far behind the one before"))
        joined += " ".encode(unit.encoding) * ((start - len(joined)) // unit.size) + data
    return joined.decode(unit.encoding) if pieces else None
