"""A grid is plain data: a heading, rows of cells, and which cells stand out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A text that may be the best of its column."""

    text: str
    best: bool = False


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
    return f"{value:.{digits}f}"
