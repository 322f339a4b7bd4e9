"""Equal within a margin, against formulas, statsmodels and intervals."""

from __future__ import annotations

from itertools import permutations
from math import nan
from statistics import mode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from plumbline.comparison.significance.equivalence import equivalence
from plumbline.comparison.significance.intervals import mean_intervals
from plumbline.comparison.significance.proportions import p_above
from plumbline.errors import BadUsage
from tests.helpers.made_scores import scores


def one_sided(differences: np.ndarray, limit: float) -> float:
    """P that the mean difference is at most a limit: by Hall's transformation, within the limits of intervals."""
    n = len(differences)
    usual = mode(differences.tolist())
    different = np.flatnonzero(differences != usual)
    few = (6 / n) ** 2
    t = (differences.mean() - limit) / differences.std(ddof=1)
    skewness = float(stats.skew(differences)) * ((1.7 if n < 15 else 1 + 10 / n) + 1.5 * few**2)
    flat = skewness / (6 * n) - 1 / skewness if skewness < 0 else np.inf
    straight = min(t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / (6 * n), flat) / (1 + 0.5 * few)
    if len(different) == 1:
        straight = np.inf * (differences[different[0]] - usual)
    furthest = 1.8 + 2.2 * few if len(different) > 4 else 5.5
    careful = min(t, straight) if t <= 0 else min(max(straight, t / furthest), t / (1 - 0.2 * few))
    return float(stats.t.sf(np.sqrt(n) * careful, n - 1))


@pytest.mark.parametrize("margin", [0.0, 0.02, 0.3])
def test_p_is_the_larger_of_two_one_sided_tests(margin: float) -> None:
    values = scores(4, 20, missing=0.1)
    result = equivalence(values, margin)
    for a, b in permutations(range(4), 2):
        d = (values[a] - values[b])[~np.isnan(values[a] - values[b])]
        assert result.p[a, b] == pytest.approx(max(one_sided(d, -margin), one_sided(-d, -margin)), rel=1e-9)
        assert result.cases[a, b] == len(d)


@pytest.mark.parametrize("cases", [2, 3, 15])
def test_of_normal_differences_p_is_that_of_statsmodels(cases: int) -> None:
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    values = scores(3, cases) ** 4
    result = equivalence(values, 0.15, normal=True)
    for a, b in permutations(range(3), 2):
        assert result.p[a, b] == pytest.approx(weightstats.ttost_paired(values[a], values[b], -0.15, 0.15)[0], rel=1e-6)


@pytest.mark.parametrize("cases", [6, 12, 24])
def test_without_skewness_p_is_never_smaller_than_that_of_statsmodels(cases: int) -> None:
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    half = scores(1, cases // 2)[0]
    values = np.stack((np.concatenate((half, 0.7 - half)), np.zeros(cases) + 0.3))
    expected = weightstats.ttost_paired(values[0], values[1], -0.15, 0.15)[0]
    assert expected <= equivalence(values, 0.15).p[0, 1]
    assert equivalence(values, 0.15).p[0, 1] == pytest.approx(equivalence(values, 0.15).p[1, 0])


@pytest.mark.parametrize("cases", [5, 6, 8, 25])
@pytest.mark.parametrize("digits", [0, 1, None])
@pytest.mark.parametrize("margin", [0.05, 0.1, 0.2, 0.4])
def test_equal_means_that_the_interval_lies_within_the_margin(digits: int | None, margin: float, cases: int) -> None:
    values = scores(6, cases, digits=digits, missing=0.05)
    interval = mean_intervals(values, 0.9)
    inside = (interval.low > -margin) & (interval.high < margin)
    assert np.array_equal(equivalence(values, margin).p < 0.05, inside)


@given(st.integers(0, 1000), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_wider_margin_is_easier_to_keep(seed: int, one: float, other: float) -> None:
    values = scores(3, 9, digits=1, missing=0.1, seed=seed)
    narrow, wide = sorted((one, other))
    easier, harder = equivalence(values, wide).p, equivalence(values, narrow).p
    assert ((easier <= harder + 1e-12) | np.isnan(easier)).all()
    assert np.array_equal(easier, easier.T, equal_nan=True)


def test_every_pair_can_have_a_margin_of_its_own() -> None:
    values = scores(3, 20)
    margins = 0.1 * np.tile(values.mean(axis=1), (3, 1))
    result = equivalence(values, margins)
    for a, b in permutations(range(3), 2):
        assert result.p[a, b] == equivalence(values, margins[a, b]).p[a, b]
    margins[0, 1] = nan
    assert np.isnan(equivalence(values, margins).p[0, 1])


def test_differences_of_one_size_are_wins_and_losses() -> None:
    """Six wins of six by 0.1: the mean is taken to be at most 0.1, and may be well below."""
    values = np.tile([[0.3, 0.4, 0.5], [0.2, 0.3, 0.4], [0.2, 0.3, 0.4]], 2)
    assert equivalence(values, 0.2).p[0, 1] == 0
    assert equivalence(values, 0.05).p[0, 1] > 0.5
    assert equivalence(values, 0.1).p[0, 1] == 1, "as far apart as the margin is not closer"
    assert equivalence(values, 0.05).p[1, 2] == 0, "no difference at all"


def test_a_single_difference_is_both_a_win_and_a_number() -> None:
    """One case of eight differs: others that do may differ by more."""
    d = np.append(np.zeros(7), 0.4)
    values = np.stack((d, np.zeros(8)))
    for margin in (0.1, 0.2, 0.3, 0.6):
        shares = float(p_above(np.array([0]), np.array([1]), np.array([8]), np.array([-margin / 0.4]))[0])
        assert equivalence(values, margin).p[0, 1] == pytest.approx(max(shares, one_sided(-d, -margin)), rel=1e-6)


def test_too_few_cases_have_no_p_and_a_note() -> None:
    for values in (np.array([[0.1, nan], [nan, 0.2]]), np.array([[0.1], [0.2]]), np.zeros((2, 0)), scores(2, 5)):
        result = equivalence(values, 0.1)
        assert np.isnan(result.p[0, 1])
        assert np.isnan(result.p[1, 0])
        assert "no p" in result.note
    assert equivalence(np.zeros((0, 3)), 0.1).p.shape == (0, 0)


@pytest.mark.parametrize("margin", [-0.1, np.inf, [0.1, 0.2, 0.3]])
def test_a_margin_is_a_number_or_a_table_of_numbers(margin: object) -> None:
    with pytest.raises(BadUsage):
        equivalence(scores(3, 5), margin)  # type: ignore[arg-type]


def test_errors_are_as_seldom_as_the_level_says() -> None:
    """Systems that differ by the margin are seldom called equal."""
    generator = np.random.default_rng(5)
    cases = generator.normal(size=(600, 25)) * 0.1
    apart = [float(equivalence(np.stack((one + 0.05, np.zeros(25))), 0.05).p[0, 1]) for one in cases]
    assert 0.025 < np.mean(np.array(apart) < 0.05) < 0.08
