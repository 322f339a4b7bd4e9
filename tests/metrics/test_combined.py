"""F of two metrics by hand."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.draw import draw, score


@pytest.mark.parametrize(
    ("name", "drawn", "unseen", "expected"),
    [
        ("F(P@2,R@2)", "R N", "R R R", 2 / (2 + 4)),  # P = 1/2, R = 1/4
        ("F(P@2,R@2,alpha=0.2)", "R N", "R R R", 1 / (0.2 * 2 + 0.8 * 4)),  # alpha weighs the first
        ("F(P@2,R@2,beta=2)", "R N", "R R R", 1 / (0.2 * 2 + 0.8 * 4)),
        ("F(P@2,R@2,alpha=1)", "R N", "R R R", 1 / 2),
        ("F(P@2,R@2,alpha=0)", "R N", "R R R", 1 / 4),
        ("F(P@1,R@2)", "N R", "", 0.0),  # one part is 0
        ("F(R@1,AUC)", "- R", "", 0.0),  # one part is 0, the other undefined
        ("F(R@2,AUC)", "- R", "", None),  # one part is undefined, the other is not 0
        ("F(P@1,R@1)", "N", "", None),
        ("F(SetP,SetR)", "R N N R", "R", 2 / (2 + 3 / 2)),
    ],
)
def test_by_hand(name: str, drawn: str, unseen: str, expected: float | None) -> None:
    assert score(name, draw(drawn, unseen=unseen)) == (None if expected is None else pytest.approx(expected))


def test_f_of_sets_is_setf() -> None:
    drawn = draw("R N - R N", relevant=7)
    assert score("F(SetP,SetR,beta=3)", drawn) == pytest.approx(score("SetF(beta=3)", drawn))


def test_a_part_below_0_has_no_harmonic_mean_and_that_is_said() -> None:
    gold, output = ["x", "x", "y", "y"], ["1", "2", "1", "2"]
    actual = plumbline.evaluate(gold, {"one": output}, ["F(ARI,BCubedR)", "ARI"], task="clustering")
    values = dict(actual.mean.select("metric", "value").iter_rows())
    assert values == {"F(ARI,BCubedR)": None, "ARI": -0.5}
    assert any("a part of F is below 0" in notice.text for notice in actual.notices)
