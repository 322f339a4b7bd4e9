"""The figure of CONTRIBUTING.md is declared, drawn, tested and shown in a report, with no other file changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import ROOT, Extension, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add a figure")
FIGURE_TESTS = ("test_every_figure", "test_hostile_names", "test_long_names", "test_options_that_matter", "test_saving")
RUN_PROGRAM = """
from plumbline.cli.app import run
sys.exit(run(sys.argv[1:]))
"""
PRINT_STUB = """
from plumbline.figures.signatures import stub
print(stub())
"""


@pytest.fixture
def extension(tmp_path: Path) -> Extension:
    """The module of the section."""
    (declared,) = code_blocks(SECTION, "python")
    return Extension(tmp_path, {"plumbline.figures.kinds.strip": declared})


def test_the_example_figure_keeps_the_contract_of_every_figure(extension: Extension) -> None:
    files = [str(ROOT / "tests" / "figures" / f"{name}.py") for name in FIGURE_TESTS]
    assert extension.count_passed(*files, "-k", "strip") > 10


def test_the_example_figure_is_listed_drawn_and_reported(extension: Extension, tmp_path: Path) -> None:
    examples = ROOT / "docs" / "examples"
    figure, page = tmp_path / "strip.svg", tmp_path / "report.html"
    listed = [line.split() for line in extension.run_python(RUN_PROGRAM, "plot").stdout.splitlines()]
    assert ["strip", "The", "values", "of", "all", "cases"] in listed
    drawn = extension.run_python(RUN_PROGRAM, "plot", "strip", "ap.csv", "-o", str(figure), "--quiet", cwd=examples)
    assert drawn.returncode == 0, drawn.stderr
    assert "<svg" in figure.read_text(encoding="utf-8")
    made = extension.run_python(RUN_PROGRAM, "report", "ap.csv", "-o", str(page), "--quiet", cwd=examples)
    assert made.returncode == 0, made.stderr
    assert "How far apart are the cases?" in page.read_text(encoding="utf-8")
    assert "def strip(" in extension.run_python(PRINT_STUB).stdout


def test_the_example_figure_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("strip.py"))
