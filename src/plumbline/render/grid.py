"""What results hand to output formats: tables, sentences, fields and preformatted text, all plain data."""

from __future__ import annotations

from math import inf

from plumbline.lazily import pattern
from plumbline.records import dataclass


@dataclass(frozen=True)
class Cell:
    """A text that may be the best of its column."""

    text: str
    best: bool = False
    mark: str = ""
    """A mark after the text; a space keeps its place free."""
    raised: str = ""
    """Letters or numbers in superscript after the text."""
    quiet: bool = False
    """Whether it is only there to compare with, and is shown in grey or italics."""

    @property
    def marked(self) -> str:
        """The text with its mark, without a space for a missing one."""
        return self.text + self.mark.strip()


@dataclass(frozen=True)
class Grid:
    """The table that every format writes; the first column holds names, the others numbers."""

    heading: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    plain: Grid | None = None
    """The same table for formats without superscripts."""
    legend: tuple[str, ...] = ()
    """What marks and columns mean, a line each."""
    label: str = ""
    """What a paper refers to the table by; a table with a label is a float with a caption in LaTeX."""
    keep: int = 1
    """How many columns at the left tell the rows apart: a narrow terminal keeps them, with long names cut in the middle."""
    narrow: Grid | None = None
    """The same table with less in its cells, for a terminal that has no room for all of it."""
    above: tuple[tuple[str, ...], ...] = ()
    """Lines above the heading, where a narrow terminal breaks it."""
    drop: tuple[str, ...] = ()
    """The columns that a narrow terminal leaves out first, the least important one first; others follow from the right."""


@dataclass(frozen=True)
class Sentences:
    """Lines of text, one sentence each."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Fields:
    """Names, each with a text of any length."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Verbatim:
    """Text that keeps its line breaks and its spaces, such as a command."""

    text: str


Block = Grid | Sentences | Fields | Verbatim
"""A part of a result, as people read it."""


_ALIGNED = pattern(r"^(\S+(?: \S+)*) {2,}(?=\S)")


def point(line: str) -> str:
    """An indented line as a point of a list: a colon stands where spaces align its text with that of its neighbours."""
    return _ALIGNED.sub(r"\1: ", line.strip())


UNDEFINED = "n/a"
_LEAST = 0.005
"""A smaller share would be rounded to 0 %, and one that is as near to 1 to 100 %."""
_LARGE = 1e15
"""From here on a number has more digits than a machine can tell apart."""


def number(value: float | None, digits: int = 4) -> str:
    """A number as tables show it; an undefined value is shown as n/a, never as 0, and a very large one as a power of ten."""
    if value is None:
        return UNDEFINED
    if _LARGE <= abs(value) < inf:
        return f"{value:.4g}"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def percent(share: float | None) -> str:
    """A share in percent; 0 % and 100 % are shown only if they are exact."""
    if share is None:
        return UNDEFINED
    return "<1%" if 0 < share < _LEAST else ">99%" if 1 - _LEAST < share < 1 else f"{share:.0%}"


def chance(p: float | None, digits: int = 4) -> str:
    """A probability; a small one is shown as less than a bound, never as 0."""
    return f"<{10.0**-digits:.{digits}f}" if p is not None and 0 < p < 10.0**-digits / 2 else number(p, digits)
