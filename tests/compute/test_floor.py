"""The floor: baselines equal what is found by going through every output there is, and marks say who beats them all."""

from __future__ import annotations

from itertools import product
from math import prod, sqrt
from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from plumbline.metrics.measure import Single
from tests.helpers.filtering_oracles import harmonic
from tests.helpers.label_values import class_oracle, filter_oracle
from tests.helpers.label_worlds import few_of
from tests.helpers.score_values import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plumbline.metrics.measure import Measure
    from tests.helpers.filtering_oracles import Value

Outcomes = list[tuple[float, float | None]]
"""Values with their probabilities."""


def expectation(outcomes: Outcomes) -> tuple[float | None, float, float]:
    """The mean where it is defined, its standard deviation, and how probable it is that it is defined."""
    known = [(chance, value) for chance, value in outcomes if value is not None and chance > 0]
    share = sum(chance for chance, _ in known)
    if not share:
        return None, 0.0, 0.0
    mean = sum(chance * value for chance, value in known) / share
    return mean, sqrt(sum(chance * (value - mean) ** 2 for chance, value in known) / share), share


def assert_close(actual: Any, expected: Value, where: object) -> None:
    assert actual == (None if expected is None else pytest.approx(float(expected), rel=1e-10, abs=1e-10)), where


def parsed(names: Iterable[str], task: str) -> list[Measure]:
    return [plumbline.parse(name, task=task) for name in names]


# --- filters ----------------------------------------------------------------------------------------------------------

FILTERED = {
    "mixed": {"a": 1, "b": 0, "c": 0, "d": 1, "e": 0},
    "rare": {"a": 0, "b": 0, "c": 1, "d": 0},
    "positive": {"a": 1, "b": 1},
    "negative": {"a": 0, "b": 0, "c": 0},
}
RATES: dict[str, Callable[[dict[str, int]], float]] = {
    "[placebo]": lambda _: 1.0,
    "[zero]": lambda _: 0.0,
    "[random 0.5]": lambda _: 0.5,
    "[prior]": lambda gold: sum(gold.values()) / len(gold),
}


def filter_value(measure: Measure, gold: dict[str, int], run: dict[str, float]) -> float | None:
    parts = [filter_oracle(part, gold, run) for part in measure.parts]
    value = parts[0] if isinstance(measure, Single) else harmonic(parts[0], parts[1], measure.alpha)
    return None if value is None else float(value)


def test_filters_that_ignore_the_gold_score_what_all_their_outputs_score_on_average() -> None:
    names = [
        *few_of("decisions"),
        "F(P,R)",
        "F(Rel,Sens)",
        "F(Rel(smooth=noninformative),Sens(smooth=noninformative),alpha=0.2)",
    ]
    scores = plumbline.evaluate(FILTERED, {"gold": FILTERED}, names, task="filtering", floor=True)
    assert list(scores.floor) == list(RATES)
    for case, gold in FILTERED.items():
        outputs = [dict(zip(gold, map(float, accepted), strict=True)) for accepted in product((0, 1), repeat=len(gold))]
        for measure in parsed(names, "filtering"):
            values = [filter_value(measure, gold, run) for run in outputs]
            for baseline, rate in RATES.items():
                p = rate(gold)
                chances = [prod(p if accepted else 1 - p for accepted in run.values()) for run in outputs]
                expected, *_ = expectation(list(zip(chances, values, strict=True)))
                actual = values_of(scores, baseline)[case, str(measure)]
                assert_close(actual, expected, (case, baseline, str(measure)))


def test_floor_of_many_items_is_the_expectation_too() -> None:
    gold = {str(item): int(item % 10 == 0) for item in range(3000)}
    scores = plumbline.evaluate(gold, {"s": gold}, ["Accuracy", "R", "FPR", "MAAc", "Utility"], task="filtering", floor=True)
    means = {(system, metric): value for system, metric, value in scores.mean.select("system", "metric", "value").iter_rows()}
    assert means["[random 0.5]", "Accuracy"] == pytest.approx(0.5, rel=1e-10)
    assert means["[random 0.5]", "Utility"] == pytest.approx(0.5 * (2 * 300 - 2700), rel=1e-10)
    for metric, expected in {"Accuracy": 0.1 * 0.1 + 0.9 * 0.9, "R": 0.1, "FPR": 0.1, "MAAc": 0.5}.items():
        assert means["[prior]", metric] == pytest.approx(expected, rel=1e-10)


