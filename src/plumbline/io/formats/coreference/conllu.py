"""Coreference in CoNLL-U, as CorefUD and Universal Anaphora write it: brackets in the attribute Entity of the last column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, Place, clusterings, table
from plumbline.io.bytes.lines import checked_text, numbered
from plumbline.io.formats.coreference.mentions import Mark, Word, mentions
from plumbline.io.rows import table_of_rows
from plumbline.schema import ONLY_CASE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table

_COLUMNS: Final = 10
_NEW_DOCUMENT: Final = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*\S))?.*")
_ORDER: Final = re.compile(r"#\s*global\.Entity\s*=\s*(\S+)")
_WORD: Final = re.compile(r"\d+(\.\d+)?")
"""The number of a word or of an empty node; ranges such as 3-4 are written forms of several words."""
_CHUNK: Final = re.compile(r"\([^()]+\)?|[^()]+\)|.")
_PIECE: Final = re.compile(r"(.+)\[(\d+)/(\d+)\]")
_ENTITY: Final = "Entity="


def read_conllu(content: Content, options: ReadOptions) -> Table:
    """Documents are cases, entities are clusters, and their mentions are items."""
    seen: dict[str, int] = {}
    rows = list(mentions(_words(checked_text(content), seen)))
    return table_of_rows(rows, content.label, "conllu", seen)


def _words(content: Content, seen: dict[str, int]) -> Iterator[Word]:
    """Every word and empty node; sentences are counted from 1 in each document."""
    case, sentence, inside, order = ONLY_CASE, 0, False, 0
    for number, raw in numbered(content):
        line, place = raw.decode().rstrip(" "), Place(content.label, number)
        if not line:
            inside = False
        elif line.startswith("#"):
            if match := _NEW_DOCUMENT.fullmatch(line):
                case, sentence = _document(match[1], place, seen), 0
            elif match := _ORDER.match(line):
                order = _entity_field(match[1], place)
        else:
            columns = line.split("\t")
            if len(columns) != _COLUMNS:
                raise BadData(table.wrong_columns(place, len(columns), _COLUMNS, "those of CoNLL-U"))
            sentence += not inside
            inside = True
            seen.setdefault(case, number)
            if _WORD.fullmatch(columns[0]):
                yield Word(case, sentence, columns[0], place, tuple(_marks(columns[-1], place, order)))


def _document(name: str | None, place: Place, seen: Mapping[str, int]) -> str:
    """Documents without a name are numbered."""
    case = name or f"document {len(seen) + 1}"
    if case in seen:
        raise BadData(clusterings.same_case(place, case, f"line {seen[case]}"))
    return case


def _entity_field(order: str, place: Place) -> int:
    """Which of the values between hyphens names the entity."""
    names = order.split("-")
    for name in ("eid", "GRP"):
        if name in names:
            return names.index(name)
    raise BadData(clusterings.bad_bracket(place, f"global.Entity = {order} has neither eid nor GRP"))


def _marks(misc: str, place: Place, order: int) -> Iterator[Mark]:
    """The brackets of a word: `Entity=(e1-person(e2)e3)` opens e1, has a mention of e2 and closes e3."""
    for attribute in misc.split("|"):
        if not attribute.startswith(_ENTITY):
            continue
        for chunk in _CHUNK.findall(attribute.removeprefix(_ENTITY)):
            opens, closes, values = chunk.startswith("("), chunk.endswith(")"), chunk.strip("()").split("-")
            name = values[order] if len(values) > order else values[0] if not opens else ""
            if not (opens or closes) or not name:
                raise BadData(clusterings.bad_bracket(place, f"cannot read {attribute}"))
            piece = _PIECE.fullmatch(name)
            entity, index, count = piece.groups() if piece else (name, 1, 1)
            yield Mark(entity, opens, closes, int(index), int(count))
