"""Detectable differences against statsmodels and simulation, and the fewest cases of every test."""

from __future__ import annotations

from itertools import combinations
from math import nan

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.power import detectable, fewest_cases, needed_cases
from plumbline.comparison.significance.registry import all_tests, find_correction, find_test
from plumbline.errors import BadUsage
from tests.helpers.made_scores import scores


def power_of(difference: float, deviation: float, cases: int, level: float) -> float:
    """The power of a two-sided t test, by scipy's noncentral t."""
    limit = stats.t.isf(level / 2, cases - 1)
    return float(stats.nct.sf(limit, cases - 1, difference * np.sqrt(cases) / deviation))


@pytest.mark.parametrize("level", [0.05, 0.05 / 45])
@pytest.mark.parametrize(("cases", "missing"), [(3, 0.0), (30, 0.2), (400, 0.0)])
def test_a_detectable_difference_has_the_power(cases: int, missing: float, level: float) -> None:
    values = scores(4, cases, missing=missing)
    result = detectable(values, level=level, power=0.8)
    for a, b in combinations(range(4), 2):
        d = (values[a] - values[b])[~np.isnan(values[a] - values[b])]
        assert power_of(result.difference[a, b], d.std(ddof=1), len(d), level) == pytest.approx(0.8, abs=1e-4)
        assert result.difference[a, b] == result.difference[b, a]
        assert result.cases[a, b] == len(d)


def test_the_difference_is_that_of_statsmodels() -> None:
    power = pytest.importorskip("statsmodels.stats.power")
    values = scores(2, 25)
    d = values[0] - values[1]
    expected = power.TTestPower().solve_power(nobs=25, alpha=0.05, power=0.8) * d.std(ddof=1)
    assert detectable(values).difference[0, 1] == pytest.approx(expected, rel=1e-5)


def test_a_detectable_difference_is_found_as_often_as_it_says() -> None:
    values = np.stack((np.random.default_rng(2).normal(size=20), np.zeros(20)))
    difference, deviation = detectable(values).difference[0, 1], values[0].std(ddof=1)
    drawn = np.random.default_rng(3).normal(difference, deviation, size=(2000, 20))
    assert (stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05).mean() == pytest.approx(0.8, abs=0.04)


def test_tiny_levels_and_two_cases_have_an_answer() -> None:
    values = np.array([[0.1, 0.5], [0.3, 0.2]])
    deviation = float((values[0] - values[1]).std(ddof=1))
    far = [detectable(values, level=level).difference[0, 1] for level in (1e-3, 1e-4, 1e-5, 1e-7)]
    assert far == sorted(far)
    generator = np.random.default_rng(0)
    drawn = generator.normal(far[-1], deviation, size=(100_000, 2))
    t = np.abs(drawn.mean(axis=1)) / (np.abs(drawn[:, 0] - drawn[:, 1]) / 2)
    assert (t > stats.t.isf(5e-8, 1)).mean() == pytest.approx(0.8, abs=0.01)


def test_degenerate_tables_have_an_answer() -> None:
    assert detectable([[0.3, 0.4], [0.2, 0.3]]).difference[0, 1] == 0
    assert "do not vary" in detectable([[0.3, 0.4], [0.2, 0.3]]).note
    for values in (np.array([[0.1, nan], [nan, 0.2]]), np.array([[0.1], [0.2]]), np.zeros((2, 0))):
        assert np.isnan(detectable(values).difference[0, 1])
        assert "fewer than two cases" in detectable(values).note
    for level, power in ((0.0, 0.8), (0.05, 1.0)):
        with pytest.raises(BadUsage):
            detectable(scores(2, 5), level=level, power=power)


@pytest.mark.parametrize(("deviation", "difference"), [(0.2, 0.05), (1.0, 3.0), (0.0, 0.1)])
def test_needed_cases_just_suffice(deviation: float, difference: float) -> None:
    cases = needed_cases(deviation, difference)
    if deviation:
        assert power_of(difference, deviation, cases, 0.05) >= 0.8 - 1e-6
    if cases > 2:
        assert power_of(difference, deviation, cases - 1, 0.05) < 0.8
    with pytest.raises(BadUsage):
        needed_cases(deviation, 0.0)


@pytest.mark.parametrize("name", [name for name, test in all_tests().items() if not test.widened])
@pytest.mark.parametrize("pairs", [1, 3])
def test_with_fewer_cases_nothing_can_be_significant(name: str, pairs: int) -> None:
    """One system wins every case; from the fewest cases on that is significant, with one less it is not."""
    test, systems = find_test(name), 2 if pairs == 1 else 3
    factor = 1.0 if test.familywise else find_correction("holm").factor(pairs)
    fewest = fewest_cases(name, factor, 0.05, systems=systems)
    for cases in (fewest - 1, fewest):
        best = np.tile(np.arange(systems)[::-1, None], (1, cases)) / 4.0
        p = test(best, resamples=5000).p[0, -1] * factor if cases else nan
        assert bool(p < 0.05) == (cases == fewest)


@pytest.mark.parametrize(
    ("name", "factor", "expected"), [("sign", 1, 6), ("randomization", 1, 6), ("wilcoxon", 10, 9), ("t", 100, 2)]
)
def test_fewest_cases_of_known_tests(name: str, factor: float, expected: int) -> None:
    assert fewest_cases(name, factor) == expected
