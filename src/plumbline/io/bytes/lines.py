"""The lines of a text file with their places, for messages about them; and text that is not UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, Place, files
from plumbline.io.bytes.blocks import whole_lines
from plumbline.io.bytes.content import Content
from plumbline.lazily import pattern
from plumbline.records import dataclass

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from plumbline.errors import Diagnostic

FEW_LINES: Final = 2**13
"""Bytes that are looked at first: the layout of a file shows in its first lines."""
_LINE_END: Final = pattern(rb"\r\n|\n|\r")
_FIELD: Final = pattern(r"[^ \t]+")


def numbered(content: Content) -> Iterator[tuple[int, bytes]]:
    """Every line with its number from 1, whatever the line ends are; blank lines at the start are only counted."""
    first, number = first_ink(content)
    for block in whole_lines(content.data, first, FEW_LINES):
        text, start = content.take(block), 0
        for end in _LINE_END.finditer(text):
            yield number, text[start : end.start()]
            start, number = end.end(), number + 1
        if start < len(text):
            yield number, text[start:]


def first_ink(content: Content) -> tuple[int, int]:
    """Where the first line that is not blank starts, and its number; there may be millions of blank lines before it."""
    blank = content.take(slice(content.first_ink() or 0))
    start = max(blank.rfind(b"\n"), blank.rfind(b"\r")) + 1
    return start, 1 + blank.count(b"\n") + blank.count(b"\r") - blank.count(b"\r\n")


def data_lines(content: Content) -> Iterator[tuple[int, bytes]]:
    """The lines that hold data: not blank, and not a comment, which starts with #."""
    return (
        (number, line) for number, line in numbered(content) if line.strip(b" \t") and not line.lstrip(b" \t").startswith(b"#")
    )


def nul_place(content: Content) -> Place:
    """The place of the first NUL byte."""
    for number, line in numbered(content):
        if b"\x00" in line:
            return Place(content.label, number, line.index(b"\x00") + 1)
    return Place(content.label)


@dataclass(frozen=True)
class Fields:
    """A line split at spaces and tabs, each field knowing its column."""

    number: int
    text: str
    matches: tuple[re.Match[str], ...]

    @classmethod
    def of(cls, number: int, line: bytes) -> Fields:
        """Split at spaces and tabs only: other white space may be part of an id."""
        text = line.decode(errors="replace")
        return cls(number, text, tuple(_FIELD.finditer(text)))

    def __len__(self) -> int:
        return len(self.matches)

    def __getitem__(self, index: int) -> str:
        return self.matches[index].group()

    def place(self, path: str, index: int | None = None) -> Place:
        """The place of one field, or of the line."""
        if index is None or index >= len(self.matches):
            return Place(path, self.number, None, self.text)
        match = self.matches[index]
        return Place(path, self.number, match.start() + 1, self.text, match.end() - match.start())


@dataclass(frozen=True)
class TextOrigin:
    """Rows that are data lines of a text file between white space."""

    content: Content
    columns: dict[str, int]
    only: tuple[str, str] | None = None
    """The rows are those lines that have this text in this column."""

    def places(self, rows: list[int], column: str) -> list[Place]:
        """Count data lines up to the last row; this is only done for messages."""
        wanted, places = set(rows), dict[int, Place]()
        if not wanted:
            return []
        for index, (number, line) in enumerate(filter(self._has_row, data_lines(self.content))):
            if index in wanted:
                places[index] = Fields.of(number, line).place(self.content.label, self.columns.get(column))
                if len(places) == len(wanted):
                    break
        return [places.get(row, Place(self.content.label)) for row in rows]

    def _has_row(self, line: tuple[int, bytes]) -> bool:
        return self.only is None or Fields.of(*line)[self.columns[self.only[0]]] == self.only[1]


def checked_text(content: Content) -> Content:
    """The same content, if it is UTF-8 without NUL bytes."""
    data = bytes(content.data)
    if b"\x00" in data:
        raise BadData(files.binary(nul_place(content)))
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise BadData(files.not_utf8(Place(content.label, data[: error.start].count(b"\n") + 1))) from None
    return content


def is_utf8(data: bytes | bytearray) -> bool:
    """Whether some bytes are text."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_not_utf8(problem: Diagnostic) -> bool:
    """Whether text was refused for its encoding."""
    return problem.code == files.not_utf8(Place("")).code


def from_latin1(content: Content) -> Content:
    """The text with every byte as one character, so that different names stay different and equal ones equal."""
    return Content(content.label, bytes(content.data).decode("latin-1").encode())
