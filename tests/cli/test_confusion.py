"""plumbline confusion and plumbline.confusion: which class was taken for which."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import plumbline as pb
from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path

GOLD = "q\ta\tx\nq\tb\ty\nq\tc\ty\nr\td\tx\n"
GIVEN = "q\ta\tx\nq\tb\tz\nr\td\ty\n"
CELLS = [("q", "x", "x", 1), ("q", "y", "(no answer)", 1), ("q", "y", "z", 1), ("r", "x", "y", 1)]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gold and two classifiers in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("gold.tsv", GOLD), ("given.tsv", GIVEN), ("right.tsv", GOLD)):
        (tmp_path / name).write_text(text, encoding="utf-8")


def shown(*options: object) -> str:
    ended = plumbline("confusion", "gold.tsv", "given.tsv", *options)
    assert ended.code == 0, ended.err
    return ended.out


def test_table() -> None:
    out = shown()
    assert re.search(r"gold \\ given +x +y +z +\(no answer\)", out)
    assert re.search(r"x +1 +1 +0 +0", out)
    assert re.search(r"y +0 +0 +1 +1", out)
    assert "given, all cases: rows are the gold's classes, columns the given ones" in out


def test_one_case() -> None:
    assert re.search(r"x +0 +1 +0 *\n", shown("--case", "r"))
    assert shown("--case", "r", "--format", "csv").splitlines()[1:] == ["given,r,x,y,1"]


@pytest.mark.parametrize("form", ["table", "csv", "md", "latex"])
def test_a_case_that_is_not_there(form: str) -> None:
    ended = plumbline("confusion", "gold.tsv", "given.tsv", "--case", "s", "--format", form)
    assert (ended.code, ended.out) == (2, "")
    assert "E308 there is no case 's'\n  help: did you mean q or r?" in ended.err


def test_csv_has_every_system_and_case() -> None:
    rows = plumbline("confusion", "gold.tsv", "given.tsv", "right.tsv", "--format", "csv").out.splitlines()
    assert rows[0] == "system,case,gold,given,count"
    assert [row for row in rows if row.startswith("given,")] == [",".join(("given", *map(str, cell))) for cell in CELLS]
    assert "right,q,y,y,2" in rows


def test_markdown_and_latex() -> None:
    assert "| x | **1** | 1 | 0 | 0 |" in shown("--format", "md")
    assert r"y & 0 & \textbf{0} & 1 & 1 \\" in shown("--format", "latex")


@pytest.mark.parametrize("form", ["table", "csv", "md", "latex"])
def test_into_a_file(tmp_path: Path, form: str) -> None:
    assert shown("--format", form, "-o", "out") == ""
    written = (tmp_path / "out").read_text(encoding="utf-8")
    if form != "table":
        assert written == shown("--format", form)
    assert "(no answer)" in written
    again = plumbline("confusion", "gold.tsv", "given.tsv", "-o", "out")
    assert again.code == 2
    assert "E011" in again.err
    assert shown("--format", form, "-o", "out", "--force") == ""


def test_of_a_filter() -> None:
    out = shown("--task", "filtering", "--positive", "x")
    assert re.search(r"positive +1 +1", out)
    assert re.search(r"negative +0 +2", out)


def test_notices_and_refusals() -> None:
    assert "N220 1 of 4 items without an answer" in plumbline("confusion", "gold.tsv", "given.tsv").err
    assert plumbline("confusion", "gold.tsv", "given.tsv", "--strict").code == 1
    several = plumbline("confusion", "gold.tsv", "given.tsv", "--multilabel")
    assert several.code == 2
    assert "a confusion matrix needs one label per item" in several.err


def test_in_python() -> None:
    matrix = pb.confusion("gold.tsv", {"given": "given.tsv", "right": "right.tsv"})
    assert matrix.systems == ("given", "right")
    assert matrix.classes == ("x", "y", "z")
    assert matrix.cells.filter(matrix.cells["system"] == "given").drop("system").rows() == CELLS
    assert matrix.counts("r")["count"].sum() == 2
    assert matrix.to_markdown("right").count("**2**") == 2
    assert "toprule" in matrix.to_latex("right", "q")
    assert "(no answer)" in repr(matrix)
    assert "<table" in matrix._repr_html_()
    with pytest.raises(pb.BadUsage, match="no system 'wrong'"):
        matrix.grid("wrong")


def test_arrays_in_python() -> None:
    matrix = pb.confusion(["a", "b", "b"], ["a", "a", "b"])
    assert matrix.cells.select("gold", "given", "count").rows() == [("a", "a", 1), ("b", "a", 1), ("b", "b", 1)]
