"""Judged and unjudged shares by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("Judged@2", "R - N", "", 1 / 2),
        ("Judged@5", "R - N", "", 2 / 3),  # a short list by its own length
        ("Judged@5", "x R", "", 1 / 2),  # negative grades are no judgements
        ("Judged@5", "", "R", 0.0),
        ("Unjudged@2", "R - N", "", 1 / 2),
        ("Unjudged@5", "R - N", "", 1 / 5),  # empty places count as judged
        ("Unjudged@5", "x -", "R", 2 / 5),
        ("Unjudged@5", "", "R", 0.0),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_expectation_over_ties() -> None:
    assert score("Judged@1", draw("R=-=-"), ties="average") == pytest.approx(1 / 3)
    assert score("Unjudged@1", draw("R=-=-"), ties="average") == pytest.approx(2 / 3)
