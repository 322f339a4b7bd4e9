"""Intervals of UIR: their coverage from all outcomes, and what holds of every one of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from plumbline.comparison.unanimity.interval import interval
from plumbline.comparison.unanimity.unanimity import Unanimity, unanimity
from plumbline.errors import BadUsage
from tests.helpers.score_cubes import cube_of, drawn

Numbers = np.ndarray[Any, Any]


def counted(wins: int, losses: int, cases: int) -> Unanimity:
    """Two systems with so many strict improvements of either side; the metrics disagree on the rest."""
    strict = np.array([[0, wins], [losses, 0]])
    return Unanimity(("a", "b"), strict + np.diag([cases, cases]), np.diag([cases, cases]), np.full((2, 2), cases))


@cache
def outcomes(cases: int, level: float) -> tuple[Numbers, Numbers, Numbers]:
    """Wins and losses of every outcome, and the ends of its interval."""
    places = np.array([(wins, losses) for wins in range(cases + 1) for losses in range(cases + 1 - wins)])
    size = cases + 1
    strict = np.zeros((2 * size, 2 * size), dtype=np.int64)  # a block beside the diagonal, so that the other side has losses
    strict[:size, size:], strict[size:, :size] = np.arange(size)[:, None], np.arange(size)[:, None]
    possible = strict + strict.T <= cases
    equal = np.zeros_like(strict)
    names = tuple(map(str, range(2 * size)))
    low, high = interval(Unanimity(names, np.where(possible, strict, 0), equal, np.full_like(strict, cases)), level)
    at = places[:, 0], size + places[:, 1]
    return places, low[at], high[at]


def coverage(cases: int, level: float, won: float, lost: float) -> float:
    """The probability that the interval holds the truth, summed over all outcomes."""
    places, low, high = outcomes(cases, level)
    chances = stats.multinomial.pmf(np.column_stack((places, cases - places.sum(axis=1))), cases, [won, lost, 1 - won - lost])
    return float(chances[(low <= won - lost + 1e-12) & (won - lost <= high + 1e-12)].sum())


GRID = [(won, lost) for won in (0.02, 0.1, 0.3, 0.5, 0.7, 0.93, 0.98) for lost in (0.0, 0.02, 0.1, 0.3, 0.5) if won + lost <= 1]


@pytest.mark.parametrize(("level", "least"), [(0.9, 0.83), (0.95, 0.92), (0.99, 0.98)])
@pytest.mark.parametrize("cases", [5, 10, 30])
def test_coverage_from_all_outcomes(cases: int, level: float, least: float) -> None:
    covered = [coverage(cases, level, won, lost) for won, lost in GRID]
    assert min(covered) >= least
    assert np.mean(covered) >= level


def test_at_the_border_the_interval_covers() -> None:
    """The bootstrap covered a true UIR of 0.93 in 78 % of 30 cases and in 40 % of 10."""
    assert coverage(30, 0.95, 0.93, 0.0) >= 0.93
    assert coverage(10, 0.95, 0.93, 0.0) >= 0.93
    low, high = interval(counted(5, 0, 5))
    assert (low[0, 1], high[0, 1]) == (0.0, 1.0), "p is 0.0625"
    low, high = interval(counted(30, 0, 30))
    assert low[0, 1] == pytest.approx(0.82, abs=0.01)
    assert high[0, 1] == pytest.approx(1.0)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.9, 0.95, 0.99]))
def test_every_interval(wins: int, losses: int, rest: int, level: float) -> None:
    cases = wins + losses + rest
    improvements = counted(wins, losses, cases)
    low, high = (end[0, 1] for end in interval(improvements, level))
    if not cases:
        assert np.isnan([low, high]).all()
        return
    assert -1 <= low <= improvements.uir[0, 1] + 1e-12
    assert improvements.uir[0, 1] - 1e-12 <= high <= 1
    assert low < high, "never a point"
    assert (low > 0 or high < 0) == (improvements.p[0, 1] < 1 - level), "0 is left out where the sign test is significant"
    backward = interval(improvements, level)
    assert (backward[0][1, 0], backward[1][1, 0]) == (-high, -low)
    wider = interval(improvements, (1 + level) / 2)
    assert wider[0][0, 1] <= low
    assert high <= wider[1][0, 1]
    if rest:
        better = interval(counted(wins + 1, losses, cases), level)
        assert better[0][0, 1] >= low - 1e-9
        assert better[1][0, 1] >= high - 1e-9


def test_without_the_correction_for_skewness_it_is_tangos_interval() -> None:
    """In the middle of many cases skewness does not matter: both ends are where Tango's statistic is 1.96."""
    low, high = (float(end[0, 1]) for end in interval(counted(310, 190, 1000)))
    for end, expected in ((low, 1.96), (high, -1.96)):
        shares = np.linspace(max(0, -end), (1 - end) / 2, 200_001)[1:-1]
        likelihood = 310 * np.log(shares + end) + 190 * np.log(shares) + 500 * np.log(1 - 2 * shares - end)
        lost = shares[likelihood.argmax()]
        score = (310 - 190 - 1000 * end) / np.sqrt(1000 * (2 * lost + end * (1 - end)))
        assert score == pytest.approx(expected, abs=0.01)


def test_real_tables_and_pairs_one_by_one_agree() -> None:
    improvements = unanimity(drawn(30, (2, 6, 30)))
    low, high = interval(improvements)
    for a in range(6):
        for b in range(a):
            alone = counted(improvements.strict[a, b], improvements.strict[b, a], improvements.cases[a, b])
            assert (low[a, b], high[a, b]) == pytest.approx(tuple(end[0, 1] for end in interval(alone)))


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    improvements = unanimity(drawn(9, (2, 6, 9)))
    at_once = interval(improvements)
    monkeypatch.setattr("plumbline.comparison.significance.proportions._BLOCK", 3)
    monkeypatch.setattr("plumbline.comparison.significance.proportions._FEW", 0)
    assert np.array_equal(at_once, interval(improvements), equal_nan=True)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_is_a_share(level: float) -> None:
    cube = cube_of([[[1.0], [2.0]]])
    with pytest.raises(BadUsage):
        interval(unanimity(cube), level)
