"""The steps of "Add a significance test" in CONTRIBUTING.md are taken: the example is declared, compared, printed and cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import ROOT, Extension, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add a significance test")
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
def extension(tmp_path: Path) -> Extension:
    """The module of the section, and its oracle among the others."""
    declared, oracle = code_blocks(SECTION, "python")
    add_oracle = f"from tests.helpers import significance_oracles\nexec({oracle!r}, vars(significance_oracles))\n"
    return Extension(tmp_path, {"plumbline.comparison.significance.normal_signs": declared}, add_oracle)


def test_the_example_has_the_properties_of_every_test(extension: Extension) -> None:
    properties = str(ROOT / "tests" / "comparison" / "significance" / "test_every_test.py")
    assert extension.count_passed(properties, "-k", "normal_signs") > 0


def test_the_example_is_compared_by_printed_and_cited(extension: Extension, tmp_path: Path) -> None:
    ended = extension.run_python(USED, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "is better than" in ended.stdout


def test_the_program_prints_what_the_text_says(extension: Extension) -> None:
    extension.check_console_blocks(SECTION, containing="--test normal_signs")


def test_the_example_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("normal_signs.py"))
