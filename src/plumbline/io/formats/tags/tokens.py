"""The tokens of a file of tags: where sentences and documents begin, and which tokens have which tag."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.io.formats.tags.lines import LONGEST, TaggedLines, comments, document_marks
from plumbline.io.native import MOST_BYTES, native_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tokens:
    """All tokens in their order; those whose tag is not O are called tagged. Tokens and lines are counted from 0."""

    data: bytes
    count: int
    sentence_token: Integers
    """The token with which each sentence begins."""
    sentence_line: Integers
    """Its line; those of the other tokens of a sentence follow it."""
    token: Integers
    """The token of each of the tagged."""
    sentence: Integers
    line: Integers
    code: Integers
    """The number of the tag of each of the tagged."""
    tags: list[str]
    """The different tags, in order of appearance."""
    prints: NDArray[np.signedinteger]
    """Of each token a number for what stands before its tag."""
    documents: list[tuple[int, str]]
    """The lines at which documents begin, and their names where they have one."""

    def first_with(self, code: int) -> int:
        """The line of the first token that has a tag."""
        return int(self.line[np.argmax(self.code == code)])

    def line_of(self, token: int) -> int:
        """The line of a token."""
        sentence = int(np.searchsorted(self.sentence_token, token, side="right")) - 1
        return int(self.sentence_line[sentence]) + token - int(self.sentence_token[sentence])

    def texts(self, first: int, last: int) -> list[str]:
        """The texts of some tokens."""
        return [self._lines.token(self.line_of(token)) for token in range(first, last)]

    @cached_property
    def _lines(self) -> TaggedLines:
        return TaggedLines.of(self.data)


def read_tokens(data: bytes) -> Tokens:
    """The tokens of a text whose lines end with a line feed; the reader in C reads most texts."""
    scan = native_function("tags")
    quick = None if scan is None or len(data) > MOST_BYTES else _quickly(scan, data, [], None)
    if quick is None and scan is not None and len(data) <= MOST_BYTES:
        documents = document_marks(data)
        skips = np.unique(np.array([*(start for start, _ in documents), *comments(data)], dtype=np.int64))
        quick = _quickly(scan, data, documents, skips)
    return _of_lines(TaggedLines.of(data)) if quick is None else quick


def _quickly(scan: Callable[..., Any], data: bytes, documents: list[tuple[int, str]], skips: Integers | None) -> Tokens | None:
    """The tokens, or None if there is anything odd in the text; lines to skip are the marks of documents, and comments."""
    room = data.count(b"\n") if (breaks := native_function("breaks")) is None else breaks(data, 0, len(data))
    prints = np.empty(room, dtype=np.int32)
    sentence_token, sentence_line, token, sentence, line, code = (np.empty(room, dtype=np.int64) for _ in range(6))
    into = (prints, sentence_token, sentence_line, token, sentence, line, code)
    lines_of_skips = None if skips is None else np.empty(len(skips), dtype=np.int64)
    scanned = scan(data, skips, lines_of_skips, LONGEST, room, into)
    if scanned is None:
        return None
    count, sentences, tagged, tags = scanned
    marks = []
    if skips is not None and lines_of_skips is not None:
        at = np.searchsorted(skips, [start for start, _ in documents])
        marks = list(zip(lines_of_skips[at].tolist(), (name for _, name in documents), strict=True))
    begins = (sentence_token[:sentences], sentence_line[:sentences])
    of_tagged = (token[:tagged], sentence[:tagged], line[:tagged], code[:tagged])
    return Tokens(data, count, *begins, *of_tagged, tags, prints[:count], marks)


def _of_lines(lines: TaggedLines) -> Tokens:
    token_lines = np.flatnonzero(lines.is_token)
    begins = np.diff(token_lines, prepend=-2) > 1
    sentence_token = np.flatnonzero(begins)
    code, first = lines.tag_codes()
    token = (np.cumsum(lines.is_token) - 1)[lines.tagged]
    return Tokens(
        lines.data,
        len(token_lines),
        sentence_token,
        token_lines[sentence_token],
        token,
        (np.cumsum(begins) - 1)[token],
        lines.tagged,
        code,
        [lines.tag(int(row)) for row in first],
        lines.prints(),
        lines.documents,
    )
