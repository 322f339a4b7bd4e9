"""Bootstrap over items: spreads that formulas know, the draws of another program, and what stays as it is."""

from __future__ import annotations

import warnings
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm, t
from sklearn.metrics import f1_score, roc_auc_score

import plumbline
from plumbline.comparison.significance.intervals import mean_intervals
from plumbline.comparison.units.clusters import clusters_of
from plumbline.comparison.units.item_evidence import item_evidence
from plumbline.errors import BadUsage
from plumbline.evaluation.evaluation import evaluation_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.significance.effects import Intervals

DRAWS = 4000
WIDTH = 2 * NormalDist().inv_cdf(0.975)


def _world(items: int = 300, seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    generator = np.random.default_rng(seed)
    gold = (generator.random(items) < 0.3).astype(np.int64)
    a, b = (np.where(generator.random(items) < right, gold, 1 - gold) for right in (0.7, 0.8))
    return gold, a, b


def _intervals(gold: Any, a: Any, b: Any, metrics: list[str], units: Any = None, **options: Any) -> list[Intervals]:
    evaluation = evaluation_of(gold, {"a": a, "b": b}, metrics, task="filtering")
    clusters = None if units is None else clusters_of(evaluation, units)
    evidence = item_evidence(evaluation, metrics, ["a", "b"], resamples=DRAWS, seed=1, clusters=clusters, **options)
    return [intervals for _, intervals in evidence]


def _texts(values: NDArray[np.int64]) -> list[str]:
    return [str(value) for value in values]


def _text(gold: NDArray[np.int64], a: NDArray[np.int64], b: NDArray[np.int64]) -> tuple[list[str], list[str], list[str]]:
    return _texts(gold), _texts(a), _texts(b)


def _spread(intervals: Intervals) -> float:
    """The standard deviation that the width of an interval stands for."""
    return float((intervals.high[0, 1] - intervals.low[0, 1]) / WIDTH)


def test_the_spread_of_accuracy_is_that_of_the_items() -> None:
    gold, a, b = _world()
    (intervals,) = _intervals(*_text(gold, a, b), ["Accuracy"])
    d = (a == gold).astype(float) - (b == gold)
    assert _spread(intervals) == pytest.approx(d.std() / np.sqrt(len(d)), rel=0.06)
    assert intervals.low[0, 1] < d.mean() < intervals.high[0, 1]
    assert intervals.low[1, 0] == -intervals.high[0, 1]
    assert intervals.cases[0, 1] == len(d)


def test_the_spread_of_clusters_is_that_of_their_sums() -> None:
    """Of clusters of equal size, so that the number of items stays the same."""
    gold, a, b = _world()
    cluster = np.arange(len(gold)) // 10
    a = np.where(cluster % 3 == 0, gold, a)
    (intervals,) = _intervals(*_text(gold, a, b), ["Accuracy"], units=cluster.tolist())
    d = ((a == gold).astype(float) - (b == gold)).reshape(-1, 10).mean(axis=1)
    assert _spread(intervals) == pytest.approx(d.std() / np.sqrt(len(d)), rel=0.06)
    assert intervals.cases[0, 1] == len(d)
    assert "clusters" in intervals.name


def test_strata_keep_the_numbers_of_each_class() -> None:
    gold, a, b = _world()
    kept, free = (_intervals(*_text(gold, a, b), ["Accuracy", "R"], stratified=stratified) for stratified in (True, False))
    d = (a == gold).astype(float) - (b == gold)
    variance = sum((gold == one).sum() * d[gold == one].var() for one in (0, 1)) / len(d) ** 2
    assert _spread(kept[0]) == pytest.approx(np.sqrt(variance), rel=0.06)
    positives = int(gold.sum())
    ends = np.array([kept[1].low[0, 1], kept[1].high[0, 1]]) * positives
    assert np.abs(ends - ends.round()).max() < 1e-6  # recall has the same divisor in all draws
    assert np.abs(np.array([free[1].low[0, 1]]) * positives % 1).max() > 1e-6


def test_clusters_of_several_classes_have_no_strata() -> None:
    gold, a, b = map(_texts, _world(20))
    with pytest.raises(BadUsage, match="several classes"):
        _intervals(gold, a, b, ["Accuracy"], units=[0] * 20, stratified=True)


@pytest.mark.parametrize("differ", [True, False])
def test_cases_are_drawn_and_items_within_them(*, differ: bool) -> None:
    """The variance is that of the means of cases; of cases that are alike, that of items. Nothing is counted twice."""
    gold, a, b = _world(400)
    a = np.where(np.arange(400) < 160, gold, a) if differ else np.where(np.arange(400) % 4 == 0, 1 - gold, gold)
    b = b if differ else np.where(np.arange(400) % 5 == 0, 1 - gold, gold)
    sides = [
        {f"c{case}": {str(item): str(side[case * 40 + item]) for item in range(40)} for case in range(10)}
        for side in (gold, a, b)
    ]
    (intervals,) = _intervals(sides[0], sides[1], sides[2], ["Accuracy"])
    d = ((a == gold).astype(float) - (b == gold)).reshape(10, 40)
    between, within = d.mean(axis=1).var(ddof=1), (d.var(axis=1) / 40).mean()
    assert (between > within) == differ
    of_means = mean_intervals(np.stack((d.mean(axis=1), np.zeros(10))))
    expected = _spread(of_means) if differ else np.sqrt(within / 10)
    assert _spread(intervals) == pytest.approx(expected, rel=0.06)
    assert _spread(of_means) >= t.ppf(0.975, 9) / norm.ppf(0.975) * np.sqrt(between / 10)


def test_units_in_several_cases_are_drawn_as_a_whole() -> None:
    """Users that occur in every case: cases stay, users are drawn."""
    gold, a, b = _world(200)
    sides = [
        {f"c{case}": {f"u{item}": str(side[case * 50 + item]) for item in range(50)} for case in range(4)}
        for side in (gold, a, b)
    ]
    users = {f"u{item}": item for item in range(50)}
    (intervals,) = _intervals(sides[0], sides[1], sides[2], ["Accuracy"], units=users)
    d = ((a == gold).astype(float) - (b == gold)).reshape(4, 50).mean(axis=0)
    assert intervals.cases[0, 1] == 50
    assert _spread(intervals) == pytest.approx(d.std() / np.sqrt(50), rel=0.12)


def test_intervals_are_those_of_another_program() -> None:
    """F and AUC of scikit-learn on items drawn by numpy: the ends agree but for chance."""
    gold, _, _ = _world(200)
    generator = np.random.default_rng(3)
    scores = [np.clip(generator.normal(0.3 + 0.4 * gold, spread), 0, 1) for spread in (0.35, 0.25)]
    f, auc = _intervals(_texts(gold), scores[0], scores[1], ["F(P,R)", "AUC"])
    drawn = generator.integers(0, 200, (300, 200))
    for interval, function, values in (
        (f, f1_score, [one >= 0.5 for one in scores]),
        (auc, roc_auc_score, scores),
    ):
        d = [function(gold[at], values[0][at]) - function(gold[at], values[1][at]) for at in drawn]
        expected = np.quantile(d, [0.025, 0.975])
        assert [interval.low[0, 1], interval.high[0, 1]] == pytest.approx(expected.tolist(), abs=0.2 * float(np.ptp(expected)))


def test_draws_without_a_value_are_counted_and_left_out() -> None:
    gold, a, b = ["1", *"00000"], list("101000"), list("111000")
    (intervals,) = _intervals(gold, a, b, ["R"])
    assert "left out" in intervals.note
    share = (5 / 6) ** 6
    counted = int(intervals.note.split("left out, ")[1].split(" in all")[0].replace(",", ""))
    assert counted == pytest.approx(share * DRAWS, rel=0.1)


def test_fewer_than_six_items_have_no_interval() -> None:
    for items, known in ((5, False), (6, True)):
        (intervals,) = _intervals(list("101011")[:items], list("111111")[:items], list("100110")[:items], ["Accuracy"])
        assert (not np.isnan(intervals.low[0, 1])) is known


def test_the_seed_decides_and_other_systems_do_not() -> None:
    gold, a, b = map(_texts, _world(60))
    evaluation = evaluation_of(gold, {"a": a, "b": b, "c": gold}, ["Phi", "AUC"], task="filtering")
    first = item_evidence(evaluation, ["Phi", "AUC"], ["a", "b"], resamples=50, seed=0)
    again = item_evidence(evaluation, ["Phi", "AUC"], ["a", "b", "c", "[floor]"], resamples=50, seed=0)
    for (one, _), (more, wide) in zip(first, again, strict=True):
        assert one.p[0, 1] == more.p[0, 1]
        assert np.isnan(more.p[3]).all()
        assert np.isnan(wide.low[0, 3])
        assert more.p[2, 2] == 1.0


def test_identical_outputs_do_not_differ() -> None:
    gold, a, _ = map(_texts, _world(40))
    evaluation = evaluation_of(gold, {"a": a, "b": a}, ["Accuracy", "AUC"], task="filtering")
    for test, intervals in item_evidence(evaluation, ["Accuracy", "AUC"], ["a", "b"], resamples=50, seed=0):
        assert test.p[0, 1] == 1.0
        assert intervals.low[0, 1] == intervals.high[0, 1] == 0.0


def test_cases_that_one_lacks_are_left_out() -> None:
    gold = {"c1": {"i1": "1", "i2": "0", "i3": "1"}, "c2": {"i1": "1", "i2": "0"}}
    a = {"c1": {"i1": "1", "i2": "1", "i3": "0"}, "c2": {"i1": "1", "i2": "0"}}
    b = {"c1": {"i1": "1", "i2": "0", "i3": "1"}}
    evaluation = evaluation_of(gold, {"a": a, "b": b}, ["Accuracy"], task="filtering")
    ((test, _),) = item_evidence(evaluation, ["Accuracy"], ["a", "b"], resamples=50, seed=0)
    assert test.cases[0, 1] == 3
    assert test.statistic[0, 1] == pytest.approx(1 / 3 - 1)
    assert "lacks" in test.note


def test_a_metric_without_a_value_in_any_draw_has_no_interval() -> None:
    """Two cases without a positive item have no P."""
    gold = {"a": dict.fromkeys("abcdef", "0"), "b": dict.fromkeys("abcdef", "0") | {"f": "1"}}
    rejecting = {case: dict.fromkeys("abcdef", "0") for case in "ab"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        precision, accuracy = _intervals(gold, rejecting, rejecting, ["P", "Accuracy"])
    assert np.isnan(precision.low[0, 1])
    assert accuracy.low[0, 1] == 0


def test_items_of_common_cases_say_nothing_about_a_difference_that_a_missing_case_makes() -> None:
    """Both are right in the first case; only the first system has the second, which counts as worst for the other."""
    first = {"a": dict.fromkeys("xyz", 1), "b": dict.fromkeys("xyz", 1)}
    second = {"a": dict.fromkeys("xyz", 1)}
    compared = plumbline.compare(first, {"first": first, "second": second}, ["P", "R"], task="filtering", units="items")
    row = compared.significance.filter(pl.col("metric") == "R").row(0, named=True)
    assert abs(row["difference"]) == 0.5
    assert (row["p"], row["low"], row["high"]) == (None, None, None)
    assert "do not make the difference, so there is no p" in repr(compared)
