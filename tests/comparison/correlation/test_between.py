"""Agreement of rankings: by slow definitions, by scipy, by values worked out on paper and by values that others published."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from plumbline.average import levels
from plumbline.comparison.correlation import between as correlation
from plumbline.comparison.correlation.between import MEASURES, between, by_collection, by_metric, correlations
from plumbline.comparison.correlation.rbo import rbo
from plumbline.comparison.cube import Cube
from plumbline.errors import BadUsage
from tests.helpers.examples import some_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Scores = list[float]


two_rankings = st.integers(2, 12).flatmap(
    lambda size: st.tuples(*[st.lists(st.integers(0, 6).map(float), min_size=size, max_size=size)] * 2)
)


def orders(scores: Sequence[float]) -> Iterator[list[int]]:
    """All orders of the items, best first, in which tied items may stand either way."""
    groups = [[at for at, score in enumerate(scores) if score == level] for level in sorted(set(scores), reverse=True)]
    for parts in product(*(permutations(group) for group in groups)):
        yield [item for part in parts for item in part]


def tau_ap_of_order(truth: list[int], order: list[int]) -> float:
    """Yilmaz et al., equation by equation: items that are above the item at rank i and rightly so, through i - 1."""
    total = 0.0
    for rank in range(2, len(order) + 1):
        item = order[rank - 1]
        total += sum(truth.index(other) < truth.index(item) for other in order[: rank - 1]) / (rank - 1)
    return 2 / (len(order) - 1) * total - 1


def slow_tau_ap(x: Scores, y: Scores) -> float:
    results = [tau_ap_of_order(truth, order) for truth in orders(x) for order in orders(y)]
    return sum(results) / len(results)


def slow_tau_ap_b(x: Scores, y: Scores) -> float:
    halves = []
    for one, other in ((x, y), (y, x)):
        shares = []
        for at, score in enumerate(other):
            above = [j for j, theirs in enumerate(other) if theirs > score]
            if above:
                shares.append(sum(one[j] > one[at] for j in above) / len(above))
        halves.append(2 * sum(shares) / len(shares) - 1 if shares else nan)
    return sum(halves) / 2


def slow_tau_a(x: Scores, y: Scores) -> float:
    pairs = list(combinations(range(len(x)), 2))
    return sum(float(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])) for i, j in pairs) / len(pairs)


@given(two_rankings)
@settings(max_examples=some_of(200), deadline=None)
def test_taus_and_spearman_are_those_of_scipy(both: tuple[Scores, Scores]) -> None:
    x, y = both
    defined = len(set(x)) > 1 and len(set(y)) > 1
    expected = {
        "tau_a": slow_tau_a(x, y),
        "tau_b": float(stats.kendalltau(x, y).statistic) if defined else nan,
        "spearman": float(stats.spearmanr(x, y).statistic) if defined else nan,
        "weighted_tau": float(stats.weightedtau(x, y).statistic) if defined else nan,
        "tau_ap_b": slow_tau_ap_b(x, y),
    }
    for name, value in expected.items():
        assert MEASURES[name](x, y) == pytest.approx(value, abs=1e-12, nan_ok=True), name


@given(st.integers(2, 5).flatmap(lambda size: st.tuples(*[st.lists(st.integers(0, 3), min_size=size, max_size=size)] * 2)))
@settings(max_examples=some_of(100), deadline=None)
def test_tau_ap_is_the_mean_over_all_orders_of_ties(both: tuple[list[int], list[int]]) -> None:
    x, y = ([float(score) for score in scores] for scores in both)
    assert correlation.tau_ap(x, y) == pytest.approx(slow_tau_ap(x, y), abs=1e-12)
    assert correlation.tau_ap_symmetric(x, y) == pytest.approx((slow_tau_ap(x, y) + slow_tau_ap(y, x)) / 2, abs=1e-12)


def test_tau_ap_by_hand() -> None:
    """The truth is a b c d. a b d c: rank 2 is right, rank 3 is right, rank 4 in 2 of 3: 2/3 * (1 + 1 + 2/3) - 1 = 7/9.

    b a c d: rank 2 is wrong, the others right: 2/3 * 2 - 1 = 1/3. A swap at the top costs more.
    """
    truth = [4, 3, 2, 1]
    assert correlation.tau_ap(truth, [4, 3, 1, 2]) == pytest.approx(7 / 9)
    assert correlation.tau_ap(truth, [3, 4, 2, 1]) == pytest.approx(1 / 3)
    assert correlation.tau_a(truth, [4, 3, 1, 2]) == correlation.tau_a(truth, [3, 4, 2, 1]) == pytest.approx(2 / 3)


URBANO = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
        [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
        (0.8519, 0.7454, 0.8333, 0.7321),
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
        [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
        (0.2504, 0.2692, 0.2880, 0.297),
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
        [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
        (-0.6971, -0.5558, -0.668, -0.7047),
    ),
]
"""Test values of julian-urbano/ircor @6335f56b9a0a: scores, scores with ties, and the four correlations to four digits."""


@pytest.mark.parametrize(("x", "y", "tied_x", "tied_y", "expected"), URBANO)
def test_tau_ap_as_published_by_urbano(x: Scores, y: Scores, tied_x: Scores, tied_y: Scores, expected: Scores) -> None:
    results = (
        correlation.tau_ap(x, y),
        correlation.tau_ap(x, tied_y),
        correlation.tau_ap_b(x, y),
        correlation.tau_ap_b(tied_x, tied_y),
    )
    assert results == pytest.approx(expected, abs=5e-5)
    assert correlation.tau_ap_symmetric(x, y) == pytest.approx(correlation.tau_ap_b(x, y), abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_ends_of_the_scale(measure: Callable[..., float]) -> None:
    rng = np.random.default_rng(3)
    scores = rng.permutation(17)
    assert measure(scores, scores * 2.0 + 1.0) == pytest.approx(1.0)
    assert measure(scores, -scores) == pytest.approx(-1.0)
    assert isnan(measure([], []))
    assert isnan(measure([1.0], [2.0]))


def test_all_tied_has_no_order() -> None:
    tied, ordered = [1.0, 1.0, 1.0], [1.0, 2.0, 3.0]
    for name in ("tau_b", "spearman", "weighted_tau", "tau_ap_b"):
        assert isnan(MEASURES[name](tied, ordered)), name
    assert correlation.tau_a(tied, ordered) == 0
    assert correlation.tau_ap(tied, ordered) == pytest.approx(0)  # half of the pairs are right by chance


def test_long_rankings_are_those_of_scipy() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 400, 3001).astype(float), rng.integers(0, 3000, 3001).astype(float)
    y += 3 * x
    assert correlation.tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert correlation.weighted_tau(x, y) == pytest.approx(stats.weightedtau(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize(("x", "y"), [([1.0], [1.0, 2.0]), ([1.0, nan], [1.0, 2.0])])
def test_lists_that_do_not_fit(x: Scores, y: Scores) -> None:
    with pytest.raises(BadUsage):
        correlation.tau_a(x, y)


def test_levels_take_rounding_for_a_tie() -> None:
    assert levels([0.3, 0.1 + 0.2, 0.4], 1e-12).tolist() == [0, 0, 1]
    assert levels([0.3, 0.1 + 0.2, 0.4]).tolist() == [0, 1, 2]
    assert levels([]).tolist() == []


def test_between_two_rankings_of_documents() -> None:
    result = between(["d1", "d2", "d3", "d4"], {"d2": 9.0, "d1": 5.0, "d4": 5.0, "d7": 1.0})
    assert (result.items, result.only_first, result.only_second) == (3, 1, 1)
    assert result.tau_b == pytest.approx(correlation.tau_b([3, 2, 1], [1, 2, 1]))
    assert result.tau_ap == pytest.approx(correlation.tau_ap([3, 2, 1], [1, 2, 1]))
    assert result.rbo == rbo(["d1", "d2", "d3", "d4"], ["d2", {"d1", "d4"}, "d7"]).extrapolated


def cube(values: Any, *, lower: tuple[bool, ...] | None = None) -> Cube:
    array = np.array(values, dtype=np.float64)
    metrics, systems, cases = array.shape
    return Cube(
        tuple(f"m{at}" for at in range(metrics)),
        tuple(f"s{at}" for at in range(systems)),
        tuple(f"c{at}" for at in range(cases)),
        array,
        np.array(lower or (False,) * metrics),
    )


def test_by_metric_respects_the_direction_and_counts_who_is_left_out() -> None:
    values = [
        [[0.1, 0.3], [0.5, 0.5], [0.9, 0.7], [0.2, 0.2]],
        [[9.0, 9.0], [5.0, 5.0], [1.0, 1.0], [np.nan, np.nan]],
    ]
    result = by_metric(cube(values, lower=(False, True)))
    assert result["a"].to_list() == ["m0", "m1"]
    assert result["systems"].to_list() == [3, 3]
    assert result["left_out"].to_list() == [1, 1]
    assert result["tau_a"].to_list() == [1, 1]
    assert result["rbo"].to_list() == pytest.approx([1, 1])
    assert set(result.columns) == {"a", "b", "systems", "left_out", "rbo", *MEASURES}


def test_by_metric_is_each_measure_on_the_means() -> None:
    rng = np.random.default_rng(1)
    scores = cube(rng.random((3, 9, 7)))
    result = by_metric(scores)
    assert len(result) == 6
    for row in result.iter_rows(named=True):
        x, y = (scores.means[scores.metrics.index(row[side])] for side in "ab")
        for name, measure in MEASURES.items():
            assert row[name] == pytest.approx(measure(x, y), abs=1e-12), name
        one, other = ([scores.systems[at] for at in np.argsort(-values)] for values in (x, y))
        assert row["rbo"] == pytest.approx(rbo(one, other).extrapolated)


def test_by_collection_goes_by_name() -> None:
    one = cube([[[0.1], [0.2], [0.3]]])
    other = Cube(("m0",), ("s2", "s1", "s9"), ("c",), np.array([[[0.3], [0.2], [0.1]]]), np.array([False]))
    result = by_collection({"one": one, "other": other})
    assert result["metric"].to_list() == ["m0", "m0"]
    assert result["systems"].to_list() == [2, 2]
    assert result["left_out"].to_list() == [2, 2]
    assert result["tau_b"].to_list() == [1, 1]
    with pytest.raises(BadUsage):
        by_collection({"one": one, "other": Cube(("x",), ("s1",), ("c",), np.zeros((1, 1, 1)), np.array([False]))})
    with pytest.raises(BadUsage):
        by_collection({})


def test_correlations_of_one_system_are_none() -> None:
    result = correlations({"x": {"s": 1.0}, "y": {"s": 2.0}})
    assert result["tau_b"].to_list() == [None, None]
    assert result["rbo"].to_list() == pytest.approx([1, 1])
    assert correlations({"x": {"s": 1.0}}).is_empty()


def test_equal_means_are_tied_in_spite_of_rounding() -> None:
    result = correlations({"x": {"s": 0.1 + 0.2, "t": 0.3, "u": 0.1}, "y": {"s": 1.0, "t": 1.0, "u": 0.0}})
    assert result["tau_b"].to_list() == pytest.approx([1, 1])
