"""F of metrics that are not better when higher: refused if they point in different directions, explained if both are errors."""

from __future__ import annotations

import pytest

import plumbline

GOLD = {"a": 1, "b": 0, "c": 1}
SCORES = {"one": {"a": 0.9, "b": 0.4, "c": 0.3}}


@pytest.mark.parametrize(("metric", "bad"), [("F(AUC,RMSE)", "RMSE"), ("F(FNR,F(P,R))", "FNR"), ("F(AUC,F(FPR,P))", "FPR")])
def test_f_of_a_good_and_a_bad_sign_is_refused(metric: str, bad: str) -> None:
    with pytest.raises(plumbline.BadUsage, match=f"E316 .* of {bad} a higher value is not better"):
        plumbline.evaluate(GOLD, SCORES, metric, task="filtering")


def test_f_of_a_count_is_refused() -> None:
    with pytest.raises(plumbline.BadUsage, match="E316"):
        plumbline.evaluate({"q": {"d": 1}}, {"one": {"q": {"d": 1.0}}}, "F(AP,NumRet)")


def test_f_of_two_errors_is_explained() -> None:
    scores = plumbline.evaluate(GOLD, SCORES, ["F(RMSE,BrierScore)", "F(AUC,P)"], task="filtering")
    messages = [notice.message for notice in scores.notices if notice.code == "N276"]
    assert messages == [
        "F(RMSE,BrierScore): of RMSE and BrierScore lower is better, and F is near the lower one, so one of 0 hides the other"
    ]
    rmse, brier, both = (
        plumbline.evaluate(GOLD, SCORES, name, task="filtering").mean["value"][0]
        for name in ("RMSE", "BrierScore", "F(RMSE,BrierScore)")
    )
    assert both == pytest.approx(2 * rmse * brier / (rmse + brier))


def test_f_of_two_good_signs_says_nothing() -> None:
    scores = plumbline.evaluate(GOLD, SCORES, ["F(AUC,P)", "F(P,R)"], task="filtering")
    assert not [notice for notice in scores.notices if notice.code == "N276"]
