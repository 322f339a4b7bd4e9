"""Reciprocal rank by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("RR", "R R", "", 1.0),
        ("RR", "N - R R", "", 1 / 3),
        ("RR@2", "N - R R", "", 0.0),
        ("RR@3", "N - R R", "", 1 / 3),
        ("RR(rel=2)", "1 2", "", 1 / 2),
        ("RR", "N", "R", 0.0),
        ("RR", "N", "", None),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("drawn", "expected"), [("R=N", (1 + 1 / 2) / 2), ("R=R=N", (1 + 1 + 1 / 2) / 3), ("N R=-", (1 / 2 + 1 / 3) / 2)]
)
def test_expectation_over_ties(drawn: str, expected: float) -> None:
    assert score("RR", draw(drawn), ties="average") == pytest.approx(expected)
