"""The example notebook runs from top to bottom, and what it shows is what a notebook can show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbclient import NotebookClient

if TYPE_CHECKING:
    from nbformat import NotebookNode

pytestmark = pytest.mark.slow

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "tour.ipynb"


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> NotebookNode:
    """The notebook with its outputs; an error in a cell fails."""
    where = str(tmp_path_factory.mktemp("notebook"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TMPDIR", where)
        return NotebookClient(read(), timeout=120, resources={"metadata": {"path": where}}).execute()


def read() -> NotebookNode:
    """The notebook as it is kept."""
    notebook: NotebookNode = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]  # it has no types
    return notebook


def shown(executed: NotebookNode, source: str) -> dict[str, Any]:
    """What the cell that ends with this source shows."""
    cell = next(cell for cell in executed.cells if cell.cell_type == "code" and cell.source.endswith(source))
    made: dict[str, Any] = cell.outputs[-1].get("data", {})
    return made


def test_results_are_tables_of_their_own(executed: NotebookNode) -> None:
    assert "<table" in shown(executed, "\nscores")["text/html"]
    compared = shown(executed, "\ncomparison")["text/html"]
    assert "<table" in compared
    assert "has the best BCubedP" in compared
    audited = shown(executed, "budget=5_000)")["text/html"]
    assert "<table" in audited
    assert "rag bag" in audited


def test_figures_are_charts(executed: NotebookNode) -> None:
    described = {
        "scores.plot.bars()": "Means of BCubedP, BCubedR",
        "comparison.plot.graph()": "Improvement graph",
        "comparison.plot.alpha()": "links leads from 0.000 to 0.841",
        "comparison.plot.tradeoff()": "none is better at both than strict, links",
    }
    for kind, words in described.items():
        assert words in shown(executed, kind)["text/html"]


def test_the_notebook_is_kept_without_outputs() -> None:
    cells = [cell for cell in read().cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
