"""Precision, recall and success at a cutoff by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("P@1", "R N R", "", 1.0),
        ("P@2", "R N R", "", 1 / 2),
        ("P@5", "R N R", "", 2 / 5),  # a short list is filled up with irrelevant items
        ("P(rel=2)@2", "2 1", "", 1 / 2),
        ("P(rel=0.5)@2", "0.5 0.4", "", 1 / 2),
        ("P@1", "N", "", None),
        ("P@1", "N", "R", 0.0),
        ("R@1", "R N R", "", 1 / 2),
        ("R@3", "R N R", "R R", 2 / 4),
        ("R@9", "N", "R", 0.0),
        ("R@9", "N", "", None),
        ("RelativeP@1", "R N R", "", 1.0),
        ("RelativeP@3", "R N N", "R", 1 / 2),  # two are relevant, so at most two of three can be
        ("RelativeP@1", "N", "", None),
        ("Success@1", "N R", "", 0.0),
        ("Success@2", "N R", "", 1.0),
        ("Success@2", "N N", "", None),
        ("Success(rel=2)@2", "1 1", "2", 0.0),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_expectation_of_precision_over_ties() -> None:
    """Each of three items is first in a third of the orders."""
    assert score("P@1", draw("R=N=N"), ties="average") == pytest.approx(1 / 3)
    assert score("Success@2", draw("R=N=N"), ties="average") == pytest.approx(2 / 3)
