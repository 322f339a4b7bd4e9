"""Precision at R and its multiples by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("Rprec", "R N R", "", 1 / 2),
        ("Rprec", "R R N", "", 1.0),
        ("Rprec", "R", "R R R", 1 / 4),
        ("Rprec(rel=2)", "1 2", "", 0.0),
        ("Rprec", "N", "", None),
        ("BreakEven", "N R R", "", 1 / 2),
        ("RprecMult@2", "R N R N", "", 2 / 4),
        ("RprecMult@0.5", "R N R N", "", 1.0),
        ("RprecMult@0.3", "N R", "R", 0.0),  # 0.6 + 0.9, cut to 1 item
        ("RprecMult@1", "N", "", None),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))
