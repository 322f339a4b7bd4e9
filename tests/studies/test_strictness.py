"""Strictness by hand on three outputs, against loops on small tables, and where it is planted."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings

import plumbline
from tests.helpers.examples import some_of
from tests.helpers.score_worlds import Block, blocks, flat, nested
from tests.helpers.study_oracles import falls, floor


def by_hand(against: str | None = None) -> plumbline.Study:
    """Three metrics on three systems and one case: outputs a, b, c."""
    values = {"A": (9, 5, 1), "B": (8, 8, 2), "C": (3, 6, 9)}
    scores = {
        metric: {name: {"q": float(value)} for name, value in zip("abc", row, strict=True)} for metric, row in values.items()
    }
    return plumbline.meta(scores, against=against)


def test_fall_by_hand() -> None:
    """Ranks by A 3 2 1, by B 2.5 2.5 1, by C 1 2 3: a falls by 2 from A to C, by 1.5 from B to C; c by 2 from C to A and B."""
    rows = by_hand().strictness.select("metric", "fall", "fall_in", "fall_system").rows()
    assert rows == [("A", -2 / 3, "C", "a"), ("B", -1.5 / 3, "C", "a"), ("C", -2 / 3, "A", "c")]


def test_floor_by_hand() -> None:
    """Ranks by A 1 2/3 1/3, by B 1 1 1/3, by C 1/3 2/3 1. The top 20 % of A is a, which is last by C."""
    actual = by_hand()
    rows = actual.strictness.select("metric", "floor", "floor_in", "floor_system").rows()
    assert rows == [("A", 1 / 3, "C", "a"), ("B", 1 / 3, "C", "a"), ("C", 1 / 3, "A", "c")]
    curve = actual.curve.filter(metric="A")
    assert curve["top"].to_list() == list(range(1, 101))
    assert curve["floor"].unique().to_list() == [1 / 3]


def test_only_the_metrics_it_is_set_against_count() -> None:
    actual = by_hand("B")
    rows = actual.strictness.select("metric", "fall", "fall_in", "floor").rows()
    assert rows == [("A", -0.5 / 3, "B", 1.0), ("B", None, None, None), ("C", -2 / 3, "B", 1 / 3)]
    assert actual.curve["metric"].unique(maintain_order=True).to_list() == ["A", "C"]


@given(blocks())
@settings(max_examples=some_of(30), deadline=None)
def test_both_are_those_of_loops(block: Block) -> None:
    actual = plumbline.meta(nested(block), splits=1, resamples=1, top=30)
    values = flat(block)
    for row in actual.strictness.iter_rows(named=True):
        metric = row["metric"]
        every = falls(values, metric, list(values))
        assert row["fall"] == pytest.approx(float(-every[0]), abs=1e-12)
        assert row["ten_falls"] == pytest.approx(-fmean(map(float, every[:10])), abs=1e-12)
        assert row["floor"] == pytest.approx(float(floor(values, metric, list(values), 30)), abs=1e-12)
        curve = dict(actual.curve.filter(metric=metric).select("top", "floor").iter_rows())
        for percent in (1, 10, 33, 50, 75, 99, 100):
            assert curve[percent] == pytest.approx(float(floor(values, metric, list(values), percent)), abs=1e-12)


@given(blocks())
@settings(max_examples=some_of(30), deadline=None)
def test_the_output_that_decides_has_what_is_told(block: Block) -> None:
    actual = plumbline.meta(nested(block), splits=1, resamples=1)
    outputs, metrics = actual.outputs, actual.metrics
    names = [outputs.name(at) for at in range(len(outputs))]
    for row in actual.strictness.iter_rows(named=True):
        each, other = metrics.index(row["metric"]), metrics.index(row["fall_in"])
        at = names.index((row["fall_system"], row["fall_case"]))
        fell = (outputs.ranks[each, at] - outputs.ranks[other, at]) / len(outputs)
        assert fell == pytest.approx(-row["fall"], abs=1e-12)
        at, other = names.index((row["floor_system"], row["floor_case"])), metrics.index(row["floor_in"])
        assert outputs.at_most[other, at] / len(outputs) == pytest.approx(row["floor"], abs=1e-12)
        assert outputs.at_most[each, at] / len(outputs) >= 0.8


def test_the_minimum_of_all_others_is_the_strictest() -> None:
    """Amigó et al. 2013: a lower bound of the others penalises all that one of them penalises."""
    others = np.argsort(np.random.default_rng(6).random((3, 240)), axis=1).reshape(3, 8, 30)
    block = [*others.tolist(), others.min(axis=0).tolist()]
    actual = plumbline.meta(nested(block, ["A", "B", "C", "least"]), splits=1, resamples=1)
    for column in ("fall", "floor"):
        assert actual.strictness.sort(column, descending=True)["metric"][0] == "least"
    assert repr(actual).startswith("least is strictest")


def test_a_metric_that_is_better_when_lower_is_turned_round() -> None:
    block = np.random.default_rng(1).integers(0, 50, (2, 4, 6))
    plain = plumbline.meta(nested(block.tolist(), ["A", "B"]))
    turned = plumbline.meta(nested([block[0].tolist(), (-block[1]).tolist()], ["A", "B"]), lower="B")
    assert turned.strictness.drop("top").equals(plain.strictness.drop("top"))
    assert turned.correlations.equals(plain.correlations)


def test_rounding_does_not_break_ties() -> None:
    values = {
        "A": {"x": {"q": 0.1 + 0.2, "r": 0.3}, "y": {"q": 0.3, "r": 0.5}},
        "B": {"x": {"q": 1.0, "r": 1.0}, "y": {"q": 1.0, "r": 2.0}},
    }
    assert plumbline.meta(values).strictness["fall"].to_list() == [0.0, 0.0]
