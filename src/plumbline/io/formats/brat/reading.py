"""Standoff annotations of brat: spans are lines `T1<tab>PER 0 3<tab>Ada`, all others are about spans."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, spans
from plumbline.errors.base import plural
from plumbline.io.bytes.content import load
from plumbline.io.bytes.lines import checked_text, data_lines
from plumbline.io.documents import Documents
from plumbline.io.formats.brat.links import Places
from plumbline.io.slots.rows import SlotRows, relations_table
from plumbline.io.spans.rows import LinesOrigin, Spans
from plumbline.io.spans.units import settled

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table

_SPAN: Final = re.compile(r"(T\d+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_OTHER: Final = re.compile(r"([A-Z*])\d*\t")
_KINDS: Final = {
    "R": "relations",
    "E": "events",
    "A": "attributes",
    "M": "attributes",
    "N": "normalisations",
    "*": "equivalences",
}
_MOST_DIGITS: Final = 18


def read_brat(content: Content, options: ReadOptions) -> Table:
    """The spans of one document; its text is read from the file beside it, and checked, where there is one.

    Attributes and relations take the places of their spans.
    """
    rows: list[tuple[int, int, str, str | None, int]] = []
    names: list[str] = []
    others, pieces = defaultdict[str, list[tuple[int, str]]](list), 0
    for number, raw in data_lines(checked_text(content)):
        line, place = raw.decode(), Place(content.label, number)
        match, other = _SPAN.fullmatch(line), _OTHER.match(line)
        if match is None and (other is None or other[1] not in _KINDS):
            raise BadData(spans.bad_annotation(place, f"{line[:40]!r} is not an annotation of brat"))
        if match is None and other is not None:
            others[_KINDS[other[1]]].append((number, line))
        elif match is not None:
            edges = [edge for piece in match[3].split(";") for edge in piece.split()]
            if max(map(len, edges)) > _MOST_DIGITS:
                raise BadData(spans.bad_offsets(place, "an offset is beyond every text"))
            in_one_piece = len(edges) == 2  # noqa: PLR2004 - a start and an end
            pieces += not in_one_piece
            names.append(match[1])
            rows.append((int(edges[0]), int(edges[-1]), match[2], match[4] if in_one_piece else None, number))
    notices = [spans.in_pieces(content.label, pieces)] if pieces else []
    text = _text(content)
    made, origin = _spans(content, [(row[0], row[1], row[2], row[4]) for row in rows])
    in_text = settled(made, [row[3] for row in rows], origin, lambda _: [text])
    made = in_text.spans
    notices += in_text.notices(content.label)
    known = Documents([_name(content.label)], place_of=lambda *_: Place(content.label))
    if text is not None:
        known = replace(known, lengths=np.array([len(text)]), text_of=lambda _: text)
    scored = others.pop(options.annotations, [])
    left = [plural(len(lines), kind.removesuffix("s")) for kind, lines in others.items()]
    notices += [spans.unread_annotations(content.label, left, options.annotations)] if left else []
    if options.annotations == "spans":
        return made.table(known, content.label, "brat", origin, tuple(notices))
    edges_of = zip(made.start.tolist(), made.end.tolist(), strict=True)
    places = Places(content.label, dict(zip(names, edges_of, strict=True)), others["events"])
    if options.annotations == "attributes":
        made, origin = _spans(content, list(places.attributes(scored)))
        return made.table(known, content.label, "brat", origin, tuple(notices))
    related, lines = SlotRows(), []
    related.begin(0, 0)
    for head, kind, tail, number in places.relations(scored):
        related.add_relation(head, kind, tail)
        lines.append(number)
    of_lines = LinesOrigin(content.label, np.array(lines, dtype=np.int64))
    return replace(relations_table(related, known, content.label, "brat", of_lines, options), notices=tuple(notices))


def _spans(content: Content, rows: list[tuple[int, int, str, int]]) -> tuple[Spans, LinesOrigin]:
    """The spans of start, end, type and line, and where they came from."""
    start, end, lines = (np.array([row[at] for row in rows], dtype=np.int64) for at in (0, 1, 3))
    kind = pl.Series([row[2] for row in rows], dtype=pl.String)
    return Spans(np.zeros(len(rows), dtype=np.int64), start, end, kind), LinesOrigin(content.label, lines)


def _name(label: str) -> str:
    """The document is called as its file, without the endings."""
    return Path(label).name.partition(".ann")[0] or label


def _text(content: Content) -> str | None:
    """The text of the document, where it is beside the file."""
    beside = Path(content.label)
    path = beside.with_name(f"{_name(content.label)}.txt")
    if beside.suffix != ".ann" or not path.is_file():
        return None
    return bytes(checked_text(load(path)).data).decode()
