"""Whether differences hold elsewhere: against the paper's definitions written as loops over sets of pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.comparison.cube import Cube
from plumbline.comparison.generalise.forecast import Forecast, forecast
from plumbline.comparison.generalise.prediction import RECALLS, Curve, across, curve, differences, predicted, quality, strengths
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.errors import BadUsage
from tests.helpers.examples import some_of


def cube(values: Any, *, lower: tuple[bool, ...] | None = None) -> Cube:
    array = np.array(values, dtype=np.float64)
    metrics, systems, cases = array.shape
    return Cube(
        tuple("PRXYZ"[:metrics]),
        tuple(f"s{at}" for at in range(systems)),
        tuple(f"c{at}" for at in range(cases)),
        array,
        np.array(lower or (False,) * metrics),
    )


def drawn(seed: int, systems: int = 5, cases: int = 6, metrics: int = 2) -> Cube:
    """Few different values, so that there are ties."""
    return cube(np.random.default_rng(seed).integers(1, 5, (metrics, systems, cases)) / 5)


def mean_f(scores: Cube) -> list[float]:
    """The mean of F over the cases, written out."""
    results = []
    for system in range(len(scores.systems)):
        values = [1 / (0.5 / p + 0.5 / r) for p, r in zip(*scores.values[:, system], strict=True)]
        results.append(sum(values) / len(values))
    return results


def holding(cubes: dict[str, Cube]) -> set[tuple[int, int]]:
    """T of the paper."""
    means = [mean_f(scores) for scores in cubes.values()]
    pairs = permutations(range(len(means[0])), 2)
    return {(a, b) for a, b in pairs if all(f[a] - f[b] > 1e-9 for f in means)}


@given(st.integers(0, 10_000))
@settings(max_examples=some_of(25), deadline=None)
def test_precision_and_recall_of_every_threshold_are_those_of_the_paper(seed: int) -> None:
    cubes = {name: drawn(3 * seed + at) for at, name in enumerate(("one", "two", "three"))}
    result = across(cubes, predictors=("F difference", "UIR"))
    truth = holding(cubes)
    assert {(int(a), int(b)) for a, b in np.argwhere(result.holds)} == truth
    assert result.consistent == pytest.approx(len(truth) / 10)
    assert len(result.curves) == 6
    for one in result.curves:
        scores = cubes[one.collection]
        means = mean_f(scores)
        uir = unanimity(scores).uir
        for at, t in enumerate(one.threshold):
            accepted = {
                (a, b)
                for a, b in permutations(range(5), 2)
                if (uir[a, b] if one.predictor == "UIR" else means[a] - means[b]) > t + 1e-9
            }
            assert one.accepted[at] == len(accepted)
            assert one.right[at] == len(accepted & truth)
            assert one.precision[at] == pytest.approx(len(accepted & truth) / len(accepted))
            if truth:
                assert one.recall[at] == pytest.approx(len(accepted & truth) / len(truth))
        assert one.accepted[-1] == 20  # a threshold below all strengths accepts every ordered pair
        assert one.unknown == 0


def by_hand() -> Curve:
    """Strengths 0.5, 0.3, 0.3, -0.3, -0.3, -0.5; (0, 1) and (0, 2) hold, and (2, 1) is accepted wrongly."""
    strength = np.array([[0, 0.5, 0.3], [-0.5, 0, -0.3], [-0.3, 0.3, 0]])
    holds = np.array([[False, True, True], [False, False, False], [False, False, False]])
    return curve("made", "here", strength, holds)


def test_a_curve_by_hand() -> None:
    result = by_hand()
    assert result.strength.tolist() == [0.5, 0.3, -0.3, -0.5]
    assert result.threshold.tolist() == [0.3, -0.3, -0.5, -np.inf]
    assert result.accepted.tolist() == [1, 3, 5, 6]
    assert result.right.tolist() == [1, 2, 2, 2]
    assert result.precision.tolist() == pytest.approx([1, 2 / 3, 2 / 5, 1 / 3])
    assert result.recall.tolist() == [0.5, 1, 1, 1]
    assert result.average_precision == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert result.at([0.0, 0.5, 0.6, 1.0]).tolist() == pytest.approx([1, 1, 2 / 3, 2 / 3])
    assert result.beyond(0.5) == (0, 0)
    assert result.beyond(0.49) == (1, 1)
    assert result.beyond(0.3) == (1, 1)
    assert result.beyond(0.0) == (3, 2)
    assert result.beyond(-1.0) == (6, 2)
    assert result.table().columns == ["reference", "predictor", "threshold", "accepted", "right", "precision", "recall"]


def test_strengths_that_differ_by_rounding_are_one_point() -> None:
    result = curve("made", "here", np.array([[0, 0.1 + 0.2], [0.3, 0]]), np.array([[False, True], [False, False]]))
    assert result.accepted.tolist() == [2]


def test_pairs_without_a_strength_are_never_accepted_and_counted() -> None:
    strength = np.array([[np.nan, np.nan, 0.3], [np.nan, np.nan, 0.1], [-0.3, -0.1, np.nan]])
    holds = np.array([[False, True, True], [False, False, False], [False, False, False]])
    result = curve("made", "here", strength, holds)
    assert result.unknown == 2
    assert result.holding == 2
    assert result.recall.tolist() == [0.5, 0.5, 0.5, 0.5]
    assert result.average_precision == 0.5
    assert result.at([0.5, 1.0]).tolist() == [1, 0]


def test_nothing_holds_and_nothing_is_known() -> None:
    none = np.zeros((2, 2), dtype=np.bool_)
    result = curve("made", "here", np.array([[0.0, 1.0], [-1.0, 0.0]]), none)
    assert np.isnan(result.average_precision)
    assert np.isnan(result.recall).all()
    assert np.isnan(result.at()).all()
    assert result.table()["recall"].to_list() == [None, None]
    empty = curve("made", "here", np.full((2, 2), np.nan), ~none)
    assert empty.accepted.tolist() == []
    assert empty.beyond(0.0) == (0, 0)
    assert empty.average_precision == 0
    assert empty.at([0.5]).tolist() == [0]


def test_differences_are_of_shared_cases_and_free_of_rounding() -> None:
    values = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [np.nan, 0.5, 0.5], [0.4, np.nan, np.nan]])
    result = differences(values)
    assert result[0, 1] == 0
    assert result[2, 0] == pytest.approx(0.25)
    assert result[0, 2] == pytest.approx(-0.25)
    assert result[3, 0] == pytest.approx(0.3)
    assert np.isnan(result[2, 3])
    assert differences(np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]])).tolist() == [[0, 0], [0, 0]]
    assert np.isnan(differences(np.empty((2, 0)))).all()


def test_quality_is_f_of_two_metrics_or_the_metric() -> None:
    two = cube([[[0.5, 0.0, np.nan]], [[1.0, np.nan, 0.5]]])
    assert quality(two)[0].tolist() == pytest.approx([2 / 3, 0, np.nan], nan_ok=True)
    assert quality(cube([[[0.5, 0.25]]], lower=(True,))).tolist() == [[-0.5, -0.25]]


def test_one_metric_that_is_better_when_lower() -> None:
    cubes = {name: cube([[[3.0, 3.0], [2.0, 2.5], [1.0, 4.0]]], lower=(True,)) for name in ("x", "y")}
    result = across(cubes, predictors=("F difference", "UIR"))
    assert result.holds[1, 0]
    assert result.pairs().filter(pl.col("b") == "s0").rows()[0] == ("s1", "s0", 2, 0, 0, True)


def test_systems_are_matched_by_name_and_counted_if_left_out() -> None:
    one = drawn(1)
    other = replace(one.only(systems=("s3", "s2", "s1", "s0")), systems=("s3", "s2", "s1", "new"))
    result = across({"one": one, "other": other}, predictors=("UIR",))
    assert result.systems == ("s1", "s2", "s3")
    assert result.left_out == ("s0", "s4", "new")
    assert (result.better[0] == result.better[1]).all()


def test_pairs_say_where_each_is_better() -> None:
    result = predicted(
        {
            "x": np.array([[0, 0.2, 0.1], [-0.2, 0, 0.0], [-0.1, 0.0, 0]]),
            "y": np.array([[0, -0.1, 0], [0.1, 0, 0.3], [0, -0.3, 0]]),
        },
        {},
        ("a", "b", "c"),
    )
    assert result.pairs().rows() == [("a", "b", 1, 1, 0, False), ("a", "c", 1, 0, 1, False), ("b", "c", 1, 0, 1, False)]
    assert result.consistent == 0


def test_summary_has_a_row_for_each_curve() -> None:
    result = across({"x": drawn(1), "y": drawn(2)}, predictors=("F difference", "UIR"))
    summary = result.summary((0.5, 1.0))
    assert summary.columns == ["reference", "predictor", "average_precision", "at_0.5", "at_1"]
    assert summary["reference"].to_list() == ["x", "x", "y", "y"]
    assert len(result.table()) == sum(len(one.accepted) for one in result.curves)


def test_what_cannot_be_compared() -> None:
    one = drawn(1)
    with pytest.raises(BadUsage):
        across({})
    with pytest.raises(BadUsage, match="one collection"):
        across({"x": one}, predictors=("UIR",))
    with pytest.raises(BadUsage, match="'y' without P"):
        across({"x": one, "y": replace(one, metrics=("A", "B"))})
    with pytest.raises(BadUsage, match="systems in common"):
        across({"x": one, "y": replace(one, systems=tuple("abcde"))})
    with pytest.raises(BadUsage, match="predictor"):
        strengths(one, predictors=("guess",))  # type: ignore[arg-type]


def test_all_three_predictors_have_a_curve() -> None:
    result = across({"x": drawn(1), "y": drawn(2)})
    assert [one.predictor for one in result.curves] == ["F difference", "UIR", "parametric UIR"] * 2


def slow_forecast(scores: Cube, splits: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The halves drawn the same way, everything else in loops."""
    rng = np.random.default_rng(seed)
    count, cases = len(scores.systems), len(scores.cases)
    keeps, swaps = np.zeros((count, count)), np.zeros((count, count))
    for _ in range(splits):
        half = rng.permutation(np.arange(cases) < cases // 2)
        parts = [replace(scores, cases=("c",) * int(at.sum()), values=scores.values[:, :, at]) for at in (half, ~half)]
        first, second = (mean_f(part) for part in parts)
        for a, b in permutations(range(count), 2):
            signs = [round(f[a] - f[b], 10) for f in (first, second)]
            keeps[a, b] += min(signs) > 0
            swaps[a, b] += signs[0] * signs[1] < 0
    return keeps / splits, swaps / splits


@pytest.mark.parametrize("cases", [2, 5, 8])
def test_split_halves_are_those_of_loops(cases: int) -> None:
    scores = drawn(7, cases=cases)
    result = forecast(scores, splits=40, seed=3, curves=0)
    keeps, swaps = slow_forecast(scores, 40, 3)
    assert np.array_equal(result.keeps, keeps)
    assert np.array_equal(result.swaps, swaps)
    assert result.predictors["splits"].to_list() == [0, 0, 0]


def certain() -> Forecast:
    """s0 is best on every case; s1 and s2 take turns."""
    first = np.array([[0.9] * 8, [0.4, 0.6] * 4, [0.6, 0.4] * 4])
    return forecast(cube([first, first]), splits=50, curves=5, predictors=("F difference", "UIR"))


def test_a_certain_winner_is_kept_always() -> None:
    table = certain().table()
    rows = {(row["a"], row["b"]): row for row in table.iter_rows(named=True)}
    assert rows["s0", "s1"]["keeps"] == rows["s0", "s2"]["keeps"] == 1
    doubtful = rows["s1", "s2"]
    assert doubtful["difference"] == 0
    assert doubtful["keeps"] == doubtful["turns"] == 0
    assert doubtful["swaps"] + doubtful["undecided"] == pytest.approx(1)
    assert doubtful["undecided"] > 0


def test_predictors_of_a_forecast_are_means_over_splits() -> None:
    result = certain().predictors
    assert result["predictor"].to_list() == ["F difference", "UIR"]
    assert result["splits"].to_list() == [5, 5]
    assert result["average_precision"].to_list() == pytest.approx([1, 1])
    assert result["accepted"].to_list()[0] is None
    assert result["precision"].to_list()[1] <= 1
    assert all(f"at_{recall:g}" in result.columns for recall in RECALLS)


def test_the_seed_decides() -> None:
    scores = drawn(5, cases=9)
    first, again = (forecast(scores, splits=30, seed=1, curves=0).keeps for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, forecast(scores, splits=30, seed=2, curves=0).keeps)


def test_missing_cases_are_left_out_pair_by_pair() -> None:
    values = np.full((1, 2, 6), 0.5)
    values[0, 0] = 0.6
    values[0, 0, :5] = np.nan
    result = forecast(cube(values), splits=20, curves=0).table().row(0, named=True)
    assert result["difference"] == pytest.approx(0.1)
    assert result["undecided"] == 1  # one shared case is never in both halves


def test_a_forecast_needs_two_cases() -> None:
    with pytest.raises(BadUsage, match="1 case"):
        forecast(drawn(1, cases=1))
    with pytest.raises(BadUsage, match="splits"):
        forecast(drawn(1), splits=0)
