"""Intervals of UIR: the bootstrap against a loop over the same draws, and what it tends to against the exact distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.comparison.unanimity.interval import interval
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.errors import BadUsage
from tests.comparison.unanimity.test_unanimity import counted
from tests.helpers.score_cubes import cube_of, drawn

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube


def looped(cube: Cube, draws: int, seed: int, level: float, eps: float) -> np.ndarray[Any, Any]:
    """The bootstrap, draw by draw and pair by pair, with the same draws."""
    size = len(cube.cases)
    times = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), size=draws)
    ends = np.full((2, len(cube.systems), len(cube.systems)), np.nan)
    for a in range(len(cube.systems)):
        for b in range(len(cube.systems)):
            found = []
            for one in times:
                a_ge_b, b_ge_a, _, _, cases = counted(cube, a, b, eps, np.repeat(np.arange(size), one).tolist())
                found += [(a_ge_b - b_ge_a) / cases] if cases else []
            if found:
                ends[:, a, b] = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return ends


@pytest.mark.slow
@pytest.mark.parametrize(("cases", "eps"), [(1, 0.0), (2, 0.0), (9, 0.0), (9, 0.25), (30, 0.0)])
def test_the_interval_is_where_drawing_cases_tends_to(cases: int, eps: float) -> None:
    cube = drawn(cases, (2, 4, cases))
    exact, sampled = np.array(interval(unanimity(cube, eps))), looped(cube, 1500, 3, 0.95, eps)
    assert exact == pytest.approx(sampled, abs=1.01 / cases + 0.02, nan_ok=True)
    assert np.array_equal(exact[0], -exact[1].T)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))
def test_the_exact_interval_is_that_of_the_multinomial_distribution(wins: int, losses: int, rest: int) -> None:
    cases = wins + losses + rest
    values = np.zeros((1, 2, cases))
    values[0, 0, :wins], values[0, 1, wins : wins + losses] = 1.0, 1.0
    low, high = (float(end[0, 1]) for end in interval(unanimity(cube_of(values)), 0.9))
    if not cases:
        assert np.isnan([low, high]).all()
        return
    chances = np.array([1.0])
    for _ in range(cases):
        chances = np.convolve(chances, np.array([losses, rest, wins]) / cases)
    sums = np.arange(-cases, cases + 1)
    expected_low = max(int(at) for at in sums if chances[sums < at].sum() <= 0.05 + 1e-12)
    expected_high = min(int(at) for at in sums if chances[sums > at].sum() <= 0.05 + 1e-12)
    assert (low * cases, high * cases) == pytest.approx((expected_low, expected_high))


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    """Two systems with two independent metrics; the first is better by each in three of five cases, so that UIR is 0.2."""
    generator = np.random.default_rng(8)
    covered = 0
    for _ in range(300):
        better = np.where(generator.random((2, 100)) < 0.6, 1.0, -1.0)
        low, high = interval(unanimity(cube_of(np.stack((better, np.zeros_like(better)), axis=1))))
        covered += low[0, 1] <= 0.2 <= high[0, 1]
    assert 0.91 <= covered / 300 <= 0.985


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_is_a_share(level: float) -> None:
    cube = cube_of([[[1.0], [2.0]]])
    with pytest.raises(BadUsage):
        interval(unanimity(cube), level)
