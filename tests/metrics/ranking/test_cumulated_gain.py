"""Cumulated gain by hand."""

from __future__ import annotations

from math import log2

import pytest

import plumbline
from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("CG", "3 - 2 x 1", "", 6.0),
        ("CG@3", "3 - 2 x 1", "", 5.0),
        ("CG(gain=exp)", "3 2", "", 7 + 3),
        ("CG", "N x", "", None),
        ("DCG", "3 2 1", "", 3 + 2 / log2(3) + 1 / 2),
        ("DCG@2", "3 2 1", "", 3 + 2 / log2(3)),
        ("DCG(gain=exp)", "3 2", "", 7 + 3 / log2(3)),
        ("DCG(discount=jarvelin)", "3 2 3", "", 3 + 2 + 3 / log2(3)),
        ("DCG", "N", "", None),
        ("nDCG", "3 2 1", "", 1.0),
        ("nDCG", "1 2", "", (1 + 2 / log2(3)) / (2 + 1 / log2(3))),
        ("nDCG@1", "1 2", "", 1 / 2),
        ("nDCG", "2", "2", 2 / (2 + 2 / log2(3))),  # the ideal list has items that are not shown
        ("nDCG(gain=exp)@1", "1 2", "", 1 / 3),
        ("nDCG(discount=jarvelin)", "0 1", "", 1.0),  # the first two places weigh the same
        ("nDCG", "0.5 1", "", (0.5 + 1 / log2(3)) / (1 + 0.5 / log2(3))),
        ("nDCG", "x R", "", 1 / log2(3)),  # a negative grade gains nothing
        ("nDCG", "x N", "", None),
        ("nDCGrel", "1 0 1", "", (1 + (1 + 1 / 2) / (1 + 1 / log2(3))) / 2),
        ("nDCGrel", "1", "1", (1 + 1 / (1 + 1 / log2(3))) / 2),
        ("nDCGrel", "N", "", None),
        ("RnDCG", "1 2", "", (1 / 2 + (1 + 2 / log2(3)) / (2 + 1 / log2(3))) / 2),
        ("RnDCG", "1 0 0", "", 1.0),
        ("RnDCG", "0 1 0", "", (0 + 1 / log2(3)) / 2),  # the list is longer than one past the ideal: its end counts too
        ("RnDCG", "N", "", None),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_expectation_over_ties() -> None:
    assert score("nDCG", draw("2=0=-"), ties="average") == pytest.approx((1 + 1 / log2(3) + 1 / 2) / 3)


def test_the_largest_grade_with_an_exponential_gain() -> None:
    assert score("CG(gain=exp)", draw("1000")) == 2.0**1000 - 1
    assert score("CG", draw("1001")) == 1001
    with pytest.raises(plumbline.BadData, match="E122 gain=exp: the gold has grade 1001"):
        score("CG(gain=exp)", draw("1001"))