# --- classifiers ------------------------------------------------------------------------------------------------------

LABELLED = {
    "three": {"a": "10", "b": "2", "c": "10", "d": "b"},
    "two": {"a": "b", "b": "2", "c": "2", "d": "b", "e": "2"},
    "one": {"a": "b", "b": "b"},
}
EXACT = [
    *("Accuracy", "ErrorRate", "HammingLoss", "BalancedAccuracy", "ICM", "CEM", "CEM(scale=nominal)"),
    *("R", "R(average=micro)", "R(average=weighted)", "R(class=2)"),
]
DRAWN = [
    *(
        "P",
        "P(average=micro)",
        "P(average=weighted)",
        "F(P,R)",
        "F(P,R,of=averages)",
        "Jaccard",
        "ICMNorm",
        "MCC",
        "P(class=2)",
    ),
    *("Kappa", "Kappa(weights=linear)", "Kappa(weights=quadratic)"),
]
DRAWS = 1000


def class_value(measure: Measure, gold: dict[str, str], output: Iterable[str]) -> float | None:
    items = [(frozenset([label]), frozenset([answer])) for label, answer in zip(gold.values(), output, strict=True)]
    value = class_oracle(measure.parts[0], items, several=False)  # type: ignore[arg-type]  # answers are there
    return None if value is None else float(value)


def shares_of(gold: dict[str, str]) -> dict[str, dict[str, float]]:
    """How probable each class is by each baseline; of equally frequent classes the first in order is the majority."""
    labels = list(gold.values())
    classes = sorted(set(labels), key=lambda label: (label == "b", label == "10"))
    most = max(classes, key=labels.count)
    return {
        "[majority]": {label: float(label == most) for label in classes},
        "[prior]": {label: labels.count(label) / len(labels) for label in classes},
        "[uniform]": {label: 1 / len(classes) for label in classes},
    }


def expected_of_labels(measure: Measure, gold: dict[str, str]) -> dict[str, tuple[float | None, float, float]]:
    classes = list(shares_of(gold)["[prior]"])
    outputs = list(product(classes, repeat=len(gold)))
    values = [class_value(measure, gold, output) for output in outputs]
    return {
        name: expectation(
            [(prod(share[label] for label in output), value) for output, value in zip(outputs, values, strict=True)]
        )
        for name, share in shares_of(gold).items()
    }


@pytest.mark.parametrize("name", [*EXACT, *DRAWN])
def test_classifiers_that_ignore_the_gold_score_what_all_their_outputs_score_on_average(name: str) -> None:
    scores = plumbline.evaluate(LABELLED, {"gold": LABELLED}, [name], task="classification", floor=True)
    assert scores.floor == ("[majority]", "[prior]", "[uniform]")
    (measure,) = parsed([name], "classification")
    for case, gold in LABELLED.items():
        for baseline, (expected, spread, share) in expected_of_labels(measure, gold).items():
            actual = values_of(scores, baseline)[case, str(measure)]
            if name in EXACT or baseline == "[majority]":
                assert_close(actual, expected, (case, baseline))
            else:
                assert (actual is None) == (expected is None)
                error = 5 * spread / sqrt(DRAWS * share) if expected is not None else 0.0
                assert actual is None or actual == pytest.approx(expected, abs=error + 1e-12), (case, baseline)
    texts = [notice.text for notice in scores.notices if notice.code == "N225"]
    assert [f"mean of {DRAWS:,} seeded draws" in text for text in texts] == [True] * (name in DRAWN)


def test_draws_follow_the_seed() -> None:
    first, again, other = (
        plumbline.evaluate(LABELLED, {"gold": LABELLED}, ["Kappa"], task="classification", floor=True, seed=seed).per_case
        for seed in (3, 3, 4)
    )
    assert first.equals(again)
    assert not first.equals(other)


SETS: dict[str, dict[str, set[str]]] = {
    "many": {"a": {"x", "y"}, "b": {"y"}, "c": set(), "d": {"z", "y"}},
    "tied": {"a": {"x"}, "b": {"y"}},
}
SAME_FOR_ALL: dict[str, dict[str, set[str]]] = {
    "[majority]": {"many": {"y"}, "tied": {"x"}},
    "[everything]": {"many": {"x", "y", "z"}, "tied": {"x", "y"}},
    "[nothing]": {"many": set(), "tied": set()},
}


