"""check() takes patterns as evaluate() does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import plumbline

if TYPE_CHECKING:
    from pathlib import Path


def test_the_files_of_a_pattern_are_checked(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.run").write_text("q1 Q0 d1 1 1.0 x\n")
    checked = plumbline.check(str(tmp_path / "*.run"))
    assert [file.path for file in checked.files] == [str(tmp_path / "a.run"), str(tmp_path / "b.run")]
    assert checked.ok


def test_a_pattern_without_files_is_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(plumbline.BadUsage, match="E009"):
        plumbline.check(str(tmp_path / "*.run"))


def test_a_file_may_have_the_name_of_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "[a].run").write_text("q1 Q0 d1 1 1.0 x\n")
    assert plumbline.check(str(tmp_path / "[a].run")).ok


def test_a_problem_of_the_gold_is_said_once(tmp_path: Path) -> None:
    for name in ("gold", "one", "two"):
        (tmp_path / f"{name}.tsv").write_text("m1\tspam\nm2\tham\n")
    checked = plumbline.check([tmp_path / f"{name}.tsv" for name in ("gold", "one", "two")], task="filtering")
    assert repr(checked).count("E127") == 1
