"""Average precision by hand."""

from __future__ import annotations

import math

import pytest

import plumbline
from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("drawn", "relevant", "expected"),
    [
        ("R N R", 2, (1 + 2 / 3) / 2),
        ("N R", 1, 1 / 2),
        ("R", 4, 1 / 4),  # relevant items never shown still count in R
        ("N N", 1, 0.0),
        ("- R", 1, 1 / 2),  # an unjudged item takes a place
        ("x R", 1, 1 / 2),
        ("3 0 2", 2, (1 + 2 / 3) / 2),
        ("N", 0, None),
    ],
)
def test_average_precision(drawn: str, relevant: int, expected: float | None) -> None:
    assert score("AP", draw(drawn, relevant=relevant)) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("AP@1", 1 / 3), ("AP@3", (1 + 2 / 3) / 3), ("AP(rel=2)", (1 / 3 + 2 / 4) / 2), ("AP(rel=4)", None)],
)
def test_cutoff_and_level(name: str, expected: float | None) -> None:
    assert score(name, draw("1 0 2 3")) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("ties", "expected"), [("id", 1.0), ("best", 1.0), ("worst", 1 / 3), ("average", (1 + 1 / 2 + 1 / 3) / 3)]
)
def test_ties(ties: str, expected: float) -> None:
    assert score("AP", draw("R=N=-"), ties=ties) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (None, (2 * (1 + 1) + 2 * (1 + 2 / 3) + 2 * (1 / 2 + 2 / 3)) / 6 / 2),
        (2, (2 * (1 + 1) + 2 * 1 + 2 * (1 / 2)) / 6 / 2),  # the depth may end within the tie
        (1, (2 + 2) / 6 / 2),
    ],
)
def test_expectation_over_ties_down_to_a_depth(depth: int | None, expected: float) -> None:
    """Two relevant items and another one in any order: RRN, RNR and NRR twice each."""
    assert score("AP", draw("R=R=N"), ties="average", depth=depth) == pytest.approx(expected)


def test_geometric_mean_over_cases() -> None:
    """AP is 1 in one case and 0, counted as 0.00001, in the other."""
    gold = {"a": {"x": 1}, "b": {"x": 1}}
    scores = plumbline.evaluate(gold, {"a": {"x": 1}, "b": {"y": 1}}, ["GMAP", "AP"])
    assert scores.mean["value"].to_list() == [pytest.approx(math.sqrt(0.00001)), 0.5]
    assert scores.per_case.filter(metric="GMAP")["value"].to_list() == [1.0, 0.0]
