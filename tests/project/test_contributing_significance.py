"""The steps of "Add a significance test" in CONTRIBUTING.md are taken: the example is declared, compared, printed and cited."""

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
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTION = TEXT.partition("## Add a significance test")[2].partition("\n## ")[0]

RUNNER = """
import sys
from pathlib import Path
import plumbline.comparison.significance
from tests.helpers import significance_oracles as oracles

folder, what, *words = sys.argv[1:]
plumbline.comparison.significance.__path__.append(f"{folder}/modules")  # the package is walked: here is one more module
exec(Path(folder, "oracle.txt").read_text(encoding="utf-8"), vars(oracles))
if what == "pytest":
    import pytest
    sys.exit(pytest.main(words))
if what == "python":
    exec(words[0])
    sys.exit()
from tests.project.test_docs import check
sys.exit(check(Path(words[0]).read_text(encoding="utf-8")) or 0)
"""
USED = """
import plumbline
from plumbline.comparison.significance.registry import find_test

table = {"a": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8], "b": [0.1, 0.2, 0.4, 0.3, 0.2, 0.5]}
comparison = plumbline.compare(table, test="normal_signs")
print(comparison.verdict("a", "b"))
comparison.report("page.html", force=True)
assert "smucker2007" in open("page.html", encoding="utf-8").read()
assert "smucker2007" == find_test("normal_signs").paper
"""


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with the files that the page tells to write."""
    declared, oracle = re.findall(r"^```python\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "normal_signs.py").write_text(declared, encoding="utf-8")
    (tmp_path / "oracle.txt").write_text(oracle, encoding="utf-8")
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


def test_the_example_has_the_properties_of_every_test(added: Path) -> None:
    properties = [str(ROOT / "tests" / "comparison" / "significance" / "test_every_test.py"), "-k", "normal_signs"]
    ended = _run(added, "pytest", *properties, "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
    assert ended.returncode == 0, ended.stdout
    assert " passed" in ended.stdout


def test_the_example_is_compared_by_printed_and_cited(added: Path) -> None:
    ended = _run(added, "python", USED, cwd=added)
    assert ended.returncode == 0, ended.stderr
    assert "after Holm (randomization test by the normal distribution)" in ended.stdout


def test_the_program_prints_what_the_text_says(added: Path) -> None:
    page = added / "page.md"
    page.write_text("".join(re.findall(r"^```console\n.*?^```\n", SECTION, re.MULTILINE | re.DOTALL)), encoding="utf-8")
    assert "--test normal_signs" in page.read_text(encoding="utf-8")
    examples = shutil.copytree(ROOT / "docs" / "examples", added / "examples")
    ended = _run(added, "page", str(page), cwd=examples)
    assert ended.returncode == 0, ended.stderr


def test_the_example_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("normal_signs.py"))
