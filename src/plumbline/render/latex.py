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
    "†": r"\dag{}",
    "‡": r"\ddag{}",
    "≤": r"$\leq$",
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
    r"""A booktabs table with the best in bold; compiles with `\\usepackage{booktabs}`.

    Names are on the left and numbers on the right; raised marks have a column of their own, so that numbers stay aligned at the
    point. A table with a label floats, with its caption.
    """
    raised = [any(cell.raised for cell in column) for column in zip(*grid.rows, strict=True)] or [False] * len(grid.heading)
    columns = "l" + "".join("r@{}l" if marks else "r" for marks in raised[1:])
    heading = [
        rf"\multicolumn{{2}}{{r}}{{{escaped(name)}}}" if marks else escaped(name)
        for name, marks in zip(grid.heading, raised, strict=True)
    ]
    body = [
        _line(text for cell, marks in zip(row, raised, strict=True) for text in _cells(cell, marked=marks)) for row in grid.rows
    ]
    tabular = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line(heading),
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    notes = [note for note in (grid.caption, *grid.legend, *grid.notes) if note]
    if not grid.label:
        return "\n".join([*(f"% {visible(note)}" for note in notes), *tabular]) + "\n"
    caption = rf"\caption{{{escaped('; '.join(notes))}}}"
    return "\n".join([r"\begin{table}", r"\centering", caption, rf"\label{{{grid.label}}}", *tabular, r"\end{table}"]) + "\n"


def _line(cells: Iterable[str]) -> str:
    """A row; an empty group in front keeps `[` and `*` from being read as an option of the command before it."""
    line = " & ".join(cells) + r" \\"
    return "{}" + line if line.startswith(("[", "*")) else line


def _cells(cell: Cell, *, marked: bool) -> list[str]:
    """The text, and what is raised after it if the column has such marks."""
    text = escaped(cell.marked)
    shown = rf"\textbf{{{text}}}" if cell.best else rf"\textit{{{text}}}" if cell.quiet and text else text
    return [shown, f"$^{{{escaped(cell.raised)}}}$" if cell.raised else ""] if marked else [shown]


def escaped(text: str) -> str:
    """Text in which no character acts as a LaTeX command."""
    return "".join(_SPECIAL.get(character, character) for character in visible(text))
