"""A tag such as B-PER, taken apart; and sequences of tags as Python holds them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, spans
from plumbline.io.documents import Documents
from plumbline.io.spans.rows import DocumentOrigin, Spans
from plumbline.io.spans.schemes import LENIENT, PREFIXES, Tags, chunks_of, letters_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.io.table import ReadOptions, Table

LONGEST: Final = 256
"""A word that is longer is no tag."""
_SHOWN: Final = 40


def parsed_tag(tag: str, place: Place, scheme: str) -> tuple[int, str]:
    """The code of the first letter of a tag, and its type; `_` is the type of a tag that has none."""
    if tag[:1] not in PREFIXES or not 0 < len(tag) <= LONGEST or (len(tag) > 1 and (tag[1] != "-" or tag[0] == "O")):
        raise BadData(spans.bad_tag(place, tag[:_SHOWN]))
    if tag[0] not in letters_of(scheme):
        raise BadData(spans.foreign_tag(place, tag, scheme, letters_of(scheme)))
    if tag[1:] and not tag[2:]:
        raise BadData(spans.no_type(place))
    return PREFIXES.index(tag[0]), tag[2:] or "_"


def tagged_sequences(sequences: Mapping[str, list[Any]], label: str, reader: str, options: ReadOptions) -> Table:
    """The spans of `{document: [tags]}`."""
    names, lists = list(sequences), list(sequences.values())
    lengths = np.array([len(one) for one in lists], dtype=np.int64)
    flat = list(chain.from_iterable(lists))
    document = np.repeat(np.arange(len(lists)), lengths)
    starts = np.cumsum(lengths) - lengths
    distinct, codes = _distinct(flat, names, document, label)

    def place_of(at: int) -> Place:
        return Place(f"{label}, {names[at]}")

    parsed = [parsed_tag(tag, place_of(int(document[at])), options.scheme) for tag, at in distinct.items()]
    kinds = list(dict.fromkeys(kind for _, kind in parsed))
    prefix = np.array([one for one, _ in parsed], dtype=np.int64)[codes]
    kind = np.array([kinds.index(one) for _, one in parsed], dtype=np.int64)[codes]
    inside = np.flatnonzero(prefix != PREFIXES.index("O"))
    position = (np.arange(len(flat)) - starts[document])[inside]
    tags = Tags(position, document[inside], prefix[inside], kind[inside])
    chunks = chunks_of(tags, options.scheme)
    read = Spans(
        tags.sequence[chunks.first],
        tags.position[chunks.first],
        tags.position[chunks.last] + 1,
        pl.Series(kinds, dtype=pl.String).gather(pl.Series(tags.kind[chunks.first], dtype=pl.UInt32)),
    )
    left = int((~chunks.covered).sum())
    notices = (spans.tags_left_out(label, left, 0, options.scheme),) if left and options.scheme != LENIENT else ()
    documents = Documents(names, lengths, in_tokens=True)
    return read.table(documents, label, reader, DocumentOrigin(label, place_of, read.document), notices)


def _distinct(flat: list[Any], names: list[str], document: Any, label: str) -> tuple[dict[str, int], Any]:  # noqa: ANN401 - an array
    """Every tag with the first place that has it, and the number of the tag at each place."""
    wrong = next((at for at, tag in enumerate(flat) if type(tag) is not str), None) if not _are_text(flat) else None
    if wrong is not None:
        place = Place(f"{label}, {names[int(document[wrong])]}")
        raise BadData(spans.bad_tag(place, str(flat[wrong])[:_SHOWN]))
    places = {tag: at for at, tag in enumerate(dict.fromkeys(flat))}
    codes = np.fromiter(map(places.__getitem__, flat), np.int64, len(flat))
    first = np.zeros(len(places), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(flat))[::-1]
    return dict(zip(places, first.tolist(), strict=True)), codes


def _are_text(flat: list[Any]) -> bool:
    return set(map(type, flat)) <= {str}
