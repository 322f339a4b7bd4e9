"""G and its binary form by hand."""

from __future__ import annotations

from math import log2

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("binG", "R R", "", 1.0),
        ("binG", "N R", "", 1 / log2(3)),
        ("binG", "R - R", "R", (1 + 1 / log2(3)) / 3),
        ("binG", "N", "", None),
        ("G", "2 1", "", 1.0),
        ("G", "1 2", "", (1 / log2(3) + 2 / log2(2)) / 3),  # one behind at the first place, none at the second
        ("G", "0 1", "", 1 / log2(3)),
        ("G", "0.5", "", 1 / log2(2.5)),  # a place costs at least 1
        ("G", "N", "", None),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))
