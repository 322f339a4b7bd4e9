"""Tables for people at a terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from plumbline.errors import visible

if TYPE_CHECKING:
    from typing import IO

    from rich.table import Table

    from plumbline.render.grid import Grid


def terminal(grid: Grid, file: IO[str]) -> None:
    """Print with colour and bold where the terminal wants them; a pipe gets plain text of full width."""
    from rich.console import Console  # noqa: PLC0415 - rich takes a while to import
    from rich.markup import escape  # noqa: PLC0415

    tty = file.isatty()
    console = Console(file=file, soft_wrap=False, width=None if tty else 10_000, highlight=False, emoji=False)
    console.print(_table(grid), crop=False, overflow="ignore")
    if grid.caption:
        console.print(f"[dim]{escape(visible(grid.caption))}[/dim]")


def plain(grid: Grid) -> str:
    """The same as text."""
    out = io.StringIO()
    terminal(grid, out)
    return out.getvalue()


def _table(grid: Grid) -> Table:
    from rich import box  # noqa: PLC0415 - rich takes a while to import
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    for index, name in enumerate(grid.heading):
        table.add_column(Text(visible(name)), justify="left" if index == 0 else "right", no_wrap=True)
    for row in grid.rows:
        table.add_row(*(Text(visible(cell.text) + cell.mark, style="bold green" if cell.best else "") for cell in row))
    return table
