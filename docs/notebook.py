"""The notebook as a page, with what its cells show."""

from __future__ import annotations

import ast
import json
import tempfile
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import plumbline

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTEBOOK: Final = Path(__file__).parent / "notebooks" / "tour.ipynb"


def notebook_page() -> Iterator[str]:
    """Every cell of the notebook, run from top to bottom."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for cell in cells:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                yield f"{source}\n"
            else:
                yield f"```py\n{source}\n```\n"
                yield from _shown(source, names)


def _shown(source: str, names: dict[str, Any]) -> Iterator[str]:
    """What a notebook shows below a cell: what it prints, and the value of its last expression."""
    *statements, last = ast.parse(source).body
    printed, value = StringIO(), None
    with redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)  # noqa: S102 - our own notebook
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307 - our own notebook
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), names)  # noqa: S102 - our own notebook
    if printed.getvalue():
        yield f"```text\n{printed.getvalue().rstrip()}\n```\n"
    if value is not None:
        yield f"{_html(value)}\n"


def _html(value: Any) -> str:  # noqa: ANN401 - whatever a cell shows
    if hasattr(value, "to_chart") or type(value).__module__.startswith("altair"):
        plumbline.save(value, "chart.svg", force=True)
        text = Path("chart.svg").read_text(encoding="utf-8")
    elif hasattr(value, "_repr_html_"):
        text = value._repr_html_()
    else:
        return f"```text\n{value!r}\n```"
    lines = [line for line in text.splitlines() if line.strip()]  # an empty line would end the HTML
    return "\n".join(['<div style="overflow-x: auto">', *lines, "</div>"])
