"""The step of "Add an output format" in CONTRIBUTING.md is taken: the example renders every result and is printed."""

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
SECTION = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add an output format")[2].partition("\n## ")[0]
RUNNER = """
import sys
from pathlib import Path
import plumbline.render

folder, command, *arguments = sys.argv[1:]
plumbline.render.__path__.append(f"{folder}/modules")  # the package is walked: here is one more module
if command == "pytest":
    import pytest
    sys.exit(pytest.main(arguments))
from tests.project.test_docs import check
sys.exit(check(Path(arguments[0]).read_text(encoding="utf-8")) or 0)
"""


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with the file that the section asks for."""
    (declared,) = re.findall(r"^```python\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "org.py").write_text(declared, encoding="utf-8")
    return tmp_path


def _run(folder: Path, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A process in which the package has one module more."""
    return subprocess.run(
        [sys.executable, "-c", RUNNER, str(folder), *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_example_has_the_properties_of_every_format(added: Path) -> None:
    properties = [str(ROOT / "tests" / "render" / "test_every_format.py"), "-k", "org"]
    ended = _run(added, "pytest", *properties, "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
    assert ended.returncode == 0, ended.stdout
    assert " passed" in ended.stdout


def test_the_program_prints_what_the_text_says(added: Path) -> None:
    page = added / "page.md"
    page.write_text("".join(re.findall(r"^```console\n.*?^```\n", SECTION, re.MULTILINE | re.DOTALL)), encoding="utf-8")
    assert "--format org" in page.read_text(encoding="utf-8")
    examples = shutil.copytree(ROOT / "docs" / "examples", added / "examples")
    ended = _run(added, "page", str(page), cwd=examples)
    assert ended.returncode == 0, ended.stderr


def test_the_example_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("org.py"))
