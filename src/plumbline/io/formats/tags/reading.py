"""Tags of tokens, one token per line: documents or sentences are cases, and offsets count tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, clusterings, files, spans
from plumbline.io.documents import Documents
from plumbline.io.formats.tags.lines import text_lines
from plumbline.io.formats.tags.tokens import read_tokens
from plumbline.io.spans.rows import LinesOrigin, Spans
from plumbline.io.spans.schemes import BEGIN, INSIDE, LENIENT, Tags, chunks_of
from plumbline.io.spans.tags import parsed_tag

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.bytes.content import Content
    from plumbline.io.formats.tags.tokens import Tokens
    from plumbline.io.spans.schemes import Chunks
    from plumbline.io.table import ReadOptions, Table

    Integers = NDArray[np.int64]


def read_tags(content: Content, options: ReadOptions) -> Table:
    """A token a line with its tag in the last column; blank lines end sentences, -DOCSTART- begins a document."""
    tokens = read_tokens(text_lines(content))
    if not tokens.count:
        raise BadData(files.no_data(content.label))
    parsed = [
        parsed_tag(tag, Place(content.label, tokens.first_with(code) + 1), options.scheme)
        for code, tag in enumerate(tokens.tags)
    ]
    kinds = list(dict.fromkeys(kind for _, kind in parsed))
    number = {kind: at for at, kind in enumerate(kinds)}
    prefix = np.array([prefix for prefix, _ in parsed], dtype=np.int64)[tokens.code]
    kind = np.array([number[kind] for _, kind in parsed], dtype=np.int64)[tokens.code]
    tags = Tags(tokens.token, tokens.sentence, prefix, kind)
    chunks = chunks_of(tags, options.scheme)
    of_sentence, names, starts = _documents(tokens, content.label)
    ends = np.append(starts[1:], tokens.count)

    def text_of(at: int) -> list[str]:
        return tokens.texts(int(starts[at]), int(ends[at]))

    def place_of(at: int, token: int) -> Place:
        return Place(content.label, tokens.line_of(int(min(starts[at] + token, ends[at] - 1))) + 1)

    documents = Documents(names, ends - starts, text_of, in_tokens=True, place_of=place_of, prints=tokens.prints)
    document = of_sentence[tokens.sentence[chunks.first]]
    read = Spans(
        document,
        tokens.token[chunks.first] - starts[document],
        tokens.token[chunks.last] - starts[document] + 1,
        pl.Series(kinds, dtype=pl.String).gather(pl.Series(kind[chunks.first], dtype=pl.UInt32)),
    )
    of_lines = tokens.line + 1
    notices = [*_odd_tags(content.label, tags, chunks, of_lines, options.scheme)]
    if not tokens.documents:
        notices.insert(0, spans.sentences_as_cases(content.label, len(names)))
    return read.table(documents, content.label, "iob", LinesOrigin(content.label, of_lines[chunks.first]), tuple(notices))


def _documents(tokens: Tokens, label: str) -> tuple[Integers, list[str], Integers]:
    """The document of each sentence, the names of documents, and the first token of each."""
    count = len(tokens.sentence_token)
    if not tokens.documents:
        return np.arange(count), list(map(str, range(1, count + 1))), tokens.sentence_token
    mark = np.searchsorted(np.array([line for line, _ in tokens.documents]), tokens.sentence_line, side="right")
    begins = np.diff(mark, prepend=-1) > 0
    names, seen = [], dict[str, int]()
    for at, of_mark in enumerate(mark[begins].tolist()):
        line, name = tokens.documents[of_mark - 1] if of_mark else (0, "")
        name = name or str(at + 1)
        if name in seen:
            raise BadData(clusterings.same_case(Place(label, line + 1), name, f"line {seen[name]}"))
        seen[name] = line + 1
        names.append(name)
    return np.cumsum(begins) - 1, names, tokens.sentence_token[begins]


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
