"""Discriminative power and swap rate against loops, and of metrics that are planted."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline
from plumbline.comparison.generalise.forecast import halves
from plumbline.studies.swaps import first_halves, swaps
from tests.helpers.examples import some_of
from tests.helpers.score_worlds import Block, Nested, blocks, nested
from tests.helpers.study_oracles import randomization_p
from tests.helpers.study_oracles import swaps as slow


@given(blocks(cases=7), st.sampled_from([0.05, 0.25, 0.5, 0.7]))
@settings(max_examples=some_of(40), deadline=None)
def test_power_is_that_of_loops_over_all_signs(block: Block, level: float) -> None:
    actual = plumbline.meta(nested(block), level=level, splits=1)
    for at, table in enumerate(block):
        p = [randomization_p(one, other) for one, other in combinations(table, 2)]
        row = actual.discrimination.row(at, named=True)
        significant = sum(value < level for value in p)
        assert (row["pairs"], row["significant"], row["power"]) == (len(p), significant, significant / len(p))
        asl = actual.asl.filter(metric=f"m{at}")
        assert asl["p"].to_list() == pytest.approx(sorted(map(float, p), reverse=True))
        assert asl["place"].to_list() == list(range(1, len(p) + 1))
        for _, _, a, b, value in asl.iter_rows():
            assert value == pytest.approx(float(randomization_p(table[int(a[1:])], table[int(b[1:])])))


@given(blocks(metrics=2, cases=6), st.integers(0, 5))
@settings(max_examples=some_of(30), deadline=None)
def test_swaps_are_those_of_loops(block: Block, seed: int) -> None:
    table, splits = block[0], 9
    cases = len(table[0])
    bins, tied = slow(table, [half.tolist() for half in halves(cases, splits, seed)])
    actual = swaps(np.array(table) / 10, first_halves(cases, splits, seed))
    assert {at: (int(actual.pairs[at]), int(actual.swapped[at])) for at in np.flatnonzero(actual.pairs)} == bins
    assert actual.tied == tied


def test_swaps_by_hand() -> None:
    """Two systems, two cases, one split: each wins one case, by 0.4 and by 0.1 of a span of 1."""
    actual = plumbline.meta(
        {
            "A": {"x": {"q": 0.4, "r": 0.0}, "y": {"q": 0.0, "r": 0.1}},
            "B": {"x": {"q": 1.0, "r": 1.0}, "y": {"q": 0.0, "r": 0.0}},
        },
        splits=4,
    )
    rates = dict(actual.table.select("metric", "swap_rate").iter_rows())
    assert rates == {"A": 1.0, "B": 0.0}
    rows = actual.swaps.filter(metric="A").rows()
    assert all(low == pytest.approx(0.08) and high is None and rate == 1.0 for _, low, high, _, _, rate in rows)
    assert sum(row[3] for row in rows) == 4


def test_great_differences_swap_less() -> None:
    """Voorhees and Buckley 2002: the rate falls with the size of the difference."""
    rng = np.random.default_rng(4)
    values = rng.normal(size=(12, 40)) * 20 + np.linspace(0, 20, 12)[:, None]
    actual = swaps(values, first_halves(40, 200))
    rates = actual.swapped[:20] / np.maximum(actual.pairs[:20], 1)
    assert rates[0] > rates[5] > rates[12]
    assert actual.pairs.sum() == 200 * 66


def test_a_metric_that_tells_systems_apart_has_more_power() -> None:
    rng = np.random.default_rng(8)
    steady = np.arange(6)[:, None] * 20 + rng.integers(0, 9, (6, 20))
    noise = rng.integers(0, 1000, (6, 20))
    actual = plumbline.meta(nested([noise.tolist(), steady.tolist()], ["noise", "steady"]), splits=50)
    rows = {row["metric"]: row for row in actual.table.iter_rows(named=True)}
    assert rows["steady"]["power"] == 1.0
    assert rows["noise"]["power"] < 0.4
    assert rows["steady"]["swap_rate"] == 0.0
    assert rows["noise"]["swap_rate"] > 0.3


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "t", "wilcoxon", "sign"])
def test_the_test_is_named(test: str) -> None:
    block = np.random.default_rng(9).integers(0, 100, (2, 3, 20)).tolist()
    actual = plumbline.meta(nested(block), test=test, splits=5)
    name = next(iter(actual.tested.values())).name
    assert actual.discrimination["test"].unique().to_list() == [name]
    assert name in actual.grid().caption


def too_few(values: Nested, test: str) -> list[str]:
    """What is said about too few cases."""
    return [str(notice) for notice in plumbline.meta(values, test=test, splits=1).notices if notice.code == "N252"]


@pytest.mark.parametrize("test", ["randomization", "wilcoxon", "sign"])
def test_too_few_cases_are_told(test: str) -> None:
    """The least p is that of a system that wins every case."""
    for cases in (5, 6):
        actual = plumbline.meta(nested([[[1] * cases, list(range(2, cases + 2))]] * 2), test=test, splits=1)
        least = min(actual.asl["p"])
        assert least == pytest.approx(2 / 2**cases)
        assert bool(too_few(nested([[[1] * cases, [2] * cases]]), test)) == (least >= 0.05)
    assert "with 5 cases no p is below 0.0625" in too_few(nested([[[1] * 5, [2] * 5]]), test)[0]


def test_too_few_cases_of_one_metric_are_told() -> None:
    values = nested([[[1] * 9, [2] * 9]] * 2, ["A", "B"])
    for case in ("c0", "c1", "c2", "c3"):
        values["B"]["s0"][case] = float("nan")
    parameters = too_few(values, "sign")
    assert len(parameters) == 1
    assert "with 5 cases no p by B is below 0.0625" in parameters[0]
    assert not too_few(values, "t")
