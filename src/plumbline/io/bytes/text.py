"""Text that a reader may take line by line, and text that is not UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.errors import BadData, Place, files
from plumbline.io.bytes.content import Content
from plumbline.io.bytes.lines import numbered

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic


def checked_text(content: Content) -> Content:
    """The same content, if it is UTF-8 without NUL bytes."""
    data = bytes(content.data)
    if b"\x00" in data:
        raise BadData(files.binary(next(Place(content.label, number) for number, line in numbered(content) if b"\x00" in line)))
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise BadData(files.not_utf8(Place(content.label, data[: error.start].count(b"\n") + 1))) from None
    return content


def is_not_utf8(problem: Diagnostic) -> bool:
    """Whether text was refused for its encoding."""
    return problem.code == files.not_utf8(Place("")).code


def from_latin1(content: Content) -> Content:
    """The text with every byte as one character: names that differ still differ, and equal ones are still equal."""
    return Content(content.label, bytes(content.data).decode("latin-1").encode())
