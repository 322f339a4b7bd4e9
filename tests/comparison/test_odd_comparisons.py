"""compare() where something is odd about the scores: a clear answer or a clear error, never a warning."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

import plumbline
from plumbline import BadData
from plumbline.comparison.significance.registry import all_tests
from tests.helpers.score_cubes import drawn
from tests.helpers.score_forms import Nested, everything, long, made, nested

NAN = float("nan")
SAME, APART = {name: [0.5] * 4 for name in "abc"}, {"a": [0.1, NAN], "b": [NAN, 0.2]}
SILENT = {"a": [0.1, 0.2], "b": [0.2, 0.1], "z": [NAN, NAN]}
HUGE = {"a": [1e300, 1e300], "b": [1e-300, 2e-300]}
ODD: dict[str, Nested] = {
    "one case": nested(P={"a": [0.1], "b": [0.2]}, R={"a": [0.3], "b": [0.2]}),
    "constant": nested(P=SAME, R=SAME),
    "zeros": nested(P={"a": [0.0] * 4, "b": [0.0] * 4}, R={"a": [0.0] * 4, "b": [0.0] * 4}),
    "same difference": nested(P={"a": [0.5] * 20, "b": [0.25] * 20}),
    "no value": nested(P=SILENT, R=SILENT),
    "strangers": nested(P=APART, R=APART),
    "strangers by three metrics": nested(P=APART, R=APART, Q=APART),
    "negative": nested(P={"a": [-0.1, 0.2], "b": [0.3, -0.4]}, R={"a": [0.1, 0.2], "b": [0.2, 0.3]}),
    "huge": nested(P=HUGE, R=HUGE),
    "hostile": nested(P={"a": [0.1, 0.2], "<b>\n\x1b[0m": [0.2, 0.3]}),
}


def check_answered(name: str, **options: Any) -> None:
    text = everything(plumbline.compare(ODD[name], **options))
    assert "nan" not in text.replace("unanimous", "")


@pytest.mark.parametrize("test", all_tests())
@pytest.mark.parametrize("name", ODD)
def test_odd_data_get_an_answer_without_a_warning(name: str, test: str) -> None:
    draws: dict[str, Any] = {"resamples": 1000} if all_tests()[test].drawn else {}
    for options in ({}, {"baseline": "a"}):
        check_answered(name, test=test, **draws, **options)


@pytest.mark.parametrize("options", [{"alpha": 1.0}, {"mean": "arithmetic"}], ids=str)
@pytest.mark.parametrize("name", ODD)
def test_odd_data_are_weighed_without_a_warning(name: str, options: dict[str, Any]) -> None:
    check_answered(name, test="t", **options)


@pytest.mark.parametrize("value", [1e308, -1.1e300, float("inf")])
def test_scores_too_large_to_be_added_are_refused_with_their_place(value: float) -> None:
    table = long(nested(P={"a": [0.1, 0.2, value], "b": [0.3, 0.1, 0.2]}))
    reason = "is infinite" if value == float("inf") else "is too large: scores lie between -1e+300 and 1e+300"
    with pytest.raises(BadData, match=re.escape(f"of a in case c2 (P) {reason}")):
        plumbline.compare(table)


def test_negative_values_are_combined_by_the_arithmetic_mean_and_said_so() -> None:
    assert "ordered by arithmetic mean(P,R)" in repr(plumbline.compare(ODD["negative"], alpha=0.5))


def test_lower_is_better_turns_the_verdict() -> None:
    scores = nested(seconds={"slow": [3.0, 4.0], "fast": [1.0, 2.0]})
    assert plumbline.compare(scores).leaderboard["system"].to_list() == ["slow", "fast"]
    comparison = plumbline.compare(scores, lower="seconds")
    assert comparison.leaderboard["system"].to_list() == ["fast", "slow"]
    assert comparison.verdict("slow", "fast").better == "fast"
    assert "fast is better in 2 of 2 cases, worse in 0" in comparison.verdict("slow", "fast").case_by_case
    assert plumbline.compare(nested(FNR={"a": [0.1], "b": [0.2]})).verdict("b", "a").better == "a", "known"


def test_disagreeing_and_doubled_cases_are_told() -> None:
    frame = long(made())
    comparison = plumbline.compare(
        pl.concat([frame, frame.head(2)]).filter((pl.col("system") != "s1") | (pl.col("case") != "c3"))
    )
    assert [notice.code for notice in comparison.notices if notice.code != "N212"] == ["N239", "N241"]
    assert comparison.unanimity.filter(pl.col("a") == "s1")["cases"].to_list() == [24, 24, 24]
    changed = frame.head(1).with_columns(value=pl.lit(0.123456))
    with pytest.raises(BadData) as caught:
        plumbline.compare(pl.concat([frame, changed]))
    assert caught.value.code == "E161"


def test_ties_and_missing_values_do_not_change_with_the_order_of_systems() -> None:
    cube = drawn(5, (2, 5, 12), missing=0.2)
    scores = {
        metric: {name: dict(zip(cube.cases, row.tolist(), strict=True)) for name, row in zip(cube.systems, block, strict=True)}
        for metric, block in zip(("P", "R"), cube.values, strict=True)
    }
    turned = {metric: dict(reversed(systems.items())) for metric, systems in scores.items()}
    first, second = plumbline.compare(scores, test="t"), plumbline.compare(turned, test="t")
    assert first.unanimity.sort("a", "b").equals(second.unanimity.sort("a", "b"))
    assert sorted(first.leaderboard.select("band", "system").iter_rows()) == sorted(
        second.leaderboard.select("band", "system").iter_rows()
    )
