"""The steps of CONTRIBUTING.md are taken: the example metric is declared, compared, tested and shown."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ADD_A_METRIC = TEXT.partition("## Add a metric\n")[2].partition("\n## ")[0]
LONG = 400

RUNNER = """
import sys
from pathlib import Path
import plumbline.metrics.ranking
import tests.metrics.ranking

folder, command, *arguments = sys.argv[1:]
plumbline.metrics.ranking.__path__.append(f"{folder}/source")  # both packages are walked: here is one more module of each
tests.metrics.ranking.__path__.append(f"{folder}/tests")
if command == "pytest":
    import pytest
    sys.exit(pytest.main(arguments))
from tests.project.test_docs import check
sys.exit(check(Path(arguments[0]).read_text(encoding="utf-8")) or 0)
"""
QUIETLY = ("-q", "-p", "no:xdist", "-p", "no:randomly", "-p", "no:cacheprovider")


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with the two files that the section asks for, and nothing else."""
    declared, tested = re.findall(r"^```python\n(.*?)^```$", ADD_A_METRIC, re.MULTILINE | re.DOTALL)
    for name, text in (("source/normalised_cumulated_gain.py", declared), ("tests/test_normalised_cumulated_gain.py", tested)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def _run(folder: Path, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A process in which the packages have the modules of the folder, too."""
    return subprocess.run(
        [sys.executable, "-c", RUNNER, str(folder), *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_example_metric_has_the_properties_of_every_metric_and_agrees_with_its_oracle(added: Path) -> None:
    files = [str(TESTS / "metrics" / name) for name in ("test_every_metric.py", "test_oracles.py")]
    ended = _run(added, "pytest", *files, "-k", "nCG or has_an_oracle", *QUIETLY)
    assert ended.returncode == 0, ended.stdout
    assert "test_oracle_agrees[nCG]" in _run(added, "pytest", files[1], "-k", "nCG", "--collect-only", *QUIETLY).stdout


def test_the_tests_of_the_example_metric_pass(added: Path) -> None:
    ended = _run(added, "pytest", str(added / "tests" / "test_normalised_cumulated_gain.py"), *QUIETLY)
    assert ended.returncode == 0, ended.stdout
    assert "5 passed" in ended.stdout


def test_the_value_in_the_text_is_the_value_of_the_program(added: Path) -> None:
    page = added / "page.md"
    page.write_text("".join(re.findall(r"^```console\n.*?^```\n", ADD_A_METRIC, re.MULTILINE | re.DOTALL)), encoding="utf-8")
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
