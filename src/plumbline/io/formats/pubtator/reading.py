"""PubTator: `1|t|Title`, `1|a|Abstract`, and spans `1<tab>0<tab>5<tab>Title<tab>Type`; offsets count through both texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, clusterings, spans
from plumbline.errors.base import plural
from plumbline.io.bytes.lines import checked_text, numbered
from plumbline.io.documents import Documents
from plumbline.io.spans.checks import check_offsets, check_surfaces
from plumbline.io.spans.rows import LinesOrigin, Spans
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table

_TEXT: Final = pattern(r"([^|\t]+)\|([ta])\|(.*)")
_SPAN: Final = pattern(r"([^|\t]+)\t(\d{1,18})\t(\d{1,18})\t([^\t]*)\t([^\t]*)(?:\t.*)?")
_OTHER: Final = pattern(r"[^|\t]+\t[^\t]*[^\d\t][^\t]*\t.*")
"""A relation: its second field is its type."""


def read_pubtator(content: Content, options: ReadOptions) -> Table:  # noqa: ARG001 - every reader gets them
    """The spans of all articles; title and abstract are one text, with one character between them."""
    texts: dict[str, list[str]] = {}
    rows: list[tuple[int, int, int, str, str, int]] = []
    others = 0
    for number, raw in numbered(checked_text(content)):
        line, place = raw.decode(), Place(content.label, number)
        if not line.strip():
            continue
        text, span = _TEXT.fullmatch(line), _SPAN.fullmatch(line)
        if text is not None:
            if text[2] == "t" and text[1] in texts:
                raise BadData(clusterings.same_case(place, text[1], "above"))
            texts.setdefault(text[1], []).append(text[3])
        elif span is not None and span[1] in texts:
            if not span[5].strip():
                raise BadData(spans.no_type(place))
            rows.append((len(texts) - 1, int(span[2]), int(span[3]), span[4], span[5], number))
            if span[1] != next(reversed(texts)):
                raise BadData(spans.bad_article(place, f"a span of article {span[1]} among those of another one"))
        elif span is None and _OTHER.fullmatch(line):
            others += 1
        else:
            raise BadData(spans.bad_article(place, f"{line[:40]!r} is neither a text nor a span of an article"))
    whole = ["\n".join(parts) for parts in texts.values()]
    document, start, end, lines = (np.array([row[at] for row in rows], dtype=np.int64) for at in (0, 1, 2, 5))
    made = Spans(document, start, end, pl.Series([row[4] for row in rows], dtype=pl.String))
    origin = LinesOrigin(content.label, lines)
    lengths = np.array([len(text) for text in whole], dtype=np.int64)
    check_offsets(made, origin, lengths, whole)
    check_surfaces(made, [row[3] or None for row in rows], origin, whole)
    notices = (spans.unread_annotations(content.label, [plural(others, "relation")]),) if others else ()
    return made.table(Documents(list(texts), lengths, lambda at: whole[at]), content.label, "pubtator", origin, notices)
