"""PubTator: `1|t|Title`, `1|a|Abstract`, and spans `1<tab>0<tab>5<tab>Title<tab>Type`; offsets count through both texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, clusterings, spans
from plumbline.errors.base import plural
from plumbline.io.bytes.lines import checked_text, numbered
from plumbline.io.documents import Documents
from plumbline.io.slots.rows import SlotRows, relations_table
from plumbline.io.spans.rows import LinesOrigin, Spans
from plumbline.io.spans.units import settled
from plumbline.lazily import pattern

if TYPE_CHECKING:
    import re

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table

_TEXT: Final = pattern(r"([^|\t]+)\|([ta])\|(.*)")
_SPAN: Final = pattern(r"([^|\t]+)\t(\d{1,18})\t(\d{1,18})\t([^\t]*)\t([^\t]*)(?:\t([^\t]*).*)?")
_RELATION: Final = pattern(r"([^|\t]+)\t([^\t]*[^\d\t][^\t]*)\t([^\t]+)\t([^\t]+)(?:\t.*)?")


def read_pubtator(content: Content, options: ReadOptions) -> Table:
    """The spans of all articles; title and abstract are one text, with one character between them.

    The attribute of a span is what it names, such as MESH:D003920; relations are between such names.
    """
    texts: dict[str, list[str]] = {}
    number_of: dict[str, int] = {}
    first_lines: list[int] = []
    rows: list[tuple[int, int, int, str, str, int]] = []
    named: list[str] = []
    related = SlotRows()
    related_lines: list[int] = []
    for number, raw in numbered(checked_text(content)):
        line, place = raw.decode(), Place(content.label, number)
        if not line.strip():
            continue
        text, span = _TEXT.fullmatch(line), _SPAN.fullmatch(line)
        if text is not None:
            if text[2] == "t" and text[1] in texts:
                raise BadData(clusterings.same_case(place, text[1], "above"))
            if number_of.setdefault(text[1], len(number_of)) == len(first_lines):
                first_lines.append(number)
            texts.setdefault(text[1], []).append(text[3])
        elif span is not None and span[1] in texts:
            _check_span(span, next(reversed(texts)), place)
            rows.append((len(texts) - 1, int(span[2]), int(span[3]), span[4], span[5], number))
            named.append((span[6] or "").strip())
        elif span is None and (relation := _RELATION.fullmatch(line)) is not None and relation[1] in texts:
            related.begin(number_of[relation[1]], 0)
            related.add_relation(relation[3], relation[2], relation[4])
            related_lines.append(number)
        else:
            raise BadData(spans.bad_article(place, f"{line[:40]!r} is neither a text nor a span of an article"))
    full_texts = ["\n".join(parts) for parts in texts.values()]
    document, start, end, lines = (np.array([row[at] for row in rows], dtype=np.int64) for at in (0, 1, 2, 5))
    made = Spans(document, start, end, pl.Series([row[4] for row in rows], dtype=pl.String))
    origin = LinesOrigin(content.label, lines)
    lengths = np.array([len(text) for text in full_texts], dtype=np.int64)
    in_text = settled(made, [row[3] or None for row in rows], origin, lambda _: full_texts)
    made = in_text.spans
    documents = Documents(
        list(texts), lengths, lambda at: full_texts[at], place_of=lambda at, _: Place(content.label, first_lines[at])
    )
    if options.annotations == "relations":
        of_lines = LinesOrigin(content.label, np.array(related_lines, dtype=np.int64))
        return relations_table(related, documents, content.label, "pubtator", of_lines, options)
    if options.annotations == "attributes":
        some = np.flatnonzero([bool(name) for name in named])
        kind = pl.Series([named[at] for at in some], dtype=pl.String)
        made, origin = Spans(document[some], made.start[some], made.end[some], kind), LinesOrigin(content.label, lines[some])
    left = [plural(len(related_lines), "relation")] if related_lines else []
    notices = in_text.notices(content.label)
    notices += [spans.unread_annotations(content.label, left, options.annotations)] if left else []
    return made.table(documents, content.label, "pubtator", origin, tuple(notices))


def _check_span(span: re.Match[str], article: str, place: Place) -> None:
    """A span has a type, and stands among those of its article."""
    if not span[5].strip():
        raise BadData(spans.no_type(place))
    if span[1] != article:
        raise BadData(spans.bad_article(place, f"a span of article {span[1]} among those of another one"))
