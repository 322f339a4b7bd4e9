"""Intervals of items within few cases keep their level, however much the cases differ."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.stats import norm, t

from plumbline.comparison.units.two_levels import two_level_ends

DATA_SETS = 3000


normal, student = cache(norm.ppf), cache(t.ppf)
"""Quantiles, of which all data sets need the same."""


def ends(of_cases: np.ndarray, level: float = 0.95) -> np.ndarray:
    """The interval of cases with normal means, each with a variance of 1 because of its items."""
    count, centre = len(of_cases), of_cases.mean()
    variance = (1.0 + of_cases.var()) / count
    of_draws = centre + np.array([-1, 1]) * normal((1 + level) / 2) * np.sqrt(variance)
    half = student((1 + level) / 2, count - 1) * of_cases.std(ddof=1) / np.sqrt(count)
    return two_level_ends(of_draws, variance, of_cases, np.array([centre - half, centre + half]), level)


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3, 4, 12])
@pytest.mark.parametrize("differ", [0.0, 1.0, 3.0, 8.0, 100.0])
def test_the_level_is_kept(count: int, differ: float) -> None:
    """`differ` is the variance of the true means of cases."""
    drawn = np.random.default_rng(count).normal(0, np.sqrt(1 + differ), (DATA_SETS, count))
    held = np.array([low <= 0 <= high for low, high in map(ends, drawn)])
    assert held.mean() > 0.938, "95 %, but for chance"


def test_cases_that_differ_are_the_units() -> None:
    of_cases = np.array([-3.0, 0.0, 2.0, 7.0, 9.0])
    half = t.ppf(0.975, 4) * of_cases.std(ddof=1) / np.sqrt(5)
    assert ends(of_cases) == pytest.approx([3 - half, 3 + half])


@pytest.mark.parametrize(("count", "quantile"), [(2, t.ppf(0.95, 1)), (6, t.ppf(0.95, 5)), (7, norm.ppf(0.975))])
def test_cases_that_seem_alike_are_known_by_their_items(count: int, quantile: float) -> None:
    low, high = ends(np.full(count, 0.5) + np.linspace(-0.1, 0.1, count))
    assert (low, high) == pytest.approx((0.5 - quantile / np.sqrt(count), 0.5 + quantile / np.sqrt(count)))


def test_one_case_has_the_percentiles_of_its_draws() -> None:
    drawn = np.array([0.1, 0.4])
    assert two_level_ends(drawn, 0.2, np.array([0.3, np.nan]), np.array([np.nan, np.nan]), 0.95) is drawn
