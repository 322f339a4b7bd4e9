"""Coreference in the columns of CoNLL-2012 and SemEval-2010: `#begin document`, and brackets in the last column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, Place, clusterings
from plumbline.io.bytes.lines import checked_text, numbered
from plumbline.io.formats.coreference.mentions import Mark, Word, mentions
from plumbline.io.rows import table_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table

_BEGIN: Final = re.compile(r"#begin document\s+(?:\((?P<inner>.*)\)|(?P<bare>.*?))(?:;\s*(?:part\s+)?(?P<part>\S+))?\s*")
_END: Final = re.compile(r"#end document\b.*")
_LAST: Final = re.compile(r"\S+\s*$")
_MARK: Final = re.compile(r"(\()?([^()|\s]+)(\))?|(.)")
NOTHING: Final = frozenset({"-", "_", "*"})
"""What the last column holds at a word without brackets."""


def read_conll(content: Content, options: ReadOptions) -> Table:
    """Documents are cases, entities are clusters, and their mentions are items."""
    seen: dict[str, int] = {}
    rows = list(mentions(_words(checked_text(content), seen)))
    return table_of_rows(rows, content.label, "conll", seen)


def _words(content: Content, seen: dict[str, int]) -> Iterator[Word]:
    """Every word; sentences are counted from 1 in each document, words in each sentence."""
    case, sentence, count, last = None, 0, 0, 0
    for number, raw in numbered(content):
        line, place, last = raw.decode().rstrip(), Place(content.label, number), number
        if line.startswith("#begin document"):
            if case is not None:
                raise BadData(clusterings.open_document(place, case, seen[case]))
            case, sentence, count = _document(line, place, seen), 0, 0
        elif _END.fullmatch(line):
            case = None
        elif not line:
            count = 0
        elif not line.startswith("#"):
            if case is None:
                raise BadData(clusterings.bad_bracket(place, "a word outside of every document"))
            count += 1
            sentence += count == 1
            yield Word(case, sentence, str(count), place, _marks(line, place))
    if case is not None:
        raise BadData(clusterings.open_document(Place(content.label, last), case, seen[case]))


def _document(line: str, place: Place, seen: dict[str, int]) -> str:
    """The name of a document, with its part where it has one."""
    match = _BEGIN.fullmatch(line)
    name = (match["inner"] or match["bare"] or "").strip() if match else ""
    if not match or not name:
        raise BadData(clusterings.bad_bracket(place, "a document without a name"))
    case = f"{name}:{match['part']}" if match["part"] else name
    if case in seen:
        raise BadData(clusterings.same_case(place, case, f"line {seen[case]}"))
    seen[case] = place.line or 0
    return case


def _marks(line: str, place: Place) -> tuple[Mark, ...]:
    """The brackets of a word: `(3|(4)` opens entity 3 and has a mention of 4, and so does `(3(4)` without the bar."""
    field = _LAST.search(line)
    if field is None or field.group() in NOTHING:
        return ()
    marks = []
    for text in field.group().split("|"):
        for match in _MARK.finditer(text):
            if not (match[1] or match[3]):
                where = Place(place.path, place.line, field.start() + 1, line, len(field.group()))
                raise BadData(clusterings.bad_bracket(where, f"the last column holds {text!r}"))
            marks.append(Mark(match[2], opens=bool(match[1]), closes=bool(match[3])))
    return tuple(marks)
