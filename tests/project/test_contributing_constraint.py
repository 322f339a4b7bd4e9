"""The constraint of CONTRIBUTING.md is declared, tested and audited, with no other file changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import ROOT, Extension, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add a constraint")


@pytest.fixture
def extension(tmp_path: Path) -> Extension:
    """The module of the section."""
    (declared,) = code_blocks(SECTION, "python")
    return Extension(tmp_path, {"plumbline.audits.constraints.replacement": declared})


def test_the_example_keeps_the_contract_of_every_constraint(extension: Extension) -> None:
    contract = str(ROOT / "tests" / "audits" / "test_every_constraint.py")
    assert extension.count_passed(contract, "-k", "replacement") == 6


def test_the_table_in_the_text_is_what_the_program_prints(extension: Extension) -> None:
    extension.check_console_blocks(SECTION, containing="no (74%)")


def test_the_example_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("replacement.py"))
