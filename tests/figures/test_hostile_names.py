"""Names of systems, cases, classes and metrics are data: they are shown as they are, and do nothing."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest
import vl_convert

from plumbline.figures.parts import RESERVED, display_names
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import Subject, subject_of
from plumbline.tools.confusion import confusion
from tests.helpers.figure_subjects import CASES, data, draws_results_alone, outputs, result_for, table, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

HOSTILE = (
    "a.b[0]",
    "'+alert(1)+'",
    '"]; alert(1); //',
    "<script>alert(1)</script>",
    "datum.secret",
    "]]><svg onload=alert(1)>",
    "\x1b[31mred",
    "\u202etxt.exe",
    "{{constructor}}",
    "=cmd|' /C calc'!A0",
    "&lt;b&gt;",
    "a\\'b\nc",
)
ALLOWED = {"values", "domain", "title", "subtitle", "description", "title.text"}
"""Where names may stand in a specification: none of these is code or the name of a field."""


@cache
def subject(kind: str) -> Subject:
    if draws_results_alone(kind):
        return result_for(kind, HOSTILE)
    if FIGURES[kind].tasks:
        return outputs(FIGURES[kind].tasks[0], HOSTILE)
    cases = dict(zip(CASES, HOSTILE, strict=True))
    hostile = table(HOSTILE, metrics=("'+m+'", "<i>n</i>"))
    return subject_of(hostile.with_columns(pl.col("case").replace_strict(cases)))


def named_places(drawn: dict[str, Any]) -> set[str]:
    """The properties that hold a hostile text."""
    marks = [*HOSTILE, *display_names(HOSTILE).values(), "'+m+'", "<i>n</i>"]
    results = [at for at, text in texts(drawn) if any(mark in text for mark in marks) and at[0] != "datasets"]
    return {"title.text" if at[-2:] == ("title", "text") else at[-1] for at in results}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in FIGURES if not FIGURES[kind].example_metrics])
def test_names_are_data(kind: str) -> None:
    drawn = FIGURES[kind].draw(subject(kind)).to_dict(validate=False)
    assert named_places(drawn) <= ALLOWED
    fields = {name for row in data(drawn) for name in row}
    assert all(re.fullmatch(r"[a-z_]\w*", name) for name in fields)


@pytest.mark.parametrize("kind", ["bars", "differences", "confusion", "graph"])
def test_names_do_nothing(kind: str) -> None:
    svg = vl_convert.vegalite_to_svg(FIGURES[kind].draw(subject(kind)).to_dict(validate=False))
    tree = ET.fromstring(svg)  # noqa: S314 - our own
    assert not [part.tag for part in tree.iter() if part.tag.endswith("script")]
    assert not [name for part in tree.iter() for name in part.attrib if name.startswith("on") or name.endswith("href")]
    assert "\x1b" not in svg
    assert "\u202e" not in svg


@pytest.mark.parametrize("kind", ["bars", "ranks", "unanimity"])
def test_names_are_shown_as_they_are(kind: str) -> None:
    drawn = FIGURES[kind].draw(subject(kind)).to_dict(validate=False)
    written = {"".join(part.itertext()) for part in ET.fromstring(vl_convert.vegalite_to_svg(drawn)).iter()}  # noqa: S314 - as above
    for name in HOSTILE:
        assert display_names([name])[name] in written


def test_names_never_become_the_same() -> None:
    made = display_names(["a\x1b", "a\\x1b", "", "a", "constructor\N{NO-BREAK SPACE}", "constructor"])
    assert len(set(made.values())) == len(made)
    assert list(made.values())[:4] == ["a\\x1b", "a\\x1b (2)", "(empty name)", "a"]


def marks(names: Sequence[str], metrics: Sequence[str], kind: str) -> Counter[str]:
    """How many marks of each sort a figure has whose systems and cases have these names."""
    if kind == "losses":
        drawn = FIGURES[kind].draw(outputs("ranking", names))
    else:
        cases = dict(zip(CASES, names, strict=True))
        drawn = FIGURES[kind].draw(subject_of(table(names, metrics).with_columns(pl.col("case").replace_strict(cases))))
    svg = vl_convert.vegalite_to_svg(drawn.to_dict(validate=False))
    return Counter(part.tag for part in ET.fromstring(svg).iter())  # noqa: S314 - our own


@pytest.mark.parametrize("kind", ["bars", "differences", "alpha", "scatter", "losses"])
def test_names_that_every_object_has_are_names_like_others(kind: str) -> None:
    plain = [f"x{number}" for number in range(len(RESERVED))]
    assert marks(sorted(RESERVED), ("__proto__", "constructor"), kind) == marks(plain, ("P", "R"), kind)


def test_a_system_called_equal_wins_no_ties() -> None:
    scores = {"P": {"equal": {"a": 0.5, "b": 0.75, "c": 0.25}, "other": {"a": 0.5, "b": 0.5, "c": 0.5}}}
    drawn = FIGURES["differences"].draw(subject_of(scores), systems=("equal", "other")).to_dict()
    assert "1 case: equal is better; 1 case: other is better; 1 case: equal;" in drawn["description"]
    better = {row["case"]: row["better"] for row in data(drawn, "case")}
    assert better == {"a": "1 case: equal", "b": "1 case: equal is better", "c": "1 case: other is better"}


def test_a_class_called_no_answer_is_not_mixed_with_no_answer() -> None:
    gold, given = {"q": {"1": "(no answer)", "2": "x", "3": "x"}}, {"s": {"q": {"1": "x", "2": "(no answer)"}}}
    matrix = confusion(gold, given)
    counts = {(wanted, label): count for wanted, label, count in matrix.cells.select("gold", "given", "count").iter_rows()}
    assert counts == {("(no answer)", "x"): 1, ("x", "(no answer)"): 1, ("x", "(no answer) (2)"): 1}
    assert matrix.grid().heading[1:] == ("(no answer)", "x", "(no answer) (2)")
    drawn = FIGURES["confusion"].draw(subject_of(gold=gold, systems=given, task="classification")).to_dict()
    assert {row["given"] for row in data(drawn, "given")} == {"(no answer)", "x", "(no answer) (2)"}
