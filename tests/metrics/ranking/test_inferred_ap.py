"""Inferred average precision by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("infAP", "R N", "", 1.0),
        ("infAP", "N R", "", 1 / 2 + 1 / 2 * 0.00001 / 1.00002),
        ("infAP", "- R", "", 1 / 2),  # an item outside the pool is irrelevant
        ("infAP", "x R", "", 1 / 2 + 1 / 2 * 1 / 2),  # pooled, not judged: relevant with the estimated chance
        ("infAP", "R R", "R", (1 + 1 / 2 + 1 / 2 * 1.00001 / 1.00002) / 3),
        ("infAP", "N", "", None),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected, abs=1e-12))
