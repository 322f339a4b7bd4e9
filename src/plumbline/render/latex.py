"""LaTeX: booktabs tables; sentences become comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import visible
from plumbline.render.formats import output_format
from plumbline.render.grid import Fields, Grid, Sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.render.document import Document
    from plumbline.render.grid import Block, Cell

_SPECIAL: Final = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
}


@output_format("latex", aliases=("tex",), suffixes=(".tex",))
def latex_document(document: Document) -> str:
    """LaTeX tables for booktabs, with the best in bold."""
    return "\n".join(map(_block, document.blocks))


def _block(block: Block) -> str:
    if isinstance(block, Grid):
        return latex(block)
    if isinstance(block, Fields):
        items = "".join(rf"\item[{{{escaped(name)}}}] {escaped(text)}" + "\n" for name, text in block.rows)
        return "\\begin{description}\n" + items + "\\end{description}\n"
    lines = block.lines if isinstance(block, Sentences) else block.text.splitlines()
    return "".join(f"% {visible(line)}\n" for line in lines)


def latex(grid: Grid) -> str:
    r"""A booktabs table with the best in bold; compiles with `\\usepackage{booktabs}`."""
    body = [_line(map(_cell, row)) for row in grid.rows]
    lines = [
        r"\begin{tabular}{l" + "r" * (len(grid.heading) - 1) + "}",
        r"\toprule",
        _line(map(escaped, grid.heading)),
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join([*(f"% {visible(note)}" for note in (grid.caption, *grid.notes) if note), *lines]) + "\n"


def _line(cells: Iterable[str]) -> str:
    """A row; an empty group in front keeps `[` and `*` from being read as an option of the command before it."""
    line = " & ".join(cells) + r" \\"
    return "{}" + line if line.startswith(("[", "*")) else line


def _cell(cell: Cell) -> str:
    text = escaped(cell.marked)
    raised = f"$^{{{escaped(cell.raised)}}}$" if cell.raised else ""
    return (rf"\textbf{{{text}}}" if cell.best else text) + raised


def escaped(text: str) -> str:
    """Text in which no character acts as a LaTeX command."""
    return "".join(_SPECIAL.get(character, character) for character in visible(text))
