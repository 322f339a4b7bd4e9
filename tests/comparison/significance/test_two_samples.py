"""Systems on different cases, against scipy's tests of two samples."""

from __future__ import annotations

from itertools import combinations
from math import nan

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep  # type: ignore[import-untyped]

from plumbline.comparison.significance.two_samples import two_samples
from plumbline.errors import BadUsage


def apart(*groups: np.ndarray) -> np.ndarray:
    """A row for each group, with cases of its own."""
    values = np.full((len(groups), sum(map(len, groups))), nan)
    start = 0
    for row, group in zip(values, groups, strict=True):
        row[start : start + len(group)] = group
        start += len(group)
    return values


def distance(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
    """How far from 0 Welch's t is."""
    return np.asarray(np.abs(stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic))


def drawn(*sizes: int, seed: int = 0) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    return [generator.normal(0.3 * at, 1 + at, size) for at, size in enumerate(sizes)]


def mirrored(*groups: np.ndarray) -> list[np.ndarray]:
    """Groups that are not skewed: every score, and as far on the other side of the mean."""
    return [np.concatenate((group, 2 * group.mean() - group)) for group in groups]


@pytest.mark.parametrize("exponent", [-990, -500, -300, 300, 500, 990])
@pytest.mark.parametrize("normal", [False, True])
def test_the_unit_of_scores_changes_nothing(exponent: int, normal: bool) -> None:  # noqa: FBT001 - a parameter
    values, unit = apart(*drawn(8, 15, 30)), 2.0**exponent
    usual, scaled = (two_samples(table, resamples=50, normal=normal) for table in (values, values * unit))
    for name in ("p", "welch"):
        assert_array_equal(getattr(scaled, name), getattr(usual, name))
    for name in ("difference", "low", "high"):
        assert_array_equal(getattr(scaled, name) / unit, getattr(usual, name))


def test_welch_and_its_interval_are_scipys_without_skewness() -> None:
    groups = mirrored(*drawn(4, 15, 150))
    result = two_samples(apart(*groups), level=0.9, resamples=10, normal=True)
    careful = two_samples(apart(*groups), level=0.9, resamples=10)
    for a in range(3):
        for b in range(3):
            if a != b:
                expected = stats.ttest_ind(groups[a], groups[b], equal_var=False)
                ends = expected.confidence_interval(0.9)
                assert result.welch[a, b] == pytest.approx(expected.pvalue)
                assert (result.low[a, b], result.high[a, b]) == pytest.approx((ends.low, ends.high))
                assert careful.low[a, b] == pytest.approx(ends.low, rel=0.3)
                assert careful.low[a, b] <= ends.low + 1e-12
                assert result.difference[a, b] == pytest.approx(groups[a].mean() - groups[b].mean())
                assert result.cases[a, b] == len(groups[a])


def test_the_interval_of_two_shares_is_newcombes() -> None:
    """Of scores that have one of two values, whatever these are."""
    ours = two_samples(apart(np.repeat([0.2, 0.7], (3, 9)), np.repeat([0.2, 0.7], (12, 8)), np.full(5, 0.7)), resamples=10)
    for b, (wins, cases) in ((1, (8, 20)), (2, (5, 5))):
        ends = confint_proportions_2indep(9, 12, wins, cases, method="newcomb")
        assert (ours.low[0, b], ours.high[0, b]) == pytest.approx([0.5 * end for end in ends])
        assert ours.low[b, 0] == -ours.high[0, b]
    mixed = two_samples(apart(np.repeat([0.2, 0.7], (3, 9)), np.repeat([0.2, 0.8], (12, 8))), resamples=10)
    assert mixed.low[0, 1] != pytest.approx(ours.low[0, 1], abs=0.01), "three values are no shares"


def test_the_interval_allows_for_skewness() -> None:
    """Ten skewed scores against ten that hardly vary: Welch's interval holds the truth in 91 % only."""
    generator = np.random.default_rng(3)
    held = []
    for _ in range(600):
        groups = generator.exponential(size=10), generator.normal(0, 0.1, 10)
        ours = two_samples(apart(*groups), resamples=1)
        theirs = stats.ttest_ind(*groups, equal_var=False).confidence_interval(0.95)
        half = (theirs.high - theirs.low) / 2
        assert ours.low[0, 1] <= theirs.low + 0.1 * half, "a little nearer on the side of the shorter tail"
        assert ours.high[0, 1] >= theirs.high - 0.1 * half
        held.append((ours.low[0, 1] <= 1 <= ours.high[0, 1], theirs.low <= 1 <= theirs.high))
    adjusted, welch = np.mean(held, axis=0)
    assert welch < 0.925
    assert 0.93 < adjusted < 0.98


@pytest.mark.parametrize("sizes", [(5, 6), (6, 6), (2, 9), (8, 5)])
def test_few_cases_are_exact_as_scipys(sizes: tuple[int, int]) -> None:
    groups = drawn(*sizes, seed=3)
    result = two_samples(apart(*groups))
    expected = stats.permutation_test(groups, distance, vectorized=True, n_resamples=np.inf, alternative="greater")
    assert result.p[0, 1] == result.p[1, 0] == pytest.approx(expected.pvalue)
    assert result.exact[0, 1]
    assert "exact p" in result.note


@pytest.mark.parametrize("sizes", [(2, 2), (3, 5), (6, 4), (7, 7)])
def test_successes_and_failures_are_exact_as_by_all_deals(sizes: tuple[int, int]) -> None:
    n, m = sizes
    deals = np.array(list(combinations(range(n + m), n)))
    dealt = np.zeros((len(deals), n + m), dtype=np.bool_)
    np.put_along_axis(dealt, deals, values=True, axis=1)
    for a, b in [(a, b) for a in range(n + 1) for b in range(m + 1) if 0 < a + b < n + m]:
        pool = np.repeat([0.3, 0.1, 0.3, 0.1], [a, n - a, b, m - b])
        result = two_samples(apart(pool[:n], pool[n:]), resamples=10)
        every = np.broadcast_to(pool, dealt.shape)
        one, other = every[dealt].reshape(-1, n), every[~dealt].reshape(-1, m)
        error = np.sqrt(one.var(axis=1, ddof=1) / n + other.var(axis=1, ddof=1) / m)
        difference = np.abs(one.mean(axis=1) - other.mean(axis=1))
        t = np.divide(difference, error, out=np.full(len(deals), np.inf), where=error > 1e-12)
        t[difference < 1e-12] = 0.0
        assert result.p[0, 1] == pytest.approx(np.mean(t >= t[0] * (1 - 1e-9))), "the first deal is the one that was observed"
        assert result.exact[0, 1]
        assert result.two_valued[0, 1]


@pytest.mark.parametrize("sizes", [(10, 10), (10, 50), (20, 20)])
def test_successes_and_failures_keep_the_level_whatever_their_share(sizes: tuple[int, int]) -> None:
    """By the sum over all outcomes; Welch's p does not, with 10 and 50 cases it claims up to 26 %."""
    n, m = sizes
    claimed = np.zeros((2, n + 1, m + 1))
    for a in range(n + 1):
        for b in range(m + 1):
            result = two_samples(apart(1.0 * (np.arange(n) < a), 1.0 * (np.arange(m) < b)), resamples=10)
            claimed[:, a, b] = result.p[0, 1] < 0.05, result.welch[0, 1] < 0.05
    shares = np.arange(1, 100)[:, None] / 100
    first, second = (stats.binom.pmf(np.arange(size + 1), size, shares) for size in sizes)
    exact, welch = np.einsum("sa,sb,cab->cs", first, second, claimed).max(axis=1)
    assert exact <= 0.05
    assert exact < welch


def test_many_cases_are_drawn() -> None:
    groups = drawn(30, 40, seed=5)
    result = two_samples(apart(*groups), resamples=4000, seed=1)
    drawing = np.random.default_rng(2)
    expected = stats.permutation_test(groups, distance, vectorized=True, n_resamples=4000, alternative="greater", rng=drawing)
    assert result.p[0, 1] == pytest.approx(expected.pvalue, abs=0.04)
    assert not result.exact[0, 1]
    assert result.p[0, 1] == two_samples(apart(*groups), resamples=4000, seed=1).p[0, 1]
    assert "4000 random deals (seed 1)" in result.note


def test_p_that_no_deal_reached_is_at_most() -> None:
    groups = drawn(30, 40)
    result = two_samples(apart(groups[0], groups[1] + 50), resamples=99)
    assert result.p[0, 1] == 0.01
    assert result.bounded[0, 1]
    assert result.bounded[1, 0]
    assert not result.bounded[0, 0]


def test_pairs_that_share_a_case_are_left_to_the_paired_tests() -> None:
    values = apart(*drawn(4, 5))
    together = np.vstack((values, np.where(np.isnan(values[0]), nan, 1.0)))
    result = two_samples(together)
    assert np.isnan(result.p[0, 2])
    assert np.isnan(result.low[2, 0])
    assert result.p[1, 2] < 1
    assert "1 of 3 pairs: have cases in common" in result.note


def test_the_level_is_kept_though_one_group_varies_more() -> None:
    """Ten cases that vary much against forty that vary little, where dealing differences of means alone fails."""
    generator = np.random.default_rng(7)
    small = [
        two_samples(apart(generator.normal(0, 3, 10), generator.normal(0, 1, 40)), resamples=99).p[0, 1] for _ in range(300)
    ]
    assert np.mean(np.array(small) <= 0.05) < 0.1


def test_degenerate_tables_have_an_answer() -> None:
    same = two_samples(apart(np.ones(3), np.ones(3)))
    assert same.p[0, 1] == same.welch[0, 1] == 1
    certain = two_samples(apart(np.ones(5), np.zeros(5)))
    assert certain.p[0, 1] == pytest.approx(2 / 252)
    assert certain.welch[0, 1] == 0
    assert 0 < certain.low[0, 1] < certain.high[0, 1] == 1, "five and five cases do not prove that it is always so"
    lonely = two_samples(apart(np.ones(1), np.zeros(5)))
    assert np.isnan(lonely.p[0, 1])
    assert "fewer than two cases" in lonely.note
    for values in (np.zeros((0, 3)), np.full((2, 3), nan), np.zeros((1, 0))):
        assert two_samples(values).p.shape == (len(values), len(values))
    with pytest.raises(BadUsage):
        two_samples(np.zeros((2, 2)), level=2)


def test_groups_too_small_or_without_any_spread_have_no_interval() -> None:
    """Five cases, or equal scores, do not tell how much others vary; Welch's t is there for who takes scores as normal."""
    groups = [*drawn(5, 12), np.full(9, 0.4)]
    result, normal = two_samples(apart(*groups), resamples=10), two_samples(apart(*groups), resamples=10, normal=True)
    assert np.isnan(result.low[np.triu_indices(3, 1)]).all()
    expected = stats.ttest_ind(groups[0], groups[1], equal_var=False).confidence_interval()
    assert (normal.low[0, 1], normal.high[0, 1]) == pytest.approx((expected.low, expected.high))
    assert (~np.isnan(normal.low)).all()


@pytest.mark.parametrize(("value", "sizes"), [(0.1, (3, 7)), (0.7, (6, 11)), (-1e300, (3, 9)), (0.3, (2, 30))])
def test_groups_that_are_constant_at_one_value_do_not_differ(value: float, sizes: tuple[int, int]) -> None:
    result = two_samples(apart(*(np.full(size, value) for size in sizes)), resamples=10)
    assert (result.difference == 0).all()
    assert np.isnan([result.low[0, 1], result.high[0, 1]]).all(), "equal scores do not tell how much others vary"
    assert (result.welch == 1).all()
