"""Unjudged items that are dropped: as trec_eval -J does it, alone and with -M."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import plumbline

if TYPE_CHECKING:
    from plumbline.scores import Scores

GOLD = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
RUN = {"q1": {"x": 9.0, "a": 3.0, "b": 1.0, "y": 0.5}, "q2": {"z": 1.0}}


def scored(metrics: list[str], **options: Any) -> Scores:
    return plumbline.evaluate(GOLD, RUN, metrics, judged_only=True, **options)


def means(scores: Scores) -> dict[str, float]:
    return dict(scores.mean.select("metric", "value").iter_rows())


def codes(scores: Scores) -> set[str]:
    return {notice.code for notice in scores.notices}


def test_an_answered_case_with_unjudged_items_only_scores_0() -> None:
    for options in ({}, {"as_": "trec_eval"}):
        scores = scored(["AP", "NumRet", "NumQ"], **options)
        assert means(scores) == {"AP": 0.5, "NumRet": 2.0, "NumQ": 2.0}
        assert "N201" not in codes(scores)


def test_a_case_that_the_run_lacks_is_still_missing() -> None:
    scores = plumbline.evaluate(GOLD, {"q1": RUN["q1"]}, "AP", judged_only=True, as_="trec_eval")
    assert means(scores) == {"AP": 1.0}
    assert "N201" in codes(scores)


@pytest.mark.parametrize(("depth", "hits", "shown"), [(1, 0.0, 0.0), (2, 0.5, 1.0), (3, 0.5, 2.0)])
def test_the_depth_cuts_before_items_are_dropped(depth: int, hits: float, shown: float) -> None:
    scores = scored(["AP", "NumRet"], depth=depth)
    assert means(scores) == {"AP": hits, "NumRet": shown}
    dropped = next(notice for notice in scores.notices if notice.code == "N217")
    assert "2 unjudged items dropped" in dropped.headline()


def test_a_grade_above_all_leaves_what_trec_eval_leaves() -> None:
    scores = scored(["Rndcg", "rbp", "ndcg_rel"], rel=5, as_="trec_eval")
    assert dict(zip((column.asked for column in scores.columns), means(scores).values(), strict=True)) == {
        "Rndcg": 0.0,
        "rbp": pytest.approx(0.05),
        "ndcg_rel": pytest.approx(0.5),
    }
