"""Tags of tokens, a token a line: documents or sentences are cases, and offsets count tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, clusterings, files, spans
from plumbline.io.documents import Documents
from plumbline.io.formats.tags.lines import TaggedLines
from plumbline.io.spans.rows import LinesOrigin, Spans
from plumbline.io.spans.schemes import BEGIN, INSIDE, LENIENT, Tags, chunks_of
from plumbline.io.spans.tags import parsed_tag

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.bytes.content import Content
    from plumbline.io.spans.schemes import Chunks
    from plumbline.io.table import ReadOptions, Table

    Integers = NDArray[np.int64]


def read_tags(content: Content, options: ReadOptions) -> Table:
    """A token a line with its tag in the last column; blank lines end sentences, -DOCSTART- begins a document."""
    lines = TaggedLines.of(content)
    token_lines = np.flatnonzero(lines.is_token)
    if not len(token_lines):
        raise BadData(files.no_data(content.label))
    codes, first = lines.tag_codes()
    places = [Place(content.label, int(lines.tagged[row]) + 1) for row in first]
    parsed = [parsed_tag(lines.tag(int(row)), place, options.scheme) for row, place in zip(first, places, strict=True)]
    kinds = list(dict.fromkeys(kind for _, kind in parsed))
    number = {kind: at for at, kind in enumerate(kinds)}
    prefix = np.array([prefix for prefix, _ in parsed], dtype=np.int64)[codes]
    kind = np.array([number[kind] for _, kind in parsed], dtype=np.int64)[codes]
    sentence = np.cumsum(np.concatenate(([0], np.diff(token_lines) > 1)))
    document, names, starts = _documents(lines, token_lines, sentence, content.label)
    place = (np.cumsum(lines.is_token) - 1)[lines.tagged]
    position = np.arange(len(token_lines)) - starts[document]
    tags = Tags(position[place], sentence[place], prefix, kind)
    chunks = chunks_of(tags, options.scheme)
    ends = np.append(starts[1:], len(token_lines))

    def text_of(at: int) -> list[str]:
        return lines.tokens(int(token_lines[starts[at]]), int(token_lines[ends[at] - 1]) + 1)

    def place_of(at: int, token: int) -> Place:
        return Place(content.label, int(token_lines[min(starts[at] + token, ends[at] - 1)]) + 1)

    documents = Documents(names, ends - starts, text_of, in_tokens=True, place_of=place_of, widths=lines.widths())
    found = Spans(
        document[place][chunks.first],
        tags.position[chunks.first],
        tags.position[chunks.last] + 1,
        pl.Series(kinds, dtype=pl.String).gather(pl.Series(kind[chunks.first], dtype=pl.UInt32)),
    )
    of_lines = lines.tagged + 1
    notices = [*_odd_tags(content.label, tags, chunks, of_lines, options.scheme)]
    if not lines.documents:
        notices.insert(0, spans.sentences_as_cases(content.label, len(names)))
    return found.table(documents, content.label, "iob", LinesOrigin(content.label, of_lines[chunks.first]), tuple(notices))


def _documents(
    lines: TaggedLines, token_lines: Integers, sentence: Integers, label: str
) -> tuple[Integers, list[str], Integers]:
    """The document of each token, the names of documents, and the first token of each."""
    marks = lines.documents
    if not marks:
        starts = np.flatnonzero(np.concatenate(([True], np.diff(sentence) > 0)))
        return sentence, list(map(str, range(1, len(starts) + 1))), starts
    mark = np.searchsorted(np.array([line for line, _ in marks]), token_lines, side="right")
    starts = np.flatnonzero(np.concatenate(([True], np.diff(mark) > 0)))
    names, seen = [], dict[str, int]()
    for at, of_mark in enumerate(mark[starts].tolist()):
        line, name = marks[of_mark - 1] if of_mark else (0, "")
        name = name or str(at + 1)
        if name in seen:
            raise BadData(clusterings.same_case(Place(label, line + 1), name, f"line {seen[name]}"))
        seen[name] = line + 1
        names.append(name)
    return np.cumsum(np.concatenate(([0], np.diff(mark) > 0))), names, starts


def _odd_tags(label: str, tags: Tags, chunks: Chunks, lines: Integers, scheme: str) -> list[Diagnostic]:
    """Spans that begin with I- where others begin with B-, or tags that the scheme leaves out."""
    if scheme != LENIENT:
        left = np.flatnonzero(~chunks.covered)
        return [spans.tags_left_out(label, len(left), int(lines[left[0]]), scheme)] if len(left) else []
    first = tags.prefix[chunks.first]
    inside = chunks.first[first == INSIDE]
    adjacent = (np.diff(tags.position) == 1) & (np.diff(tags.sequence) == 0)
    needless = (first == BEGIN) & ~np.concatenate((np.zeros(1, dtype=np.bool_), adjacent))[chunks.first]
    if not len(inside) or not needless.any():
        return []  # a B- only where a span follows another one is IOB1
    return [spans.starts_inside(label, len(inside), int(lines[inside[0]]))]
