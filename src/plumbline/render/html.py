"""HTML tables for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from plumbline.errors import visible

if TYPE_CHECKING:
    from plumbline.render.grid import Cell, Grid


def html(grid: Grid) -> str:
    """A plain table; every name is escaped."""
    heading = "".join(f"<th>{_safe(name)}</th>" for name in grid.heading)
    rows = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in grid.rows)
    caption = f"<caption>{_safe(grid.caption)}</caption>" if grid.caption else ""
    notes = "".join(f"<li>{_safe(note)}</li>" for note in grid.notes)
    return f"<table>{caption}<thead><tr>{heading}</tr></thead><tbody>{rows}</tbody></table>" + (
        f"<ul>{notes}</ul>" if notes else ""
    )


def _cell(cell: Cell) -> str:
    text = _safe(cell.marked)
    raised = f"<sup>{_safe(cell.raised)}</sup>" if cell.raised else ""
    return (f"<b>{text}</b>" if cell.best else text) + raised


def _safe(text: str) -> str:
    return escape(visible(text), quote=True)
