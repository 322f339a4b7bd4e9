"""p by exchanging answers: all exchanges by brute force, McNemar's test, and what other programs say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import binomtest

from plumbline.comparison.units.clusters import clusters_of
from plumbline.comparison.units.item_evidence import item_evidence
from plumbline.evaluation.evaluation import evaluation_of
from tests.helpers.swapped_answers import Exchanged, Labels, every_exchange

if TYPE_CHECKING:
    from plumbline.comparison.significance.result import SignificanceResult

OPTIONS: dict[str, dict[str, Any]] = {
    "filtering": {"task": "filtering"},
    "classification": {"task": "classification"},
    "multilabel": {"task": "classification", "multilabel": True},
}


def _world(kind: str, seed: int, cases: int, items: int) -> tuple[Labels, Labels, Labels]:
    """A gold and two outputs with a few differences."""
    generator = np.random.default_rng(seed)
    gold, a, b = {}, {}, {}
    for case in range(cases):
        names = [f"i{case}{item}" for item in range(items)]
        if kind == "filtering":
            right = generator.integers(0, 2, items)
            right[:2] = 0, 1
            sides: list[list[Any]] = [list(map(str, right))]
            sides += [np.round(np.clip(generator.normal(0.3 + 0.4 * right, 0.3), 0, 1), 1).tolist() for _ in range(2)]
        elif kind == "classification":
            right = generator.integers(0, 3, items)
            sides = [["abc"[one] for one in right]]
            sides += [["abc"[one if generator.random() < 0.6 else generator.integers(3)] for one in right] for _ in range(2)]
        else:
            sides = [[[name for name in "abc" if generator.random() < 0.5] for _ in range(items)] for _ in range(3)]
        gold[f"c{case}"], a[f"c{case}"], b[f"c{case}"] = (dict(zip(names, side, strict=True)) for side in sides)
    return gold, a, b


@pytest.mark.parametrize(
    ("kind", "metrics"),
    [
        ("filtering", ["Accuracy", "F(P,R)", "Phi", "AUC", "AP", "F(P,AUC)"]),
        ("classification", ["Accuracy", "F(P,R)", "MCC", "P(class=a)", "CEM"]),
        ("multilabel", ["Accuracy", "F(P,R)", "HammingLoss", "P(average=samples)"]),
    ],
)
@pytest.mark.parametrize("cases", [1, 2])
def test_p_is_the_share_of_all_exchanges(kind: str, metrics: list[str], cases: int) -> None:
    gold, a, b = _world(kind, seed=cases, cases=cases, items=6 // cases)
    evaluation = evaluation_of(gold, {"a": a, "b": b}, metrics, **OPTIONS[kind])
    evidence = item_evidence(evaluation, metrics, ["a", "b"], resamples=10, seed=0)
    expected = every_exchange(gold, a, b, metrics, **OPTIONS[kind])
    for metric, (test, _) in zip(metrics, evidence, strict=True):
        _check(test, expected[metric])
        assert ("p is about these 2 cases" in test.note) == (cases > 1)


def _check(test: SignificanceResult, expected: Exchanged) -> None:
    if expected.p is None:
        assert np.isnan(test.p[0, 1])
        return
    assert test.exact is not None
    assert test.exact[0, 1]
    assert test.statistic[0, 1] == pytest.approx(expected.difference)
    assert test.statistic[1, 0] == -test.statistic[0, 1]
    assert test.p[0, 1] == test.p[1, 0] == pytest.approx(expected.p, abs=1e-12)
    assert ("count as extreme" in test.note) == (expected.undefined > 0)


def test_items_of_a_cluster_are_exchanged_together() -> None:
    gold, a, b = _world("classification", seed=3, cases=1, items=9)
    units = {item: f"u{number // 2}" for number, item in enumerate(gold["c0"])}
    metrics = ["Accuracy", "F(P,R)"]
    evaluation = evaluation_of(gold, {"a": a, "b": b}, metrics, task="classification")
    clusters = clusters_of(evaluation, units)
    evidence = item_evidence(evaluation, metrics, ["a", "b"], resamples=10, seed=0, clusters=clusters)
    expected = every_exchange(gold, a, b, metrics, units, task="classification")
    for metric, (test, _) in zip(metrics, evidence, strict=True):
        assert test.cases[0, 1] == 5
        _check(test, expected[metric])


def _answers(right: np.ndarray[Any, Any], errors: float, seed: int, classes: int) -> list[str]:
    generator = np.random.default_rng(seed)
    wrong = (right + generator.integers(1, classes, len(right))) % classes
    return [str(one) for one in np.where(generator.random(len(right)) < errors, wrong, right)]


@pytest.mark.parametrize(("task", "classes"), [("filtering", 2), ("classification", 2), ("classification", 5)])
def test_accuracy_on_one_case_is_mcnemars_test(task: str, classes: int) -> None:
    """Exact, however many items there are: 20,000 of them, of which thousands differ."""
    right = np.random.default_rng(0).integers(0, classes, 20_000)
    gold, a, b = [str(one) for one in right], _answers(right, 0.200, 1, classes), _answers(right, 0.195, 2, classes)
    evaluation = evaluation_of(gold, {"a": a, "b": b}, ["Accuracy", "ErrorRate"], task=task)
    only_a, only_b = (int(sum(x == g != y for g, x, y in zip(gold, *pair, strict=True))) for pair in ((a, b), (b, a)))
    expected = binomtest(only_a, only_a + only_b).pvalue
    for test, _ in item_evidence(evaluation, ["Accuracy", "ErrorRate"], ["a", "b"], resamples=10, seed=0):
        assert test.exact is not None
        assert test.exact[0, 1]
        assert test.p[0, 1] == pytest.approx(expected, rel=1e-6)
        assert test.statistic[0, 1] == pytest.approx((only_a - only_b) / len(gold))


def test_a_classifier_on_one_test_set() -> None:
    """2,000 items, 0.7995 against 0.8430: p = 0.0004, and the difference is 0.044 [0.019, 0.068]."""
    both, only_a, only_b = 1346, 253, 340
    parts = (both, only_a, only_b, 2000 - both - only_a - only_b)
    a, b = (np.repeat(answers, parts) for answers in ((1, 1, 0, 0), (1, 0, 1, 0)))
    gold = ["yes"] * 2000
    outputs = {name: np.where(side, "yes", "no").tolist() for name, side in (("a", a), ("b", b))}
    evaluation = evaluation_of(gold, outputs, ["Accuracy"], task="classification")
    ((test, interval),) = item_evidence(evaluation, ["Accuracy"], ["b", "a"], resamples=4000, seed=0)
    assert round(float(test.p[0, 1]), 4) == 0.0004
    assert test.statistic[0, 1] == pytest.approx(0.0435)
    assert [round(float(end[0, 1]), 3) for end in (interval.low, interval.high)] == pytest.approx([0.019, 0.068], abs=0.002)
    assert test.cases[0, 1] == 2000
