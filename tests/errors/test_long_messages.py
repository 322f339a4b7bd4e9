"""Messages about long ids, folders and lines stay short and say what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import plumbline as pb
from plumbline.errors import Diagnostic, Place
from plumbline.errors.base import shortened
from tests.helpers.command_line import plumbline
from tests.helpers.label_forms import file

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BytesIO
    from pathlib import Path

LONG = "x" * 100_000
LIMIT = 2_000


def test_a_long_word_keeps_its_ends() -> None:
    text = f"item {'a' * 200 + 'b' * 40} is listed twice"
    assert shortened("item a is listed twice") == "item a is listed twice"
    assert shortened(text).startswith("item aaaa")
    assert shortened(text).endswith("bbbb is listed twice")
    assert "[156 characters]" in shortened(text)
    assert shortened(shortened(text)) == shortened(text)
    assert len(shortened("many short words " * 1000)) < LIMIT
    assert len(str(Place(LONG))) < LIMIT


@pytest.mark.parametrize(
    ("gold", "output"),
    [
        (f"q 0 {LONG} 1\n", f"q Q0 {LONG} 1 1 t\nq Q0 {LONG} 2 0.5 t\n"),
        (f"{LONG} 0 d 1\n", f"{LONG}y Q0 d 1 1 t\n"),
        ("q 0 d 1\n", f"q Q0 d 1 {LONG} t\n"),
        ("q 0 d 1\n", f"q Q0 d 1 1 t {LONG}\n"),
        ("q 0 d 1\n", '{"q": {"' + "long id " * 9_000 + '": "x"}}'),
    ],
)
def test_errors_about_long_ids_are_short(gold: str, output: str) -> None:
    with pytest.raises(pb.BadData) as caught:
        pb.evaluate(file(gold), {"mine": file(output)}, "AP")
    assert len(str(caught.value)) < LIMIT


@pytest.mark.parametrize("character", ["x", "\u202e", "\x1b", " x"])
def test_a_diagnostic_is_short_whatever_its_parts_are(character: str) -> None:
    """Characters that are spelled out, such as those that turn the direction of text, count as what is printed."""
    long = character * 5_000
    place = Place(long, 10**15, 150, character * (160 // len(character)), 10_000)
    problem = Diagnostic("E133", long, place, long)
    assert len(str(problem)) < LIMIT - len("\nand 1,000,000 more")
    assert len(str(pb.BadData(*[problem] * 1_000))) < LIMIT
    assert re.search(r"\nand 99\d more$", str(pb.BadData(*[problem] * 1_000)))


def test_as_many_problems_are_shown_as_there_is_room_for() -> None:
    twice = "".join(f"m item{number} 1\n" for number in range(30)) * 2
    with pytest.raises(pb.BadData) as caught:
        pb.evaluate(file(twice), file(twice), "Accuracy", task="filtering")
    text = str(caught.value)
    shown = text.count("E133")
    assert LIMIT - 150 < len(text) < LIMIT
    assert (10 < shown < 20, text.endswith(f"and {30 - shown} more")) == (True, True)
    assert text.count("help:") == 1


def test_notices_about_long_ids_are_short() -> None:
    scores = pb.evaluate({LONG: {"a": 1}, "q": {"a": 1}}, {"mine": {"q": {"a": 0.5}, LONG + "y": {"a": 1.0}}}, "AP")
    assert {"N201", "N202"} <= {notice.code for notice in scores.notices}
    assert all(len(str(notice)) < LIMIT for notice in scores.notices)


def test_a_folder_is_called_a_folder(tmp_path: Path) -> None:
    ended = plumbline("compare", str(tmp_path))
    assert (ended.code, "E182 is a folder" in ended.err, f"{tmp_path}/*" in ended.err) == (2, True, True)
    with pytest.raises(pb.BadUsage, match=r"no file in this folder"):
        pb.evaluate(tmp_path, tmp_path, "AP")


def test_a_line_with_too_many_columns_was_not_cut() -> None:
    with pytest.raises(pb.BadData, match=r"7 columns, expected 6 .*; does a value hold a separator") as caught:
        pb.evaluate(file("q 0 d 1\n"), file("q Q0 my doc 1 1 t\n"), "AP")
    assert "cut" not in str(caught.value)
    with pytest.raises(pb.BadData, match=r"5 columns, expected 6 .*; was the file cut"):
        pb.evaluate(file("q 0 d 1\n"), file("q Q0 d 1 1\n"), "AP")


def test_metrics_between_commas_and_metrics_that_look_like_files(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    (tmp_path / "run").write_text("q Q0 d 1 1 t\n")
    paths = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    both = plumbline("evaluate", *paths, "-m", "AP,F(P@10,R@10)", "--format", "csv")
    assert both.out == plumbline("evaluate", *paths, "-m", "AP", "-m", "F(P@10,R@10)", "--format", "csv").out
    assert pb.evaluate(paths[0], paths[1], "AP, nDCG@10").mean["metric"].to_list() == ["AP", "nDCG@10"]
    for command in ("evaluate", "compare"):
        wrong = plumbline(command, *paths, "-m", "AP", "nDCG@10")
        assert (wrong.code, "write -m nDCG@10" in wrong.err) == (2, True)


def table(heading: str, *rows: str) -> BytesIO:
    """A file with a heading and fifty rows or pairs of rows, each with its number."""
    return file("\n".join([heading, *(row.format(number) for number in range(50) for row in rows)]) + "\n")


FINE = table("case,item,level", "q,d{},1")
FIFTY: dict[str, Callable[[], object]] = {
    "E411": lambda: pb.agree(table("item,assessor,grade", "d{},a,0", "d{},a,1", "d{},b,1")),
    "E412": lambda: pb.agree(table("item,assessor,grade", "d{},a,7", "d{},b,1"), scale="0-3", level="ordinal"),
    "E101": lambda: pb.evaluate(table("case,item,grade", "q,d{},1,2"), {"mine": {"q": {"d1": 1.0}}}, "AP"),
    "E106": lambda: pb.evaluate(table("case,item,grade", "q,d{},1e30"), {"mine": {"q": {"d1": 1.0}}}, "AP"),
    "E103": lambda: pb.evaluate(table("case,item,level", "q,d{},inf"), FINE, "Rel", task="organization"),
    "E124": lambda: pb.evaluate(table("case,item,label\nq,x,yes\nq,y,no", "q,d{},"), FINE, "Rel", task="organization"),
    "E146": lambda: pb.evaluate(table("case,item,cluster", "q,d{0},c", "q,d{0},c"), FINE, "Rel", task="organization"),
    "E160": lambda: pb.compare(table("system,case,metric,value\na,x,AP,1\nb,x,AP,1", "a,q{},AP,x", "b,q{},AP,1")),
    "E161": lambda: pb.compare(table("system,case,metric,value\nb,x,AP,1", "a,q{},AP,0", "a,q{},AP,1")),
}


@pytest.mark.parametrize("code", FIFTY)
def test_problems_that_are_not_shown_are_counted(code: str) -> None:
    with pytest.raises(pb.BadData) as caught:
        FIFTY[code]()
    text = str(caught.value)
    assert (caught.value.code, text.splitlines()[-1]) == (code, f"and {50 - text.count(code)} more")
