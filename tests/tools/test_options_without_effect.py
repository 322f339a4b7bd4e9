"""Options of convert and check that would change nothing are refused or noticed; those that messages name are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import plumbline as pb
from tests.helpers.command_line import plumbline
from tests.helpers.label_forms import codes, file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("q 0 d 1\n", {"order": "rank"}),
        ("item,label\na,x\n", {"order": "file", "task": "classification"}),
        ("q 0 d 1\n", {"label_separator": "|"}),
        ("q Q0 d 1 1 t\n", {"order": "rank", "role": "gold"}),
    ],
)
def test_convert_refuses_what_changes_nothing(text: str, options: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(text)
    with pytest.raises(pb.PlumblineError, match=r"E325|E339"):
        pb.convert(tmp_path / "in.txt", tmp_path / "out.csv", **options)
    assert not (tmp_path / "out.csv").exists()


def test_convert_takes_what_changes_something(tmp_path: Path) -> None:
    (tmp_path / "in.run").write_text("q Q0 a 2 9 t\nq Q0 b 1 5 t\n")
    pb.convert(tmp_path / "in.run", tmp_path / "out.csv", order="rank")
    assert (tmp_path / "out.csv").read_text() == "case,item,score\nq,a,-2.0\nq,b,-1.0\n"


def test_check_has_the_options_that_its_messages_name(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\nr 0 d 1\n")
    (tmp_path / "run").write_text("q Q0 d 1 1 t\nq Q0 d 2 0.5 t\n")
    paths = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    wrong = plumbline("check", *paths)
    assert (wrong.code, "--on-duplicate first|last|best" in wrong.out) == (1, True)
    assert plumbline("check", *paths, "--on-duplicate", "first").code == 0
    assert "E118" in plumbline("check", *paths, "--on-duplicate", "first", "--missing", "error").out
    assert pb.check(paths, on_duplicate="first").ok


@pytest.mark.parametrize("task", ["classification", "clustering"])
def test_a_separator_that_splits_nothing_is_noticed(task: str) -> None:
    several, single = "a,x|y\nb,y\n", "a,x\nb,y\n"
    assert "N296" in codes(file(single), file(single), [], task, label_separator="|")
    assert "N296" not in codes(file(several), file(single), [], task, label_separator="|")
