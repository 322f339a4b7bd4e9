"""Text for people at a terminal."""

from __future__ import annotations

import os
from textwrap import fill
from typing import TYPE_CHECKING, Final

from plumbline.errors import visible
from plumbline.render.fitting import fitted, text_width
from plumbline.render.folding import folded, wrapped
from plumbline.render.formats import output_format
from plumbline.render.grid import Fields, Grid, Sentences

if TYPE_CHECKING:
    from typing import IO

    from rich.table import Table

    from plumbline.render.document import Document
    from plumbline.render.grid import Block, Cell


_MARGIN: Final = 17
_WIDTH: Final = 80
_ENDLESS: Final = 10_000
"""The width of a pipe, which shows everything."""
_HEIGHT: Final = 25
"""Without a height, rich takes any width of a simple terminal (TERM=dumb) for 80, and cuts what is wider."""


def display(document: Document, file: IO[str]) -> None:
    """Print all blocks, no wider than the terminal, with colour and bold where it wants them; a pipe gets everything."""
    width = _ENDLESS if document.wide or not file.isatty() else columns_of(file)
    for place, block in enumerate(document.blocks):
        if place:
            file.write("\n")
        if isinstance(block, Grid):
            terminal(block, file, width)
        else:
            file.write(_text(block, width))


def columns_of(file: IO[str]) -> int:
    """How many columns a terminal has; the variable COLUMNS overrules it."""
    try:
        return int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        pass
    try:
        return os.get_terminal_size(file.fileno()).columns or _WIDTH
    except (OSError, ValueError):
        return _WIDTH


@output_format("table", aliases=("terminal", "text"), suffixes=(".txt",), display=display)
def table(document: Document) -> str:
    """Aligned columns, for people at a terminal."""
    return text_of(document, _ENDLESS)


def text_of(document: Document, width: int) -> str:
    """All blocks as plain text, no wider than this."""
    parts = (
        plain(fitted(block, width), width) if isinstance(block, Grid) else _text(block, width) for block in document.blocks
    )
    return "\n".join(parts)


def _text(block: Block, width: int) -> str:
    if isinstance(block, Sentences):
        return "".join(f"{wrapped(visible(line), width)}\n" for line in block.lines)
    if isinstance(block, Fields):
        return "".join(f"{_field(visible(name), visible(text), min(width, _WIDTH))}\n" for name, text in block.rows)
    if isinstance(block, Grid):
        return plain(block)
    return "".join(f"{folded(visible(line), width)}\n" for line in block.text.splitlines())


def _field(name: str, text: str, width: int) -> str:
    """A name with its text beside it, in lines of a readable length."""
    first, rest = f"{name:<{_MARGIN}}", " " * _MARGIN
    return fill(text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)


def terminal(grid: Grid, file: IO[str], width: int = _ENDLESS) -> None:
    """Print a table with colour and bold where the terminal wants them, no wider than this."""
    grid = fitted(grid, width)
    styled = file.isatty() or bool(os.environ.get("FORCE_COLOR"))
    if not styled and (getattr(file, "encoding", None) or "utf-8").lower().startswith("utf"):
        file.write(plain(grid))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=file, soft_wrap=True, width=_ENDLESS, height=_HEIGHT, highlight=False, emoji=False)
    console.print(_table(grid), crop=False, overflow="ignore")
    for line in (grid.caption, *grid.legend):
        if line:
            console.print(Text(wrapped(visible(line), width), style="dim"))


def plain(grid: Grid, width: int = _ENDLESS) -> str:
    """A table as text, without waiting for rich."""
    grid = grid.plain or grid
    lines = _lines(grid)
    widths = [text_width(text) for text in lines[0]]
    shown = [f" {'   '.join(line)} " for line in lines]
    shown.insert(len(grid.above) + 1, "─" * (sum(widths) + 3 * len(widths) - 1))
    caption = [wrapped(visible(line), width) for line in (grid.caption, *grid.legend) if line]
    return "".join(f"{line}\n" for line in (*shown, *caption))


def _lines(grid: Grid) -> list[list[str]]:
    """The lines of the heading and the rows, with every text as wide as its column: names to the left, numbers to the right."""
    heading = [[visible(name) for name in line] for line in (*grid.above, grid.heading)]
    lines = [*heading, *([visible(cell.text) + cell.mark for cell in row] for row in grid.rows)]
    widths = [max(map(text_width, column)) for column in zip(*lines, strict=True)]
    return [
        [_padded(text, width, left=place == 0) for place, (text, width) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    ]


def _padded(text: str, width: int, *, left: bool) -> str:
    gap = " " * (width - text_width(text))
    return text + gap if left else gap + text


def _style(cell: Cell) -> str:
    return "bold green" if cell.best else "dim" if cell.quiet else ""


def _table(grid: Grid) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    lines = _lines(grid)
    heading, rows = lines[: len(grid.above) + 1], lines[len(grid.above) + 1 :]
    for names in zip(*heading, strict=True):
        table.add_column(Text("\n".join(names)), no_wrap=True)
    for row, texts in zip(grid.rows, rows, strict=True):
        table.add_row(*(Text(text, style=_style(cell)) for cell, text in zip(row, texts, strict=True)))
    return table
