"""Effect sizes and confidence intervals against loops and scipy."""

from __future__ import annotations

from itertools import permutations
from math import gamma, nan, sqrt

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.effects import bootstrap_intervals, effects, t_intervals
from plumbline.comparison.significance.resampling import drawn_weights
from plumbline.errors import BadUsage


def made(systems: int, cases: int) -> np.ndarray:
    generator = np.random.default_rng(cases)
    values = np.round(generator.random((systems, cases)), 1)
    values[generator.random(values.shape) < 0.15] = nan
    return values


@pytest.mark.parametrize("cases", [9, 40])
def test_effects_by_definition(cases: int) -> None:
    values = made(5, cases)
    result = effects(values)
    for a, b in permutations(range(5), 2):
        d = [x - y for x, y in zip(values[a], values[b], strict=True) if not np.isnan(x - y)]
        n = len(d)
        mean = sum(d) / n
        deviation = sqrt(sum((one - mean) ** 2 for one in d) / (n - 1))
        assert result.cases[a, b] == n
        assert result.mean_difference[a, b] == pytest.approx(mean, abs=1e-12)
        assert result.cohen[a, b] == pytest.approx(mean / deviation, abs=1e-9)
        unbiased = gamma((n - 1) / 2) / sqrt((n - 1) / 2) / gamma((n - 2) / 2)
        assert result.hedges[a, b] == pytest.approx(mean / deviation * unbiased, abs=1e-9)
        assert result.won[a, b] == pytest.approx(sum(one > 1e-9 for one in d) / n)
        assert result.lost[a, b] == pytest.approx(sum(one < -1e-9 for one in d) / n)
        assert result.won[a, b] + result.lost[a, b] + result.tied[a, b] == pytest.approx(1)


def test_t_intervals_are_scipys() -> None:
    values = made(4, 25)
    result = t_intervals(values, level=0.9)
    for a, b in permutations(range(4), 2):
        there = ~np.isnan(values[a] - values[b])
        expected = stats.ttest_rel(values[a][there], values[b][there]).confidence_interval(0.9)
        assert (result.low[a, b], result.high[a, b]) == pytest.approx((expected.low, expected.high), rel=1e-9)


@pytest.mark.parametrize("systems", [3, 18])
def test_bootstrap_intervals_by_definition(systems: int) -> None:
    values = np.random.default_rng(1).random((systems, 20))
    values[::2, 3:6] = nan
    values[-1, 0] = nan
    result = bootstrap_intervals(values, level=0.9, resamples=200, seed=6)
    weights = drawn_weights(np.random.default_rng(6), 200, 20)
    for a, b in permutations(range(systems), 2):
        d = values[a] - values[b]
        there = ~np.isnan(d)
        means = [np.average(d[there], weights=row[there]) for row in weights]
        assert (result.low[a, b], result.high[a, b]) == pytest.approx(tuple(np.quantile(means, [0.05, 0.95])), abs=1e-9)


def test_degenerate_tables_have_an_answer() -> None:
    constant = effects([[0.3, 0.4, 0.5], [0.2, 0.3, 0.4]])
    assert constant.cohen[0, 1] == np.inf
    assert constant.cohen[1, 0] == -np.inf
    assert "infinite" in constant.note
    assert t_intervals([[0.3, 0.4, 0.5], [0.2, 0.3, 0.4]]).low[0, 1] == pytest.approx(0.1)
    equal = effects([[0.3, 0.4], [0.3, 0.4]])
    assert equal.cohen[0, 1] == 0
    assert equal.tied[0, 1] == 1
    for values in (np.full((2, 3), nan), np.zeros((2, 0)), np.zeros((1, 2)), np.array([[0.1], [0.2]]), np.zeros((0, 0))):
        assert effects(values).cohen.shape == (len(values), len(values))
        for result in (t_intervals(values), bootstrap_intervals(values, resamples=10)):
            assert (np.diag(result.low) == 0).all()
            assert np.isnan(result.low[~np.eye(len(values), dtype=bool)]).all()
            assert len(values) < 2 or "no interval" in result.note


def test_a_draw_without_any_case_is_left_out() -> None:
    values = np.full((2, 40), nan)
    values[:, :2] = [[0.5, 0.75], [0.25, 0.25]]
    result = bootstrap_intervals(values, resamples=300)
    assert 0.25 <= result.low[0, 1] <= result.high[0, 1] <= 0.5


def test_bad_requests() -> None:
    with pytest.raises(BadUsage):
        t_intervals([[0.1], [0.2]], level=95)
    with pytest.raises(BadUsage):
        bootstrap_intervals([[0.1], [0.2]], resamples=0)
