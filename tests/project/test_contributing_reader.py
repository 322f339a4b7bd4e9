"""The steps of "Add a reader" in CONTRIBUTING.md are taken: the example is declared, keeps the contract, and is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import ROOT, Extension, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add a reader")


@pytest.fixture
def extension(tmp_path: Path) -> Extension:
    """The module and the row of the docs that the section asks for, and nothing else."""
    (declared,), (row,) = code_blocks(SECTION, "python"), code_blocks(SECTION, "markdown")
    add_row = f"from tests.io import test_every_reader\ntest_every_reader.DOCS += {row!r}\n"
    return Extension(tmp_path, {"plumbline.io.formats.pairs": declared}, add_row)


def test_the_example_keeps_the_contract_of_every_reader(extension: Extension) -> None:
    contract = str(ROOT / "tests" / "io" / "test_every_reader.py")
    assert extension.count_passed(contract, "-k", "pairs or heavy or suffix") > 20


def test_the_program_prints_what_the_text_says(extension: Extension) -> None:
    extension.check_console_blocks(SECTION, containing="--output-reader pairs")


def test_the_example_is_not_there_yet() -> None:
    assert not (ROOT / "src" / "plumbline" / "io" / "formats" / "pairs.py").exists()
