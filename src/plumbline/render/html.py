"""HTML for notebooks and pages: tables, paragraphs, lists of fields."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from plumbline.errors import visible
from plumbline.render.formats import output_format
from plumbline.render.grid import Fields, Grid, Sentences, point

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.render.document import Document
    from plumbline.render.grid import Block, Cell


@output_format("html", suffixes=(".html", ".htm"))
def html_document(document: Document) -> str:
    """HTML tables without a page around them; every name is escaped."""
    return html_of(document.blocks)


def html_of(blocks: Iterable[Block]) -> str:
    """Sentences and tables as a notebook shows them."""
    return "".join(f"{_block(block)}\n" for block in blocks)


def _block(block: Block) -> str:
    if isinstance(block, Grid):
        return html(block)
    if isinstance(block, Sentences):
        return "".join(map(_paragraph, block.lines)).replace("</ul><ul>", "")
    if isinstance(block, Fields):
        return "<dl>" + "".join(f"<dt>{_safe(name)}</dt><dd>{_safe(text)}</dd>" for name, text in block.rows) + "</dl>"
    return "<pre>" + "\n".join(map(_safe, block.text.splitlines())) + "</pre>"


def _paragraph(line: str) -> str:
    """A sentence, or, if it is indented, a point below it."""
    return f"<ul><li>{_safe(point(line))}</li></ul>" if line.startswith("  ") else f"<p>{_safe(line.strip())}</p>"


def html(grid: Grid) -> str:
    """A plain table; every name is escaped."""
    heading = "".join(f"<th>{_safe(name)}</th>" for name in grid.heading)
    rows = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in grid.rows)
    caption = f"<caption>{_safe(grid.caption)}</caption>" if grid.caption else ""
    notes = "".join(f"<li>{_safe(note)}</li>" for note in (*grid.legend, *grid.notes))
    return f"<table>{caption}<thead><tr>{heading}</tr></thead><tbody>{rows}</tbody></table>" + (
        f"<ul>{notes}</ul>" if notes else ""
    )


def _cell(cell: Cell) -> str:
    text = _safe(cell.marked)
    raised = f"<sup>{_safe(cell.raised)}</sup>" if cell.raised else ""
    return (f"<b>{text}</b>" if cell.best else f"<i>{text}</i>" if cell.quiet and text else text) + raised


def _safe(text: str) -> str:
    return escape(visible(text), quote=True)
