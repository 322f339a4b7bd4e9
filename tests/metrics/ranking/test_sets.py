"""Measures of the list as a set by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("SetP", "R N N R", "R", 2 / 4),
        ("SetP", "", "R", 0.0),
        ("SetP", "N", "", None),
        ("SetR", "R N N R", "R", 2 / 3),
        ("SetR", "", "R", 0.0),
        ("SetF", "R N N R", "R", 2 / (4 / 2 + 3 / 2)),
        ("SetF(beta=2)", "R N N R", "R", 1 / (0.2 / (2 / 4) + 0.8 / (2 / 3))),
        ("SetF(beta=0)", "R N N R", "R", 2 / 4),  # only precision counts
        ("SetF(beta=0)", "", "R", 0.0),  # as SetP
        ("SetF", "N", "", None),
        ("SetAP", "R N N R", "R", 2 / 4 * 2 / 3),
        ("SetAP", "", "R", 0.0),
        ("SetRelativeP", "R N", "R R", 1 / 2),
        ("SetRelativeP", "R N N", "R", 1 / 2),
        ("Utility", "R N -", "R", 1 - 2),
        ("Utility(tp=3,fp=-2,fn=-5)", "R N", "R", 3 - 2 - 5),
        ("Utility(tn=1,docs=10)", "R N", "R", 1 - 1 + 7),  # 10 items, 2 shown and 1 missed
        ("Utility", "N", "", -1.0),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(("name", "expected"), [("SetP", 2 / 3), ("SetAP", 2 / 3), ("SetF", 2 * 2 / (3 + 2))])
def test_ties_do_not_matter_to_a_set(name: str, expected: float) -> None:
    assert score(name, draw("R=R=N"), ties="average") == pytest.approx(expected)


def test_ties_matter_to_a_set_that_is_cut() -> None:
    """Two of R, R, N in any order: both relevant in a third of the orders, else one."""
    assert score("SetAP", draw("R=R=N"), ties="average", depth=2) == pytest.approx((1 + 1 / 4 + 1 / 4) / 3)
