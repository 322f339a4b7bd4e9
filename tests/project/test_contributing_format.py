"""The step of "Add an output format" in CONTRIBUTING.md is taken: the example renders every result and is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import ROOT, Extension, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add an output format")


@pytest.fixture
def extension(tmp_path: Path) -> Extension:
    """The module of the section."""
    (declared,) = code_blocks(SECTION, "python")
    return Extension(tmp_path, {"plumbline.render.org": declared})


def test_the_example_has_the_properties_of_every_format(extension: Extension) -> None:
    assert extension.count_passed(str(ROOT / "tests" / "render" / "test_every_format.py"), "-k", "org") > 0


def test_the_program_prints_what_the_text_says(extension: Extension) -> None:
    extension.check_console_blocks(SECTION, containing="--format org")


def test_the_example_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("org.py"))
