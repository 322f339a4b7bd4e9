"""The steps of "Add a reader" in CONTRIBUTING.md are taken: the example is declared, keeps the contract, and is used."""

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
SECTION = TEXT.partition("## Add a reader")[2].partition("\n## ")[0]

RUNNER = """
import sys
from pathlib import Path
import plumbline.io.formats

folder, command, *arguments = sys.argv[1:]
plumbline.io.formats.__path__.append(f"{folder}/source")  # the package is walked: here is one more module
if command == "pytest":
    import pytest
    from tests.io import test_every_reader

    test_every_reader.DOCS += Path(folder, "row.md").read_text(encoding="utf-8")
    sys.exit(pytest.main(arguments))
from tests.project.test_docs import check
sys.exit(check(Path(arguments[0]).read_text(encoding="utf-8")) or 0)
"""


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with the file and the row that the section asks for, and nothing else."""
    (declared,), (row,) = _blocks("python"), _blocks("markdown")
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "pairs.py").write_text(declared, encoding="utf-8")
    (tmp_path / "row.md").write_text(row, encoding="utf-8")
    return tmp_path


def _run(folder: Path, *words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A process in which the package has one module more."""
    return subprocess.run(
        [sys.executable, "-c", RUNNER, str(folder), *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_example_keeps_the_contract_of_every_reader(added: Path) -> None:
    contract = [str(ROOT / "tests" / "io" / "test_every_reader.py"), "-k", "pairs or heavy or suffix"]
    ended = _run(added, "pytest", *contract, "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
    assert ended.returncode == 0, ended.stdout
    passed = re.search(r"(\d+) passed", ended.stdout)
    assert passed is not None
    assert int(passed[1]) > 20


def test_the_program_prints_what_the_text_says(added: Path) -> None:
    page = added / "page.md"
    page.write_text("".join(f"```console\n{block}```\n" for block in _blocks("console")), encoding="utf-8")
    assert "--output-reader pairs" in page.read_text(encoding="utf-8")
    examples = shutil.copytree(ROOT / "docs" / "examples", added / "examples")
    ended = _run(added, "page", str(page), cwd=examples)
    assert ended.returncode == 0, ended.stderr


def test_the_example_is_not_there_yet() -> None:
    assert not (ROOT / "src" / "plumbline" / "io" / "formats" / "pairs.py").exists()