def test_sets_of_labels_that_ignore_the_gold() -> None:
    names = few_of("several")
    scores = plumbline.evaluate(SETS, {"gold": SETS}, names, task="classification", floor=True)
    assert scores.floor == tuple(SAME_FOR_ALL)
    for (baseline, labels), (case, gold), measure in product(
        SAME_FOR_ALL.items(), SETS.items(), parsed(names, "classification")
    ):
        items = [(frozenset(label), frozenset(labels[case])) for label in gold.values()]
        expected = class_oracle(measure.parts[0], items, several=True)  # type: ignore[arg-type]  # answers are there
        assert_close(values_of(scores, baseline)[case, str(measure)], expected, (baseline, case, str(measure)))


# --- who beats them ---------------------------------------------------------------------------------------------------

MAIL = {str(item): int(item % 4 == 0) for item in range(20)}
SYSTEMS = {
    "good": {item: int(label or item == "1") for item, label in MAIL.items()},
    "wrong": {item: 1 - label for item, label in MAIL.items()},
    "all": dict.fromkeys(MAIL, 1),
}


def cell(scores: plumbline.Scores, system: str, metric: str) -> str:
    grid = scores.grid()
    column = [heading.split(" ")[0] for heading in grid.heading].index(metric)
    return next(row[column].marked for row in grid.rows if row[0].text == system)


@pytest.mark.parametrize("metric", ["Lam", "MAAc", "Kappa", "ErrorRate", "F(P,R)"])
def test_marks_and_the_sentence_respect_the_direction(metric: str) -> None:
    scores = plumbline.evaluate(MAIL, SYSTEMS, [metric], task="filtering", floor=True)
    assert scores.beating(metric) == ["good"]
    assert cell(scores, "good", metric).endswith("*")
    assert not any(cell(scores, name, metric).endswith("*") for name in ("wrong", "all", *scores.floor))
    (verdict,) = (notice.text for notice in scores.notices if notice.code == "N226")
    assert verdict == f"by {metric} 1 of 3 systems beats every output that ignores the gold: good"
    assert "* beats every output that ignores the gold" in scores.footer()


def test_what_is_equal_to_a_baseline_does_not_beat_it() -> None:
    scores = plumbline.evaluate(MAIL, {"all": SYSTEMS["all"]}, ["Lam", "R"], task="filtering", floor=True)
    assert scores.beating("Lam") == scores.beating("R") == []
    assert [notice.text for notice in scores.notices if notice.code == "N226"] == [
        "by Lam, R no system beats every output that ignores the gold"
    ]


def test_without_floor_there_are_neither_baselines_nor_marks() -> None:
    scores = plumbline.evaluate(MAIL, SYSTEMS, ["Lam"], task="filtering")
    assert scores.floor == ()
    assert scores.mean["system"].to_list() == list(SYSTEMS)
    assert "*" not in repr(scores)
    assert "N226" not in [notice.code for notice in scores.notices]


def test_rankings_have_no_floor() -> None:
    with pytest.raises(plumbline.BadUsage, match='E325 floor= has no meaning for task="ranking"'):
        plumbline.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["AP"], floor=True)


def test_the_rate_of_the_random_filter_can_be_chosen() -> None:
    """Accuracy is linear, so that its expectation is that of a single item; rate 1 accepts everything, as placebo does."""
    gold = {"case": {"a": 1, "b": 0, "c": 0, "d": 0}}
    floors = {
        rate: plumbline.evaluate(gold, {"s": gold}, "Accuracy", task="filtering", floor=True, floor_rate=rate)
        for rate in (0.2, 1.0)
    }
    results = {rate: dict(scores.mean.select("system", "value").iter_rows()) for rate, scores in floors.items()}
    assert results[0.2]["[random 0.2]"] == pytest.approx((0.2 + 3 * 0.8) / 4)
    assert results[1.0]["[random 1]"] == results[1.0]["[placebo]"] == pytest.approx(0.25)
    with pytest.raises(plumbline.BadUsage, match="from 0 to 1"):
        plumbline.evaluate(gold, {"s": gold}, "Accuracy", task="filtering", floor=True, floor_rate=2.0)
