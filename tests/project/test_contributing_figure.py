"""The figure of CONTRIBUTING.md is declared, drawn, tested and shown in a report, with no other file changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a figure\n")[2].partition("\n## ")[0]
FIGURE_TESTS = ("test_every_figure", "test_hostile_names", "test_long_names", "test_options_that_matter", "test_saving")

RUNNER = """
import sys
import plumbline.figures.kinds

folder, command, *arguments = sys.argv[1:]
plumbline.figures.kinds.__path__.append(folder)  # the package is walked: here is one more module
if command == "pytest":
    import pytest
    sys.exit(pytest.main(arguments))
if command == "stub":
    from plumbline.figures.signatures import stub
    print(stub())
    sys.exit()
from plumbline.cli.app import run
sys.exit(run(arguments))
"""


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with the module that the page tells to write."""
    (declared,) = re.findall(r"^```python\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    (tmp_path / "kinds").mkdir()
    (tmp_path / "kinds" / "strip.py").write_text(declared, encoding="utf-8")
    return tmp_path


def _run(folder: Path, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A process of its own, in which the package has one module more."""
    return subprocess.run(
        [sys.executable, "-c", RUNNER, str(folder / "kinds"), *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_example_figure_keeps_the_contract_of_every_figure(added: Path) -> None:
    files = [str(ROOT / "tests" / "figures" / f"{name}.py") for name in FIGURE_TESTS]
    ended = _run(added, "pytest", *files, "-k", "strip", "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
    assert ended.returncode == 0, ended.stdout
    assert int(re.findall(r"(\d+) passed", ended.stdout)[0]) > 10


def test_the_example_figure_is_listed_drawn_and_reported(added: Path) -> None:
    examples = ROOT / "docs" / "examples"
    assert "strip             The values of all cases\n" in _run(added, "run", "plot").stdout
    drawn = _run(added, "run", "plot", "strip", "ap.csv", "-o", str(added / "strip.svg"), "--quiet", cwd=examples)
    assert drawn.returncode == 0, drawn.stderr
    assert "<svg" in (added / "strip.svg").read_text(encoding="utf-8")
    made = _run(added, "run", "report", "ap.csv", "-o", str(added / "report.html"), "--quiet", cwd=examples)
    assert made.returncode == 0, made.stderr
    assert "How far apart are the cases?" in (added / "report.html").read_text(encoding="utf-8")
    assert "def strip(" in _run(added, "stub").stdout


def test_the_example_figure_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("strip.py"))
