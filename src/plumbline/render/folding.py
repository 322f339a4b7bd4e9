"""Long lines on a terminal: they break between words, before the terminal breaks them anywhere."""

from __future__ import annotations

from textwrap import fill
from typing import Final

from plumbline.lazily import pattern
from plumbline.render.fitting import text_width

_QUOTED: Final = pattern(r" *\d* \| ")
"""The start of a quoted line of a file, and of the carets below it, which have to stay in their columns."""
_COMMAND: Final = pattern(r"( *)(\$ )?plumbline ")
_CONTINUED: Final = " \\"
_TOGETHER: Final = pattern(r"(?<=\d) (?=%)|(?<=\bp) (?=[<=] )|(?<=\bp [<=]) (?=\d)")
"""Spaces at which a sentence does not break: in `48.3 %` and in `p < 0.001`."""
_VALUE: Final = pattern(r"(?<= )(--?[a-z][a-z-]*) (?=[^-\\\s])")
"""An option and its value, which stay in one line of a command."""
_LABEL: Final = pattern(r" {2,}\S+(?: \S+)* {2,}(?=\S)")
"""A name at the start of an indented line, which the text beside it does not run under."""
_GLUE: Final = "\0"


def folded(text: str, width: int) -> str:
    """A text in lines no wider than this; a command goes on as a shell reads it, and quoted lines of files stay as they are."""
    return "\n".join(_folded_line(line, width) for line in text.split("\n"))


def paragraphs(text: str) -> str:
    """The text of a docstring with a line for each paragraph, so that a terminal of any width can break it."""
    return "\n\n".join(part.replace("\n", " ") for part in text.split("\n\n"))


def wrapped(line: str, width: int, hanging: int | None = None) -> str:
    """A sentence in lines that break between words and begin where the first one or its text does, or after so many spaces."""
    if text_width(line) <= width:
        return line
    label = _LABEL.match(line)
    start = len(label[0]) if label and len(label[0]) <= width // 2 else len(line) - len(line.lstrip())
    indent = " " * (start if hanging is None else hanging)
    joined = _TOGETHER.sub(_GLUE, line)
    return fill(joined, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False).replace(_GLUE, " ")


def _folded_line(line: str, width: int) -> str:
    if text_width(line) <= width or _QUOTED.match(line):
        return line
    command = _COMMAND.match(line)
    if command is None:
        return wrapped(line, width)
    pieces = wrapped(_VALUE.sub(rf"\1{_GLUE}", line), width - len(_CONTINUED), hanging=len(command[1]) + 4)
    return pieces.replace("\n", f"{_CONTINUED}\n")
