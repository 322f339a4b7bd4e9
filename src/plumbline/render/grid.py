"""A grid is plain data: a heading, rows of cells, and which cells stand out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A text that may be the best of its column."""

    text: str
    best: bool = False
    mark: str = ""
    """Stands after the text; a space keeps the place of a mark."""
    raised: str = ""
    """Numbers that stand above the line after the text."""

    @property
    def marked(self) -> str:
        """The text with its mark, where no place need be kept."""
        return self.text + self.mark.strip()


@dataclass(frozen=True)
class Grid:
    """The table that every format writes; the first column holds names, the others numbers."""

    heading: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()


UNDEFINED = "n/a"


def number(value: float | None, digits: int = 4) -> str:
    """A number as tables show it; undefined is a word, never 0."""
    if value is None:
        return UNDEFINED
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text
