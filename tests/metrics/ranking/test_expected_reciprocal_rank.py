"""Expected reciprocal rank by hand."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("ERR", "1", "", 1 / 2),
        ("ERR", "0 1", "", 1 / 2 * 1 / 2),
        ("ERR", "1 1", "", 1 / 2 + 1 / 2 * 1 / 2 * 1 / 2),
        ("ERR", "2 1", "", 3 / 4 + 1 / 2 * 1 / 4 * 1 / 4),
        ("ERR@1", "2 1", "", 3 / 4),
        ("ERR", "1", "2", 1 / 4),  # the top grade is that of the gold, shown or not
        ("ERR(gmax=4)", "2 1", "", 3 / 16 + 1 / 2 * 1 / 16 * 13 / 16),
        ("ERR", "x 1", "", 1 / 2 * 1 / 2),
        ("ERR", "0.5", "", (2**0.5 - 1) / 2),
        ("ERR", "60 60", "", 1.0),  # a chance that a float does not tell from 1
        ("ERR", "N", "", None),
        ("ERR(prob=given)", "0.5 0.4", "", 0.5 + 0.5 * 0.4 / 2),
        ("ERR(prob=given)@1", "0.5 0.4", "", 0.5),
        ("ERR(prob=given)", "1 0.4", "", 1.0),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_the_top_grade_is_that_of_the_whole_gold() -> None:
    scores = plumbline.evaluate({"a": {"x": 1}, "b": {"x": 3}}, {"a": {"x": 1}, "b": {"x": 1}}, ["ERR"])
    assert scores.per_case["value"].to_list() == [pytest.approx(1 / 8), pytest.approx(7 / 8)]


def test_a_grade_above_one_is_not_a_probability() -> None:
    with pytest.raises(plumbline.BadData) as caught:
        score("ERR(prob=given)", draw("2"))
    assert "not a probability" in str(caught.value)


def test_a_grade_above_the_given_top_is_refused() -> None:
    with pytest.raises(plumbline.BadData) as caught:
        score("ERR(gmax=1)", draw("2"))
    assert caught.value.code == "E119"
