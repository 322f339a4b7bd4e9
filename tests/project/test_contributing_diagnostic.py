"""The diagnostic of CONTRIBUTING.md is declared, tested and explained, with no other file changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import ROOT, Extension, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add a diagnostic")
PRINT_SPELLINGS = """
from plumbline.errors import Place, grades
from plumbline.errors.faces import spelling
problem = grades.letter_grade(Place("run.txt", 3), "B")
print(problem)
with spelling("shell"):
    print(problem)
"""


@pytest.fixture
def extension(tmp_path: Path) -> Extension:
    """The module of the section."""
    (declared,) = code_blocks(SECTION, "python")
    return Extension(tmp_path, {"plumbline.errors.grades": declared})


def test_the_example_keeps_the_contract_of_every_diagnostic(extension: Extension) -> None:
    contract = str(ROOT / "tests" / "errors" / "test_every_diagnostic.py")
    assert extension.count_passed(contract, "-k", "not somewhere") > 0


def test_the_example_has_two_spellings(extension: Extension) -> None:
    assert extension.run_python(PRINT_SPELLINGS).stdout.splitlines() == [
        "run.txt:3: E899 grade 'B' is a letter",
        "  help: write numbers; from rel=NUMBER on an item is relevant",
        "run.txt:3: E899 grade 'B' is a letter",
        "  help: write numbers; from --rel NUMBER on an item is relevant",
    ]


def test_the_explanation_in_the_text_is_what_the_program_prints(extension: Extension) -> None:
    extension.check_console_blocks(SECTION, containing="plumbline explain E899")
