"""Rank-biased precision by hand."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("RBP(p=0.5)", "R N R", "", 0.5 + 0.125),
        ("RBP", "N R", "", 0.2 * 0.8),
        ("RBP(p=0.5,rel=2)", "1 2", "", 0.25),
        ("RBP(p=0.5,gain=linear)", "1 2", "4", 0.5 * 1 / 4 + 0.25 * 2 / 4),
        ("RBP(p=0.5,gain=linear)", "0.5", "1", 0.5 * 0.5),
        ("RBP(p=0.5,gain=case)", "x 2", "4", 0.25 * 2 / 4),
        ("RBP", "N", "", None),
        ("RBPResidual(p=0.5)", "R - N", "", 0.25 + 0.125),  # the second place and all after the third
        ("RBPResidual(p=0.5)", "R x", "", 0.25 + 0.25),
        ("RBPResidual(p=0.5)", "R N", "", 0.0),  # as in trec_eval: every item is judged
        ("RBPResidual(p=0.5)", "-", "R", 1.0),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_top_grade_of_the_gold_or_of_the_case() -> None:
    gold, run = {"a": {"x": 1}, "b": {"x": 2}}, {"a": {"x": 1}, "b": {"x": 1}}
    scores = plumbline.evaluate(gold, run, ["RBP(p=0.5,gain=linear)", "RBP(p=0.5,gain=case)"])
    assert scores.per_case["value"].to_list() == [0.25, 0.5, 0.5, 0.5]


def test_value_and_residual_fill_the_whole_where_all_judged_items_are_relevant() -> None:
    drawn = draw("R - - R R -")
    value, residual = score("RBP", drawn), score("RBPResidual", drawn)
    assert value is not None
    assert residual is not None
    assert value + residual == pytest.approx(1.0)
