"""Friedman's and Nemenyi's tests against scipy and the textbook."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.friedman import friedman, nemenyi
from plumbline.errors import BadUsage


@pytest.mark.parametrize("digits", [1, 2, None])
@pytest.mark.parametrize(("systems", "cases"), [(3, 5), (4, 20), (9, 12)])
def test_friedman_is_scipys(systems: int, cases: int, digits: int | None) -> None:
    values = np.random.default_rng(systems).random((systems, cases))
    values = values if digits is None else np.round(values, digits)
    result, expected = friedman(values), stats.friedmanchisquare(*values)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert result.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert result.mean_ranks == pytest.approx(stats.rankdata(-values, axis=0).mean(axis=1))


def test_nemenyi_is_the_textbook() -> None:
    values = np.random.default_rng(2).random((5, 30)) + np.linspace(0, 0.4, 5)[:, None]
    result = friedman(values, alpha=0.1)
    error = np.sqrt(5 * 6 / (6 * 30))
    for a in range(5):
        for b in range(5):
            gap = result.mean_ranks[b] - result.mean_ranks[a]
            expected = stats.studentized_range.sf(abs(gap) / error * np.sqrt(2), 5, np.inf) if a != b else 1
            assert result.nemenyi.p[a, b] == pytest.approx(expected, abs=1e-9)
            assert result.nemenyi.statistic[a, b] == pytest.approx(gap / error)
            assert (result.nemenyi.p[a, b] < 0.1) == (abs(gap) > result.critical_difference)
    assert result.nemenyi.familywise


@pytest.mark.parametrize(("systems", "cases"), [(5, 50), (10, 8)])
def test_of_many_cases_or_systems_p_is_that_of_the_textbook(systems: int, cases: int) -> None:
    values = np.random.default_rng(2).random((systems, cases)) + np.linspace(0, 0.9, systems)[:, None]
    result = nemenyi(values)
    assert np.array_equal(result.p, friedman(values).nemenyi.p)
    assert not np.asarray(result.bounded).any(), "nothing is drawn, so p is no bound"


def test_few_ranks_of_few_systems_are_dealt_out() -> None:
    """Three systems in the same order on 6 cases: of 6^5 deals that differ, 6 have both extremes at the same systems."""
    values = np.tile([[0.1], [0.2], [0.3]], (1, 6))
    result = nemenyi(values, resamples=50_000, seed=1)
    assert result.p[0, 2] == pytest.approx(6 / 6**6, abs=2e-4)
    assert "50,000 deals of the ranks (seed 1)" in result.note
    tied = nemenyi(np.array([[0.5, 0.5, 0.5, 0.9], [0.5, 0.5, 0.5, 0.1]]), resamples=2000)
    assert tied.p[0, 1] == 1, "one of two deals of the only case that differs turns it round, and both are as far apart"


def test_critical_values_of_demsar() -> None:
    """Table 5a of Demsar 2006: q for alpha 0.05 and 2 to 10 classifiers, cut after three digits."""
    published = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    for systems, expected in zip(range(2, 11), published, strict=True):
        result = friedman(np.random.default_rng(0).random((systems, 6))).critical_difference
        assert result / np.sqrt(systems * (systems + 1) / 36) == pytest.approx(expected, abs=1e-3)


def test_incomplete_cases_are_left_out_and_counted() -> None:
    values = np.random.default_rng(1).random((4, 20))
    holes = np.vstack([values, np.full(20, nan)])
    holes[0, :3] = nan
    result = friedman(holes)
    assert result.statistic == pytest.approx(friedman(values[:, 3:]).statistic)
    assert result.cases == 17
    assert isnan(result.mean_ranks[4])
    assert "3 of 20 cases" in result.note
    assert result.nemenyi.cases[0, 1] == 17
    assert result.nemenyi.cases[0, 4] == 0


def test_noise_is_no_rank() -> None:
    values = np.array([[0.1 + 0.2] * 5, [0.3] * 5, [0.3] * 5])
    result = friedman(values)
    assert result.mean_ranks.tolist() == [2, 2, 2]
    assert result.p == 1
    assert (result.nemenyi.p == 1).all()


def test_nothing_to_compare() -> None:
    for values in (np.zeros((1, 3)), np.full((3, 3), nan), np.zeros((3, 0)), np.array([[0.1, nan], [nan, 0.1]])):
        result = friedman(values)
        assert isnan(result.p)
        assert "no p" in result.note
    assert friedman([[0.1, 0.2], [0.2, 0.3]]).p == pytest.approx(stats.chi2.sf(2, 1))
    with pytest.raises(BadUsage):
        friedman([[0.1], [0.2]], alpha=1.5)
