"""Notices that say the same about several files are printed once; the result keeps all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plumbline as pb
from plumbline.errors import Diagnostic, Place
from plumbline.errors.condensing import MOST_OF_A_KIND, condensed
from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path

GOLD = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d2": 0}}


def note(path: str, text: str = "no", code: str = "N201", line: int | None = None) -> Diagnostic:
    """A notice about a file."""
    return Diagnostic(code, text, Place(path, line))


def test_what_is_equal_is_written_once() -> None:
    one, other = note("a"), note("b", "yes", "N202")
    assert condensed([one, other]) == [one, other]
    assert condensed([one, other, note("c")]) == [Diagnostic("N201", "no (2 inputs: a, c)"), other]
    assert condensed([one, note("a", "no", "N202")]) == [one, note("a", "no", "N202")], "another code is another fact"
    lines = [note("a", line=1), note("a", line=2)]
    assert condensed(lines) == lines, "two lines of a file are two places"


def test_many_of_a_kind_are_counted() -> None:
    alike = [note(f"f{number}", f"{number} cases") for number in range(MOST_OF_A_KIND + 1)]
    assert condensed(alike) == alike
    many = [note(f"f{number}", f"{number} cases") for number in range(16)]
    *first, last = condensed(many)
    assert first == many[:MOST_OF_A_KIND]
    assert last.text == "the same kind of notice about 13 further inputs: f3, f4, f5, f6, f7 and 8 more"


def test_sixteen_systems_that_lack_a_case_take_one_line(tmp_path: Path) -> None:
    systems = {f"s{number}": {"q1": {"d1": 0.5}} for number in range(16)}
    scores = pb.evaluate(GOLD, systems, "AP")
    assert sum(notice.code == "N201" for notice in scores.notices) == 16
    assert repr(scores).count("N201") == 1
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    for name in systems:
        (tmp_path / f"{name}.run").write_text(f"q1 Q0 d1 1 0.5 {name}\n")
    paths = [str(tmp_path / "qrels"), *(str(tmp_path / f"{name}.run") for name in systems)]
    short, long = (plumbline("evaluate", *paths, "-m", "AP", *more).err for more in ([], ["--verbose"]))
    assert short.count("N201") == 1
    assert "(16 inputs: " in short
    assert long.count("N201") == 16


def test_the_case_stands_beside_an_item() -> None:
    gold = {"q1": {"a": "x", "b": "y"}, "q2": {"a": "y", "c": "x"}}
    output = {"q1": {"a": "x", "c": "y"}, "q2": {"a": "y"}}
    for task in ("classification", "clustering"):
        text_of = {one.code: one.text for one in pb.evaluate(gold, {"mine": output}, task=task).notices}
        assert text_of["N219"] == "1 item not in the gold, ignored: c in q1"
        assert text_of["N220"].endswith("b in q1, c in q2")
    alone = pb.evaluate(gold["q1"], {"mine": {"a": "x", "c": "y"}}, task="classification")
    assert next(one.text for one in alone.notices).endswith("ignored: c")


def test_a_gold_is_not_called_an_output(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 d1 1\n#q 0 d1 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 0.5 a\n#q Q0 d1 1 0.5 a\n")
    ended = plumbline("evaluate", tmp_path / "qrels", tmp_path / "a.run", "-m", "AP")
    assert "was read as a comment (2 inputs: " in ended.err
