"""The steps of "Add an option" in CONTRIBUTING.md are taken in a copy of the package, and both options are everywhere."""

from __future__ import annotations

import json
import os
import re
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
PREFIX_RECORD, PREFIX_USE, GRADE_RECORD, GRADE_USE = code_blocks(SECTION, "python")
OPTIONS = "options/evaluation.py"
EDITS = (
    (OPTIONS, PREFIX_RECORD, "    depth: Annotated[\n"),
    ("evaluation/evaluation.py", PREFIX_USE, "                if called in taken:\n"),
    (OPTIONS, GRADE_RECORD, "    depth: Annotated[\n"),
    ("align/ranking.py", GRADE_USE, "    policy, ordered = options.policy, options.needs != {RELATIONS}\n"),
)
"""The file of each block, and the line before which it goes."""
NAMES = ("name_prefix", "highest_grade")
IN_PYTHON = """
import json, plumbline
gold, run = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1.0, "b": 2.0}}
scores = plumbline.evaluate(gold, {"x": run}, "nDCG", name_prefix="old-", highest_grade=1)
reused = plumbline.Evaluator(gold, "nDCG", highest_grade=1)
messages = []
for wrong in ({"name_prefx": "old-"}, {"highest_grad": 1}, {"highest_grade": -1}, {"highest_grade": 1, "task": "filtering"}):
    try:
        plumbline.evaluate(gold, {"x": run}, **wrong)
    except plumbline.BadUsage as refused:
        messages.append(str(refused))
means = [plumbline.evaluate(gold, {"x": run}, "nDCG").mean, scores.mean, *(reused.evaluate(run).mean for _ in range(2))]
made = scores.made["options"]
print(json.dumps([scores.mean["system"].to_list(), [mean["value"][0] for mean in means], made, messages]))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with the records, and with the lines that go by them."""
    folder = tmp_path_factory.mktemp("options")
    package = folder / "plumbline"
    shutil.copytree(ROOT / "src" / "plumbline", package)
    for name, text, before in EDITS:
        old = (package / name).read_text(encoding="utf-8")
        assert old.count(before) == 1
        (package / name).write_text(old.replace(before, text + before), encoding="utf-8")
    return folder


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


def test_each_option_takes_two_source_files() -> None:
    assert all(len({file for file, text, _ in EDITS if name in text}) == 2 for name in NAMES)


def test_the_options_work_at_the_shell(copy: Path) -> None:
    blocks = code_blocks(SECTION, "console")
    assert all(any(f"--{name.replace('_', '-')} " in block for block in blocks) for name in NAMES)
    page = copy / "page.md"
    page.write_text("".join(f"```console\n{block}```\n" for block in blocks), encoding="utf-8")
    examples = shutil.copytree(ROOT / "docs" / "examples", copy / "examples")
    python(copy, "-c", f"import sys\n{CHECK_PAGE}", str(page), cwd=examples)


def test_the_options_work_in_python_and_are_remembered_suggested_and_refused(copy: Path) -> None:
    systems, means, remembered, messages = json.loads(python(copy, "-c", IN_PYTHON))
    assert systems == ["old-x"]
    assert means[0] < 1
    assert means[1:] == [1.0] * 3
    assert remembered == {"name_prefix": "old-", "highest_grade": 1}
    for expected, message in zip(
        ("name_prefix", "did you mean highest_grade?", "of at least 0", "E325"), messages, strict=True
    ):
        assert expected in message


def test_the_options_keep_the_contract_of_every_option(copy: Path) -> None:
    tried = copy / "test_options.py"
    values = re.findall(r'`("highest_grade": [^`]*)`', SECTION)
    old = (ROOT / "tests" / "evaluation" / "test_options.py").read_text(encoding="utf-8")
    assert old.count("GIVEN: dict[str, Any] = {\n") == len(values) == 1
    tried.write_text(
        old.replace("GIVEN: dict[str, Any] = {\n", f"GIVEN: dict[str, Any] = {{\n    {values[0]},\n"), encoding="utf-8"
    )
    flags = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(ROOT), "-k", "option")
    printed = python(copy, "-m", "pytest", *flags, "tests/cli/test_every_option.py", str(tried))
    assert "passed" in printed
    shown = python(copy, "-m", "plumbline", "evaluate", "--help")
    assert "--name-prefix TEXT" in shown
    assert "--highest-grade NUMBER" in shown


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_are_not_there_yet(name: str) -> None:
    assert name not in (ROOT / "src" / "plumbline" / OPTIONS).read_text(encoding="utf-8")
