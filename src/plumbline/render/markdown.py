"""Markdown tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.render.grid import Grid


def markdown(grid: Grid) -> str:
    """A pipe table with numbers to the right and the best in bold."""
    rows = [_line(f"**{_escaped(cell.marked)}**" if cell.best else _escaped(cell.marked) for cell in row) for row in grid.rows]
    rule = _line(["---", *("---:" for _ in grid.heading[1:])])
    notes = [f"\n{_escaped(note)}" for note in (grid.caption, *grid.notes) if note]
    return "\n".join([_line(map(_escaped, grid.heading)), rule, *rows, *notes]) + "\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    shown = visible(text)
    for character in "\\|*_`<>[]":
        shown = shown.replace(character, f"\\{character}")
    return shown
