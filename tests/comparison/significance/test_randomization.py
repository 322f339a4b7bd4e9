"""Fisher's randomization test and the bootstrap test against scipy and slow oracles."""

from __future__ import annotations

from itertools import combinations, product
from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from plumbline.comparison.significance.randomization import bootstrap, randomization
from plumbline.comparison.significance.resampling import drawn_signs, drawn_weights, draws, every_sign
from tests.helpers.examples import some_of
from tests.helpers.significance_oracles import widened_share


def made(systems: int, cases: int, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return np.asarray(generator.random((systems, cases)) + np.linspace(0, 0.3, systems)[:, None])


def all_signs(differences: list[float]) -> float:
    """The share of signs whose sum is as far from 0."""
    far = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(one >= far - 1e-9 for one in sums) / len(sums)


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=7))
@settings(max_examples=some_of(40), deadline=None)
def test_few_cases_are_exact(rows: list[tuple[int, int, int]]) -> None:
    """Tenths have noise in the last digit: equal sums must still be equal."""
    values = np.array(rows).T / 10
    result = randomization(values)
    for a, b in combinations(range(3), 2):
        assert result.p[a, b] == result.p[b, a] == pytest.approx(all_signs(list(values[a] - values[b])))
    assert result.exact is not None
    assert result.exact.all()


def test_exact_is_scipys() -> None:
    values = made(3, 12)
    for a, b in combinations(range(3), 2):
        expected = stats.permutation_test(
            (values[a], values[b]),
            lambda x, y, axis: (x - y).mean(axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
        )
        assert randomization(values).p[a, b] == pytest.approx(expected.pvalue, rel=1e-12)


def test_pairs_with_few_cases_are_exact_among_many() -> None:
    values = made(3, 40)
    values[1, 8:] = nan
    values[2, :35] = nan
    result = randomization(values, resamples=99)
    assert result.exact is not None
    assert result.p[0, 1] == pytest.approx(all_signs(list(values[0, :8] - values[1, :8])))
    assert result.p[0, 2] == pytest.approx(all_signs(list(values[0, 35:] - values[2, 35:])))
    assert np.isnan(result.p[1, 2])
    assert "no case on which both have a score" in result.note
    assert result.exact[0, 1]


def test_draws_come_close_to_all_signs() -> None:
    """Seventeen cases are drawn; the exact p is the share of 65,536 signs."""
    values = made(4, 17)
    result = randomization(values, resamples=20_000)
    for a, b in combinations(range(4), 2):
        difference = values[a] - values[b]
        exact = (np.abs(every_sign(17) @ difference) >= abs(difference.sum()) - 1e-12).mean()
        assert result.p[a, b] == pytest.approx(exact, abs=0.012)
    assert result.exact is not None
    assert not result.exact[0, 1]
    assert "20,000 random signs (seed 0)" in result.note


@pytest.mark.parametrize("systems", [3, 20])
def test_draws_are_the_definition(systems: int) -> None:
    """A loop over pairs and draws with the same signs; with a large group, a second one that lacks cases, and loners."""
    values = made(systems, 30)
    values[: systems // 2, 3:7] = nan
    values[-1, 0] = nan
    result = randomization(values, resamples=50, seed=4)
    signs = drawn_signs(np.random.default_rng(4), 50, 30)
    for a, b in combinations(range(systems), 2):
        difference = np.nan_to_num(values[a] - values[b])
        reached = sum(abs(float(row @ difference)) >= abs(difference.sum()) - 1e-12 for row in signs)
        assert result.p[a, b] == result.p[b, a]
        assert result.p[a, b] == pytest.approx((reached + 1) / 51) if reached else result.p[a, b] <= 1 / 51
        assert result.statistic[a, b] == pytest.approx(np.nanmean(values[a] - values[b]))


def test_seeds() -> None:
    values = made(4, 30)
    assert (randomization(values, seed=1).p == randomization(values, seed=1).p).all()
    assert (randomization(values, seed=1).p != randomization(values, seed=2).p).any()


def test_signs_are_fair_and_independent() -> None:
    signs = drawn_signs(np.random.default_rng(0), 4000, 70)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert np.abs(signs.mean(axis=0)).max() < 0.08
    assert np.abs(np.corrcoef(signs.T) - np.eye(70)).max() < 0.1
    parts = np.random.default_rng(0)
    assert (np.vstack([drawn_signs(parts, 1000, 70), drawn_signs(parts, 3000, 70)]) == signs).all()
    assert every_sign(3).tolist() == [[1, 1, 1], [-1, 1, 1], [1, -1, 1], [-1, -1, 1]]


@pytest.mark.parametrize(("systems", "together"), [(2, [2, 2, 1]), (500, [5])])
def test_draws_of_very_many_cases_take_no_more_memory_than_the_scores(systems: int, together: list[int]) -> None:
    assert [len(block) for block in draws(drawn_signs, 600_000, systems, 5, 0)] == together


@pytest.mark.parametrize("systems", [3, 20])
def test_bootstrap_is_the_definition(systems: int) -> None:
    values = made(systems, 25)
    values[: systems // 2, 3:7] = nan
    values[-1, 0] = nan
    result = bootstrap(values, resamples=60, seed=5)
    weights = drawn_weights(np.random.default_rng(5), 60, 25)
    assert (weights.sum(axis=1) == 25).all()
    for a, b in combinations(range(systems), 2):
        difference = values[a] - values[b]
        there = ~np.isnan(difference)
        mean = difference[there].mean()
        means = [np.average(difference[there], weights=row[there]) for row in weights]
        reached = sum(abs(one - mean) >= abs(mean) - 1e-12 for one in means)
        assert result.p[a, b] == pytest.approx(widened_share((reached + 1) / 61, int(there.sum())))


def test_tests_agree_on_many_cases() -> None:
    values = made(4, 300) * 0.2
    expected = [stats.ttest_rel(values[a], values[b]).pvalue for a, b in combinations(range(4), 2)]
    upper = np.triu_indices(4, 1)
    assert randomization(values).p[upper] == pytest.approx(expected, abs=0.02)
    assert bootstrap(values).p[upper] == pytest.approx(expected, abs=0.02)


def test_p_is_never_zero() -> None:
    values = np.vstack([np.zeros(50), np.ones(50)])
    assert randomization(values, resamples=99).p[0, 1] == pytest.approx(2.0**-49, rel=1e-3)
    result = bootstrap(values, resamples=99)
    assert result.p[0, 1] == pytest.approx(widened_share(0.01, 50))
    assert result.p[0, 1] > 0.01
    assert "same amount" in result.note


def test_a_draw_without_any_case_counts_as_far() -> None:
    values = np.full((2, 40), nan)
    values[:, :2] = [[0.5, 0.75], [0.25, 0.25]]
    result = bootstrap(values, resamples=500)
    weights = drawn_weights(np.random.default_rng(0), 500, 40)[:, :2]
    reached = np.count_nonzero(weights.sum(axis=1) == 0)
    assert result.p[0, 1] == pytest.approx(widened_share((reached + 1) / 501, 2))
