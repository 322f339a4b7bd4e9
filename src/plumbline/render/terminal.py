"""Text for people at a terminal."""

from __future__ import annotations

import os
from textwrap import fill
from typing import TYPE_CHECKING, Final

from plumbline.errors import visible
from plumbline.render.formats import output_format
from plumbline.render.grid import Fields, Grid, Sentences

if TYPE_CHECKING:
    from typing import IO

    from rich.table import Table

    from plumbline.render.document import Document
    from plumbline.render.grid import Block, Cell


_ARROWS: Final = "↑↓"
"""The arrows at the end of headings: in most tables the only characters that are not ASCII."""
_MARGIN: Final = 17
_WIDTH: Final = 80


def display(document: Document, file: IO[str]) -> None:
    """Print all blocks, tables with colour and bold where the terminal wants them."""
    for place, block in enumerate(document.blocks):
        if place:
            file.write("\n")
        if isinstance(block, Grid):
            terminal(block, file)
        else:
            file.write(_text(block))


@output_format("table", aliases=("terminal", "text"), suffixes=(".txt",), display=display)
def table(document: Document) -> str:
    """Aligned columns, for people at a terminal."""
    return "\n".join(plain(block) if isinstance(block, Grid) else _text(block) for block in document.blocks)


def _text(block: Block) -> str:
    if isinstance(block, Sentences):
        return "".join(f"{visible(line)}\n" for line in block.lines)
    if isinstance(block, Fields):
        return "".join(f"{_field(visible(name), visible(text))}\n" for name, text in block.rows)
    return plain(block) if isinstance(block, Grid) else "".join(f"{visible(line)}\n" for line in block.text.splitlines())


def _field(name: str, text: str) -> str:
    """A name with its text beside it, in lines of a readable length."""
    first, rest = f"{name:<{_MARGIN}}", " " * _MARGIN
    return fill(text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)


def terminal(grid: Grid, file: IO[str]) -> None:
    """Print a table with colour and bold where the terminal wants them; a pipe gets plain text of full width."""
    grid = grid.plain or grid
    styled = file.isatty() or bool(os.environ.get("FORCE_COLOR"))
    if not styled and (getattr(file, "encoding", None) or "utf-8").lower().startswith("utf"):
        file.write(plain(grid))
        return
    from rich.console import Console  # noqa: PLC0415 - rich takes a while to import
    from rich.markup import escape  # noqa: PLC0415 - as above

    width = None if file.isatty() else 10_000
    console = Console(file=file, soft_wrap=False, width=width, highlight=False, emoji=False)
    console.print(_table(grid), crop=False, overflow="ignore")
    for line in (grid.caption, *grid.legend):
        if line:
            console.print(f"[dim]{escape(visible(line))}[/dim]")


def plain(grid: Grid) -> str:
    """A table as text, without waiting for rich."""
    grid = grid.plain or grid
    lines = _lines(grid)
    widths = [_width(text) for text in lines[0]]
    heading, *rows = ("   ".join(line) for line in lines)
    rule = "─" * (sum(widths) + 3 * len(widths) - 1)
    caption = [visible(line) for line in (grid.caption, *grid.legend) if line]
    return "".join(f"{line}\n" for line in (f" {heading} ", rule, *(f" {row} " for row in rows), *caption))


def _lines(grid: Grid) -> list[list[str]]:
    """The heading and the rows, with every text as wide as its column: names to the left, numbers to the right."""
    lines = [[visible(name) for name in grid.heading], *([visible(cell.text) + cell.mark for cell in row] for row in grid.rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    return [
        [_padded(text, width, left=place == 0) for place, (text, width) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    ]


def _padded(text: str, width: int, *, left: bool) -> str:
    gap = " " * (width - _width(text))
    return text + gap if left else gap + text


def _width(text: str) -> int:
    """The width of a text in a terminal, in columns."""
    if text.rstrip(_ARROWS).isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - rich takes a while to import, and few names need it

    return cell_len(text)


def _style(cell: Cell) -> str:
    return "bold green" if cell.best else "dim" if cell.quiet else ""


def _table(grid: Grid) -> Table:
    from rich import box  # noqa: PLC0415 - rich takes a while to import
    from rich.table import Table  # noqa: PLC0415 - as above
    from rich.text import Text  # noqa: PLC0415 - as above

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    heading, *rows = _lines(grid)
    for name in heading:
        table.add_column(Text(name), no_wrap=True)
    for row, texts in zip(grid.rows, rows, strict=True):
        table.add_row(*(Text(text, style=_style(cell)) for cell, text in zip(row, texts, strict=True)))
    return table
