"""Relevance strings by hand."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.draw import draw, text_score


@pytest.mark.parametrize(
    ("name", "drawn", "expected"),
    [
        ("RelString", "R N - 2 x", "10-2."),
        ("RelString@3", "R N - 2 x", "10-"),
        ("RelString", "- - R", "--1"),
        ("RelString", "R - -", "1--"),
        ("RelString", "9 10 2.7", "9>2"),
        ("RelString@2", "- - R", "--"),
        ("RelString", " ".join("R" * 12), "1" * 10),
        ("RelString@12", " ".join("-" * 12), "-" * 12),
    ],
)
def test_by_hand(name: str, drawn: str, expected: str) -> None:
    assert text_score(name, draw(drawn, unseen="R")) == expected


def test_an_empty_list_is_an_empty_string() -> None:
    assert text_score("RelString", draw("", unseen="R")) == ""


GOLD, RUN = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}, {"q1": {"a": 0.9, "x": 0.8, "b": 0.7}, "q2": {"c": 0.5}}


def test_why_shows_the_string() -> None:
    why = plumbline.why(GOLD, RUN, "RelString", case="q1")
    assert (why.value, why.text) == (None, "2-0")
    assert str(why).startswith("RelString@10 of system in case q1: 2-0\n")


@pytest.mark.parametrize("name", ["F(RelString,AP)", "F(AP,F(P@2,relstring_5))"])
def test_a_string_is_not_combined(name: str) -> None:
    with pytest.raises(plumbline.BadUsage, match="text, not a number"):
        plumbline.evaluate(GOLD, RUN, name)


def test_strings_are_not_compared() -> None:
    with pytest.raises(plumbline.BadUsage, match=r"RelString@10, RelString@5: text, not a number"):
        plumbline.compare(GOLD, {"one": RUN, "two": RUN}, ["RelString", "relstring_5"])
