"""Interpolated precision by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("IPrec@0", "R N R", "", 1.0),
        ("IPrec@0.5", "R N R", "", 1.0),
        ("IPrec@0.6", "R N R", "", 2 / 3),
        ("IPrec@1", "R N R", "", 2 / 3),
        ("IPrec@1", "R N R", "R", 0.0),  # never reached
        ("IPrec@0", "N N R", "", 1 / 3),
        ("IPrec@0.3", "R N R", "R R", 2 / 3),  # 1.2 of 4: two are needed
        ("IPrec(points=round)@0.3", "R N R", "R R", 1.0),  # trec_eval 10 rounds to one
        ("IPrec(points=truncate)@0.3", "R N R", "R R", 2 / 3),
        ("IPrec(rel=2)@1", "1 2", "", 1 / 2),
        ("IPrec@0.5", "N", "", None),
        ("11pt", "R N R", "", (6 * 1 + 5 * 2 / 3) / 11),
        ("11pt", "R", "R", 6 / 11),
        ("11pt", "N", "", None),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_recall_points_of_ten_relevant_items_are_exact() -> None:
    """0.3 times 10 is 3 items, not the 3.0000000000000004 of a float."""
    drawn = draw("R R R", relevant=10)
    assert score("IPrec@0.3", drawn) == pytest.approx(1.0)
    assert score("IPrec@0.31", drawn) == pytest.approx(0.0)
