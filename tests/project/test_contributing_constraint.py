"""The constraint of CONTRIBUTING.md is declared, tested and audited, with no other file changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a constraint\n")[2].partition("\n## ")[0]

RUNNER = """
import sys
import plumbline.audits.constraints

folder, command, *arguments = sys.argv[1:]
plumbline.audits.constraints.__path__.append(folder)  # the package is walked: here is one more module
if command == "pytest":
    import pytest
    sys.exit(pytest.main(arguments))
from pathlib import Path
from tests.project.test_docs import check
sys.exit(check(Path(arguments[0]).read_text(encoding="utf-8")) or 0)
"""


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with the module that the page tells to write."""
    (declared,) = re.findall(r"^```python\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    (tmp_path / "replacement.py").write_text(declared, encoding="utf-8")
    return tmp_path


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, in which the package has one module more."""
    return subprocess.run(
        [sys.executable, "-c", RUNNER, str(folder), *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_example_keeps_the_contract_of_every_constraint(added: Path) -> None:
    contract = str(ROOT / "tests" / "audits" / "test_every_constraint.py")
    ended = _run(added, "pytest", contract, "-k", "replacement", "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
    assert ended.returncode == 0, ended.stdout
    assert "6 passed" in ended.stdout


def test_the_table_in_the_text_is_what_the_program_prints(added: Path) -> None:
    page = added / "page.md"
    page.write_text("".join(re.findall(r"^```console\n.*?^```\n", SECTION, re.MULTILINE | re.DOTALL)), encoding="utf-8")
    assert "no (74%)" in page.read_text(encoding="utf-8")
    ended = _run(added, "page", str(page))
    assert ended.returncode == 0, ended.stderr


def test_the_example_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("replacement.py"))
