"""The steps of "Add an option" in CONTRIBUTING.md are taken in a copy of the package, and the option is everywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import CHECK_PAGE, ROOT, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add an option")
RECORD, USE = code_blocks(SECTION, "python")
OPTIONS, PLACE = "options/evaluation.py", "evaluation/evaluation.py"
IN_PYTHON = """
import json, plumbline
gold, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}
scores = plumbline.evaluate(gold, {"x": run}, "AP", name_prefix="old-")
try:
    plumbline.evaluate(gold, {"x": run}, "AP", name_prefx="old-")
except plumbline.BadUsage as refused:
    message = str(refused)
print(json.dumps([scores.mean["system"].to_list(), scores.made["options"]["name_prefix"], message]))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package with the record, and with the line that goes by it."""
    package = tmp_path / "plumbline"
    shutil.copytree(ROOT / "src" / "plumbline", package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text, before in (
        (OPTIONS, RECORD, "    depth: Annotated[\n"),
        (PLACE, USE, "                if called in taken:\n"),
    ):
        old = (package / name).read_text(encoding="utf-8")
        assert old.count(before) == 1
        (package / name).write_text(old.replace(before, text + before), encoding="utf-8")
    return tmp_path


def python(copy: Path, *words: str, cwd: Path = ROOT) -> str:
    """What Python prints that imports the copy."""
    ended = subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(copy), str(ROOT)]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_the_option_works_at_the_shell(copy: Path) -> None:
    page = copy / "page.md"
    page.write_text("".join(f"```console\n{block}```\n" for block in code_blocks(SECTION, "console")), encoding="utf-8")
    examples = shutil.copytree(ROOT / "docs" / "examples", copy / "examples")
    python(copy, "-c", f"import sys\n{CHECK_PAGE}", str(page), cwd=examples)


def test_the_option_works_in_python_is_remembered_and_suggested(copy: Path) -> None:
    systems, remembered, message = json.loads(python(copy, "-c", IN_PYTHON))
    assert systems == ["old-x"]
    assert remembered == "old-"
    assert "name_prefix" in message


def test_the_option_keeps_the_contract_of_every_option(copy: Path) -> None:
    printed = python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/cli/test_every_option.py")
    assert "passed" in printed
    assert "--name-prefix TEXT" in python(copy, "-m", "plumbline", "evaluate", "--help")


def test_the_example_is_not_there_yet() -> None:
    assert "name_prefix" not in (ROOT / "src" / "plumbline" / OPTIONS).read_text(encoding="utf-8")
