"""The lines of a file of tags as arrays: which are tokens, where sentences and documents begin, and the tag of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.io.bytes.lines import checked_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.io.bytes.content import Content

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

_NEWLINE, _SPACE, _TAB, _O = b"\n \tO"
_BLANK_ENDS: Final = re.compile(rb"[ \t]+\n")
_DOCUMENT: Final = re.compile(rb"^(?:-DOCSTART-|# newdoc id = *|# id )([^\n]*)$", re.MULTILINE)
_COMMENT: Final = re.compile(rb"^# ?(?:newpar|sent_id|text|global\.columns)\b[^\n]*$", re.MULTILINE)
_NAMED: Final = re.compile(rb"\(?([^()\s]+)\)?")
_WORD: Final = 8
"""So many bytes are compared at once."""
_FIRST_BYTES: Final = np.array([2 ** (8 * count) - 1 for count in range(_WORD + 1)], dtype=np.uint64)
"""Masks that keep so many bytes of a word, the first in memory."""
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
_ODD: Final = np.uint64(0xD6E8FEB86659FD93)
_FEW: Final = 30
"""So few long rows are mixed faster one by one."""
LONGEST: Final = 256
"""A last column that is longer is no tag."""


@dataclass(frozen=True, eq=False)
class TaggedLines:
    """The bytes of a file, and where its lines begin and end."""

    data: bytes
    letters: NDArray[np.uint8]
    begin: Integers
    end: Integers

    @classmethod
    def of(cls, data: bytes) -> TaggedLines:
        """The lines, without white space at their ends."""
        made = cls._split(data)
        return made if not _is_blank(made.letters[made.end - 1]).any() else cls._split(_BLANK_ENDS.sub(b"\n", data))

    @classmethod
    def _split(cls, data: bytes) -> TaggedLines:
        letters = np.frombuffer(data, dtype=np.uint8)
        end = np.flatnonzero(letters == _NEWLINE)
        return cls(data, letters, np.concatenate((np.zeros(1, dtype=np.int64), end[:-1] + 1)), end)

    @cached_property
    def documents(self) -> list[tuple[int, str]]:
        """The lines at which documents begin, and their names where they have one."""
        return [(self._line_at(start), name) for start, name in document_marks(self.data)]

    def _line_at(self, offset: int) -> int:
        return int(np.searchsorted(self.end, offset))

    @cached_property
    def is_token(self) -> Flags:
        """Which lines hold a token."""
        tokens = np.asarray(self.end > self.begin)
        tokens[[line for line, _ in self.documents]] = False
        tokens[[self._line_at(start) for start in comments(self.data)]] = False
        return tokens

    @cached_property
    def tagged(self) -> Integers:
        """The lines of tokens whose tag is not O."""
        before = self.letters[np.maximum(self.end - 2, 0)]
        alone = self.end - self.begin == 1
        outside = (self.letters[self.end - 1] == _O) & (_is_blank(before) | alone)
        return np.flatnonzero(self.is_token & ~outside)

    @cached_property
    def tag_begin(self) -> Integers:
        """Where the tag of each tagged line begins."""
        begin, at = self.begin[self.tagged], self.end[self.tagged] - 1
        moving = np.arange(len(at))
        for _ in range(LONGEST):
            moving = moving[at[moving] > begin[moving]]
            moving = moving[~_is_blank(self.letters[at[moving] - 1])]
            if not len(moving):
                break
            at[moving] -= 1
        return at

    def tag(self, row: int) -> str:
        """The tag of a tagged line."""
        return self.data[self.tag_begin[row] : self.end[self.tagged[row]]].decode(errors="replace")

    def tag_codes(self) -> tuple[Integers, Integers]:
        """The different tags are numbered in order of appearance: those of the tagged lines, and the first row of each."""
        length = self.end[self.tagged] - self.tag_begin
        words = -(-int(length.max(initial=1)) // _WORD)
        word_at = _overlapping_words(self.data, words)
        mixed, parts = np.zeros(len(length), dtype=np.uint64), []
        for number in range(words):
            parts.append(word_at[self.tag_begin + _WORD * number] & _FIRST_BYTES[np.clip(length - _WORD * number, 0, _WORD)])
            mixed = (mixed ^ (mixed >> np.uint64(29))) * _SPREAD + parts[-1]
        _, first, codes = np.unique(mixed, return_index=True, return_inverse=True)
        if any((part != part[first[codes]]).any() for part in parts):  # two tags with one number, which hardly ever happens
            _, first, codes = np.unique(np.stack(parts), axis=1, return_index=True, return_inverse=True)
        in_order = np.argsort(first)
        return np.argsort(in_order)[codes.ravel()], first[in_order].astype(np.int64)

    def prints(self) -> NDArray[np.int32]:
        """Of each token a number for the bytes before its tag, the same as those of the reader in C."""
        width = self.end - self.begin - 1
        width[self.tagged] = self.tag_begin - self.begin[self.tagged]
        begin, width = self.begin[self.is_token], width[self.is_token]
        mixture = width.astype(np.uint64) * _ODD
        open_rows = np.flatnonzero(width)
        word_at = _overlapping_words(self.data)
        done = 0
        while len(open_rows := open_rows[width[open_rows] > done]) > _FEW:
            place, left = begin[open_rows] + done, width[open_rows] - done
            mixture[open_rows] = _mixed(mixture[open_rows] ^ (word_at[place] & _FIRST_BYTES[np.minimum(left, _WORD)]))
            done += _WORD
        for row in open_rows.tolist():
            mixture[row] = _mixed_text(int(mixture[row]), self.data[begin[row] + done : begin[row] + width[row]])
        return _mixed(mixture).astype(np.uint32).view(np.int32)

    def token(self, line: int) -> str:
        """The first column of a line."""
        return self.data[self.begin[line] : self.end[line]].split(None, 1)[0].decode()


def _overlapping_words(data: bytes, further: int = 1) -> NDArray[np.uint64]:
    """The eight bytes from any place on, also from some places behind the end."""
    padded = data + bytes(_WORD * further)
    return np.ndarray((len(padded) - _WORD,), np.uint64, padded, strides=(1,))


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    numbers = (numbers ^ (numbers >> np.uint64(32))) * _SPREAD
    return numbers ^ (numbers >> np.uint64(29))


def _mixed_text(number: int, text: bytes) -> int:
    """The same of one number and all words of a long text."""
    spread, largest = int(_SPREAD), 2**64 - 1
    for word in np.frombuffer(text + bytes(-len(text) % _WORD), dtype=np.uint64).tolist():
        number ^= word
        number = (number ^ (number >> 32)) * spread & largest
        number ^= number >> 29
    return number


def text_lines(content: Content) -> bytes:
    """The text with every line ended by a line feed."""
    data = bytes(checked_text(content).data)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"


def document_marks(data: bytes) -> list[tuple[int, str]]:
    """Where the lines start at which documents begin, and their names where they have one."""
    if not (b"-DOCSTART-" in data or _has_comments(data)):
        return []
    return [(match.start(), _name(match)) for match in _DOCUMENT.finditer(data) if _is_mark(match.group())]


def comments(data: bytes) -> list[int]:
    """Where comments start that are not about documents."""
    return [match.start() for match in _COMMENT.finditer(data)] if _has_comments(data) else []


def _has_comments(data: bytes) -> bool:
    """Whether a line may be a comment; most files have no # at all, which is known at once."""
    return b"#" in data and (data.startswith(b"#") or b"\n#" in data)


def _is_blank(letters: NDArray[np.uint8]) -> Flags:
    return np.asarray((letters == _SPACE) | (letters == _TAB))


def _is_mark(line: bytes) -> bool:
    """Whether a line begins a document: the word of CoNLL-2003 is one of its own."""
    return not line.startswith(b"-DOCSTART-") or len(line) == len(b"-DOCSTART-") or line[10:11].isspace()


def _name(match: re.Match[bytes]) -> str:
    """The name that the line gives, if it gives one: not the columns of CoNLL-2003 after -DOCSTART-."""
    rest = match[1].decode(errors="replace").strip()
    if not match.group().startswith(b"-DOCSTART-"):
        return rest.split()[0] if rest else ""
    named = _NAMED.fullmatch(rest.encode()) if rest.startswith("(") else None
    return named[1].decode() if named else ""
