"""Binary preference by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("Bpref", "R N R N", "", (1 + (1 - 1 / 2)) / 2),
        ("Bpref", "N R", "", 0.0),
        ("Bpref", "- R", "", 1.0),  # unjudged items are ignored
        ("Bpref", "x R", "", 1.0),  # and so are negative grades
        ("Bpref", "R", "R", 1 / 2),
        ("Bpref", "N R", "N N R", (1 - 1 / 2) / 2),
        ("Bpref", "N N N R", "R", 0.0),  # no more than R irrelevant items count
        ("Bpref(rel=2)", "1 2", "2", 0.0),
        ("Bpref", "N", "", None),
        ("GMBpref", "R N R N", "", (1 + (1 - 1 / 2)) / 2),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))
