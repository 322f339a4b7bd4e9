"""Counts by hand; their summary is the sum."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("NumQ", "R N -", "", 1.0),
        ("NumRet", "R N -", "", 3.0),
        ("NumRet", "", "R", 0.0),
        ("NumRel", "R N -", "R R", 3.0),
        ("NumRel(rel=2)", "2 1", "3", 2.0),
        ("NumRel", "N", "", 0.0),
        ("NumRelRet", "R N R", "R", 2.0),
        ("NumNonRelJudgedRet", "R N - x", "", 1.0),
        ("NumNonRelJudgedRet(rel=2)", "1 2 0", "", 2.0),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_counts_are_summed() -> None:
    gold, run = {"a": {"x": 1}, "b": {"x": 1, "y": 1}}, {"a": {"x": 1, "z": 2}, "b": {"x": 1}}
    scores = plumbline.evaluate(gold, run, ["NumQ", "NumRet", "NumRel", "NumRelRet"])
    assert scores.mean["value"].to_list() == [2.0, 3.0, 3.0, 2.0]
