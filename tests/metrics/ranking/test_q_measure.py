"""The Q-measure by hand."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("Q", "2 1", "", 1.0),
        ("Q", "0 1", "", (1 + 1) / (2 + 1)),
        ("Q", "1 2", "", ((1 + 1) / (1 + 2) + 1) / 2),
        ("Q", "2", "2", ((1 + 2) / (1 + 2)) / 2),
        ("Q(beta=0)", "1 0 2", "", (1 + 2 / 3) / 2),  # average precision
        ("Q(beta=10)", "1 2", "", ((1 + 10) / (1 + 20) + (2 + 30) / (2 + 30)) / 2),
        ("Q(rel=2)", "1 2", "", (1 + 2) / (2 + 2)),
        ("Q", "N", "", None),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_the_range_ends_at_what_the_ideal_list_has() -> None:
    assert plumbline.all_metrics()["Q"].range == (0, score("Q", draw("2 1")))
