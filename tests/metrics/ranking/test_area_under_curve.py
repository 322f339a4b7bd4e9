"""Area under the ROC curve by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("AUC", "R N", "", 1.0),
        ("AUC", "N R", "", 0.0),
        ("AUC", "R N R N", "", 3 / 4),
        ("AUC", "R - N", "", 1.0),
        ("AUC", "R", "N", 1.0),  # what is not shown stands below
        ("AUC", "N", "R", 0.0),
        ("AUC", "-", "R N", 1 / 2),  # neither is shown
        ("AUC", "", "R N", 0.0),  # nothing is shown at all
        ("AUC", "R N", "R N", (2 + 0 + 1 / 2) / 4),
        ("AUC(rel=2)", "2 1", "", 1.0),
        ("AUC", "R x", "", None),  # nothing irrelevant
        ("AUC", "N", "", None),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_tied_pairs_count_one_half() -> None:
    assert score("AUC", draw("R=N N"), ties="average") == pytest.approx((1 / 2 + 1) / 2)
