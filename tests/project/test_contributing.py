"""The steps of CONTRIBUTING.md are taken: the example metric is declared, compared, tested and shown."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
METRIC = TEXT.partition("## Add a metric")[2].partition("\n## ")[0]
LONG = 400

RUNNER = """
import sys
from pathlib import Path
import plumbline.metrics
from tests.helpers import ranking_oracles as oracles

folder, what, *words = sys.argv[1:]
plumbline.metrics.__path__.append(f"{folder}/modules")  # the package is walked: here is one more module
exec(Path(folder, "oracle.txt").read_text(encoding="utf-8"), vars(oracles))
if what == "pytest":
    import pytest
    sys.exit(pytest.main(words))
from tests.project.test_docs import check
sys.exit(check(Path(words[0]).read_text(encoding="utf-8")) or 0)
"""


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with the files that the page tells to write."""
    declared, oracle, drawn = re.findall(r"^```python\n(.*?)^```$", METRIC, re.MULTILINE | re.DOTALL)
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "normalised_cumulated_gain.py").write_text(declared, encoding="utf-8")
    (tmp_path / "oracle.txt").write_text(oracle, encoding="utf-8")
    (tmp_path / "test_normalised_cumulated_gain.py").write_text(drawn, encoding="utf-8")
    return tmp_path


def _run(folder: Path, *words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A process of its own, in which the package has one module more."""
    return subprocess.run(
        [sys.executable, "-c", RUNNER, str(folder), *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_example_metric_has_the_properties_of_every_metric(added: Path) -> None:
    properties = [str(TESTS / "metrics" / "test_every_metric.py"), "-k", "nCG or has_an_oracle"]
    ended = _run(added, "pytest", *properties, "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
    assert ended.returncode == 0, ended.stdout
    assert " passed" in ended.stdout


def test_the_tests_of_the_example_metric_pass(added: Path) -> None:
    drawn = added / "test_normalised_cumulated_gain.py"
    ended = _run(added, "pytest", str(drawn), "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
    assert ended.returncode == 0, ended.stdout
    assert "5 passed" in ended.stdout


def test_the_value_in_the_text_is_the_value_of_the_program(added: Path) -> None:
    page = added / "page.md"
    page.write_text("".join(re.findall(r"^```console\n.*?^```\n", METRIC, re.MULTILINE | re.DOTALL)), encoding="utf-8")
    assert "nCG@2" in page.read_text(encoding="utf-8")
    examples = shutil.copytree(ROOT / "docs" / "examples", added / "examples")
    ended = _run(added, "page", str(page), cwd=examples)
    assert ended.returncode == 0, ended.stderr


def test_the_example_metric_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("normalised_cumulated_gain.py"))


def test_files_of_more_than_400_lines_are_listed_with_their_reason() -> None:
    reasons = re.findall(r"^- (`.+`): ", TEXT.partition("## Files of more than")[2], re.MULTILINE)
    listed = {name for names in reasons for name in re.findall(r"`([^`]+)`", names)}
    folders = (ROOT / name for name in ("src", "tests", "docs", "benchmarks"))
    files = [path for folder in folders for path in folder.rglob("*.py")]
    long = {path.relative_to(ROOT).as_posix() for path in files if len(path.read_text(encoding="utf-8").splitlines()) > LONG}
    assert not any(path.startswith("src/") for path in long)
    assert long <= listed
