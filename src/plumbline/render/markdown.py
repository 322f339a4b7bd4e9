"""Markdown: pipe tables, lists of sentences, indented text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.errors import visible
from plumbline.render.formats import output_format
from plumbline.render.grid import Fields, Grid, Sentences, point

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.render.document import Document
    from plumbline.render.grid import Block, Cell


@output_format("markdown", aliases=("md",), suffixes=(".md", ".markdown"))
def markdown_document(document: Document) -> str:
    """Markdown, with numbers to the right and the best in bold."""
    return "\n".join(map(_block, document.blocks))


def _block(block: Block) -> str:
    if isinstance(block, Grid):
        return markdown(block)
    if isinstance(block, Sentences):
        return "".join(
            f"  - {escaped(point(line))}\n" if line.startswith(" ") else f"- {escaped(line)}\n" for line in block.lines
        )
    if isinstance(block, Fields):
        return "".join(f"- **{escaped(name)}**: {escaped(text)}\n" for name, text in block.rows)
    return "".join(f"    {visible(line)}\n" for line in block.text.splitlines())


def markdown(grid: Grid) -> str:
    """A pipe table with numbers to the right and the best in bold."""
    rows = [_line(map(_cell, row)) for row in grid.rows]
    rule = _line(["---", *("---:" for _ in grid.heading[1:])])
    notes = [f"\n{escaped(note)}" for note in (grid.caption, *grid.legend, *grid.notes) if note]
    return "\n".join([_line(map(escaped, grid.heading)), rule, *rows, *notes]) + "\n"


def _cell(cell: Cell) -> str:
    text = escaped(cell.marked)
    raised = f"<sup>{escaped(cell.raised)}</sup>" if cell.raised else ""
    return (f"**{text}**" if cell.best else f"*{text}*" if cell.quiet and text else text) + raised


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Text in which no character acts as Markdown or HTML."""
    shown = visible(text)
    for character in "\\|*_`<>[]":
        shown = shown.replace(character, f"\\{character}")
    return shown
