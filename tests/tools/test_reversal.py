"""reversal(): unanimity is the only improvement that no weighting can undo, and the weights that undo others do so."""

from __future__ import annotations

import json
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import plumbline
from plumbline import BadUsage
from tests.helpers.command_line import plumbline as shell

MEANS = ("arithmetic", "harmonic", "geometric")
scores = st.integers(0, 8).map(lambda part: part / 8)
pairs = st.integers(1, 4).flatmap(lambda size: st.tuples(*[st.lists(scores, min_size=size, max_size=size)] * 2))


def exact(vector: list[float], weights: tuple[float, ...], mean: str) -> Any:
    """The mean in fractions; of the geometric mean a power that is one, for weights of eighths."""
    parts = [(Fraction(weight), Fraction(value)) for weight, value in zip(weights, vector, strict=True) if weight]
    if mean == "arithmetic":
        return sum(weight * value for weight, value in parts)
    if any(value == 0 for _, value in parts):
        return Fraction(0)
    if mean == "harmonic":
        return sum(weight for weight, _ in parts) / sum(weight / value for weight, value in parts)
    return prod(float(value) ** float(weight) for weight, value in parts)


def is_unanimous(one: list[float], other: list[float]) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True)) or all(a <= b for a, b in zip(one, other, strict=True))


@given(pairs, st.sampled_from(MEANS))
def test_unanimity_is_the_only_improvement_that_no_weighting_can_undo(both: tuple[list[float], list[float]], mean: Any) -> None:
    one, other = both
    actual = plumbline.reversal(one, other, mean=mean)
    assert actual.unanimous == is_unanimous(one, other)


@given(pairs, st.sampled_from(MEANS))
def test_the_weights_turn_the_order_round(both: tuple[list[float], list[float]], mean: Any) -> None:
    one, other = both
    actual = plumbline.reversal(one, other, mean=mean)
    if actual.weights is None or actual.values is None:
        return
    assert sum(actual.weights) == pytest.approx(1)
    assert min(actual.weights) >= 0
    means = exact(one, actual.weights, mean), exact(other, actual.weights, mean)
    assert actual.values == pytest.approx(tuple(map(float, means)))
    even = (1 / len(one),) * len(one)
    before = exact(one, even, mean), exact(other, even, mean)
    assert means[1] > means[0] if actual.leader in {"first", "neither"} else means[0] > means[1]
    if actual.leader == "first":
        assert before[0] > before[1] or float(before[0]) == pytest.approx(float(before[1]))


@given(pairs, st.sampled_from(MEANS))
def test_below_the_threshold_the_order_stays(both: tuple[list[float], list[float]], mean: Any) -> None:
    """With weights for all metrics: a little less than the threshold does not do."""
    one, other = both
    actual = plumbline.reversal(one, other, mean=mean)
    assume(actual.threshold and actual.weights and all(actual.weights) and len(one) > 1)
    assert actual.threshold is not None
    place = actual.metrics.index(actual.metric or "")
    for weight, turned in ((actual.threshold - 0.01, False), (actual.threshold + 0.01, True)):
        weights = tuple(weight if at == place else (1 - weight) / (len(one) - 1) for at in range(len(one)))
        if min(weights) <= 0:
            continue
        first, second = exact(one, weights, mean), exact(other, weights, mean)
        ahead = second > first if actual.leader in {"first", "neither"} else first > second
        assert ahead == turned


@given(pairs, st.integers(1, 7))
def test_an_improvement_by_every_metric_survives_every_weighting(both: tuple[list[float], list[float]], part: int) -> None:
    one, other = both
    assume(all(a >= b for a, b in zip(one, other, strict=True)))
    weights = (part / 8, *[(1 - part / 8) / max(len(one) - 1, 1)] * (len(one) - 1))
    assert all(exact(one, weights, mean) >= exact(other, weights, mean) for mean in ("arithmetic", "harmonic"))


def test_table_4_of_the_paper() -> None:
    """A and C are ordered by unanimity, B cannot be compared with either: so unanimity is no ranking."""
    a, b, c = [0.5, 0.5], [0.6, 0.4], [0.45, 0.45]
    assert plumbline.reversal(a, c).unanimous
    assert not plumbline.reversal(a, b).unanimous
    assert not plumbline.reversal(b, c).unanimous


def test_by_hand() -> None:
    actual = plumbline.reversal({"P": 0.8, "R": 0.3}, {"P": 0.5, "R": 0.4})
    assert (actual.leader, actual.metric) == ("first", "R")
    assert actual.threshold == pytest.approx(3 / 4)
    assert actual.weights == pytest.approx((1 / 8, 7 / 8))
    assert actual.values == pytest.approx((0.3625, 0.4125))
    assert "R has more than 0.7500 of the weight" in str(actual)


def test_lower_is_better() -> None:
    actual = plumbline.reversal({"AP": 0.3, "time": 1.5}, {"AP": 0.2, "time": 0.5}, lower="time")
    assert (actual.leader, actual.metric) == ("second", "AP")
    assert actual.threshold == pytest.approx(1 / 1.1)
    assert plumbline.reversal({"AP": 0.3, "time": 0.5}, {"AP": 0.2, "time": 1.5}, lower=["time"]).unanimous


def test_a_zero_can_only_be_left_out() -> None:
    actual = plumbline.reversal([0, 0.9], [0.1, 0.1], mean="harmonic")
    assert (actual.leader, actual.weights) == ("second", (0.0, 1.0))
    assert "only if 1 has no weight" in str(actual)


def test_the_same_scores() -> None:
    actual = plumbline.reversal([0.5, 0.2], [0.5, 0.2])
    assert (actual.leader, actual.unanimous) == ("neither", True)
    assert "equal by every weighting" in str(actual)


@pytest.mark.parametrize(
    ("first", "second", "options"),
    [
        ([0.1], [0.1, 0.2], {}),
        ([], [], {}),
        ({"P": 1}, {"R": 1}, {}),
        ({"P": 1}, [1], {}),
        ("0.1", "0.2", {}),
        ([float("nan")], [1], {}),
        (["x"], [1], {}),
        ([1], [2], {"mean": "median"}),
        ([1], [2], {"lower": "P"}),
        ([1], [2], {"lower": "1", "mean": "harmonic"}),
        ([-1], [2], {"mean": "geometric"}),
    ],
)
def test_what_is_refused(first: Any, second: Any, options: dict[str, Any]) -> None:
    with pytest.raises(BadUsage):
        plumbline.reversal(first, second, **options)


def test_on_the_command_line() -> None:
    assert "R has more than 0.7500" in shell("reversal", "P=0.8,R=0.3", "P=0.5,R=0.4").out
    assert json.loads(shell("reversal", "0.8,0.4", "0.5,0.4", "--format", "json").out)["unanimous"] is True
    assert shell("reversal", "P=0.8,R", "P=0.5,R=0.4").code == 2
    assert shell("reversal", "P=0.8,P=1", "P=0.5,R=0.4").code == 2
    assert shell("reversal", "0.8", "0.5,0.1").code == 2
