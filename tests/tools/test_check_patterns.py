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


def test_the_files_of_a_folder_are_one_system_or_one_gold(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "first.txt").write_text("q1 0 d1 1\n")
    (folder / "second.txt").write_text("q2 0 d1 1\n")
    (gold,) = plumbline.check(folder).files
    assert (gold.role, gold.rows, gold.cases) == ("gold", 2, 2)
    runs = tmp_path / "runs"
    runs.mkdir()
    for name in ("a", "b"):
        (runs / f"{name}.run").write_text(f"q1 Q0 d1 1 1.0 {name}\n")
    (one,) = plumbline.check(runs).files
    assert one.diagnostics[0].code == "E187"
    both = plumbline.check([folder, f"{runs}/*"])
    assert [(file.role, file.rows) for file in both.files] == [("gold", 2), ("output", 1), ("output", 1)]
    (tmp_path / "empty").mkdir()
    with pytest.raises(plumbline.BadUsage, match="no file"):
        plumbline.check(tmp_path / "empty")


def test_a_file_may_have_the_name_of_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "[a].run").write_text("q1 Q0 d1 1 1.0 x\n")
    assert plumbline.check(str(tmp_path / "[a].run")).ok


def test_a_problem_of_the_gold_is_said_once(tmp_path: Path) -> None:
    for name in ("gold", "one", "two"):
        (tmp_path / f"{name}.tsv").write_text("m1\tspam\nm2\tham\n")
    checked = plumbline.check([tmp_path / f"{name}.tsv" for name in ("gold", "one", "two")], task="filtering")
    assert repr(checked).count("E127") == 1
