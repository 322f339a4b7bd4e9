"""The steps of "Add a command" in CONTRIBUTING.md are taken: the example is found, keeps the contract, and is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import ROOT, Extension, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add a command")
SHOW_HELP = """
from plumbline.cli.app import run
run(["--help"])
"""


@pytest.fixture
def extension(tmp_path: Path) -> Extension:
    """The module and the line with which it is tried, and nothing else."""
    (declared,) = code_blocks(SECTION, "python")
    add_line = "from tests.cli import test_every_command_fits\ntest_every_command_fits.LINES['cases'] = 'bm25.run dense.run'\n"
    assert '`"cases": "bm25.run dense.run"`' in SECTION
    return Extension(tmp_path, {"plumbline.cli.commands.cases": declared}, add_line)


def test_the_example_keeps_the_contract_of_every_command(extension: Extension) -> None:
    tests = ROOT / "tests" / "cli"
    tried = f"{tests / 'test_every_command_fits.py'}::test_every_command_is_tried"
    assert extension.count_passed(str(tests / "test_every_command.py"), tried, "-k", "cases or all or tried") > 5


def test_the_program_prints_what_the_text_says(extension: Extension) -> None:
    extension.check_console_blocks(SECTION, containing="plumbline cases")
    assert "cases    Count the cases of each file." in extension.run_python(SHOW_HELP).stdout


def test_its_row_is_one_of_the_table_of_commands() -> None:
    (row,) = code_blocks(SECTION, "markdown")
    assert "| `plumbline check` |" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert row.startswith("| `plumbline cases` |")


def test_the_example_is_not_there_yet() -> None:
    assert not (ROOT / "src" / "plumbline" / "cli" / "commands" / "cases.py").exists()
