"""The t test, the sign test, Wilcoxon's and Tukey's, against scipy and slow oracles."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import comb, isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from plumbline.comparison.significance.studentized import critical, survival
from plumbline.comparison.significance.tests import TESTS, paired_t, randomised_tukey, sign, significance, tukey, wilcoxon
from plumbline.errors import BadUsage


def scores(systems: int, cases: int, *, digits: int | None = None, missing: float = 0.0, seed: int = 0) -> np.ndarray:
    """Made scores; rounded to few digits they have ties and equal scores."""
    generator = np.random.default_rng(seed)
    values = generator.random((systems, cases)) * 0.5 + generator.random(cases) * 0.3 + np.linspace(0, 0.1, systems)[:, None]
    if digits is not None:
        values = np.round(values, digits)
    values[generator.random(values.shape) < missing] = nan
    return values


def both(values: np.ndarray, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    there = ~np.isnan(values[a]) & ~np.isnan(values[b])
    return values[a][there], values[b][there]


WORLDS = [(5, 8, 1), (5, 30, 2), (4, 60, None), (4, 45, None), (6, 13, None), (3, 120, 1)]


@pytest.mark.parametrize(("systems", "cases", "digits"), WORLDS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_paired_t_is_scipys(systems: int, cases: int, digits: int | None, missing: float) -> None:
    values = scores(systems, cases, digits=digits, missing=missing)
    found = paired_t(values)
    for a, b in combinations(range(systems), 2):
        x, y = both(values, a, b)
        expected = stats.ttest_rel(x, y)
        assert found.p[a, b] == found.p[b, a] == pytest.approx(expected.pvalue, rel=1e-9)
        assert found.statistic[a, b] == -found.statistic[b, a] == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
        assert found.cases[a, b] == len(x)
    assert (np.diag(found.p) == 1).all()


@pytest.mark.parametrize(("systems", "cases", "digits"), WORLDS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_sign_is_scipys(systems: int, cases: int, digits: int | None, missing: float) -> None:
    values = scores(systems, cases, digits=digits, missing=missing)
    found = sign(values)
    for a, b in combinations(range(systems), 2):
        x, y = both(values, a, b)
        won, lost = int((x > y).sum()), int((x < y).sum())
        assert (found.statistic[a, b], found.statistic[b, a]) == (won, lost)
        assert found.p[a, b] == pytest.approx(stats.binomtest(won, won + lost).pvalue, rel=1e-9)
        slow = sum(comb(won + lost, k) for k in range(min(won, lost) + 1)) / 2 ** (won + lost) * 2
        assert found.p[a, b] == pytest.approx(min(slow, 1), rel=1e-9)


@pytest.mark.parametrize(("systems", "cases", "digits"), WORLDS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_wilcoxon_is_scipys(systems: int, cases: int, digits: int | None, missing: float) -> None:
    values = scores(systems, cases, digits=digits, missing=missing)
    found = wilcoxon(values)
    assert found.exact is not None
    for a, b in combinations(range(systems), 2):
        x, y = both(values, a, b)
        difference = np.round(x - y, 12)
        expected = stats.wilcoxon(difference)
        assert min(found.statistic[a, b], found.statistic[b, a]) == pytest.approx(expected.statistic, abs=1e-9)
        assert found.p[a, b] == pytest.approx(expected.pvalue, rel=1e-9)
        plain = len(set(np.abs(difference))) == len(difference) and 0 not in difference
        assert found.exact[a, b] == (len(x) <= 50 if plain else len(x) <= 13)
    assert "exact p" in found.note or "normal approximation" in found.note


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_wilcoxon_by_all_signs(differences: list[int]) -> None:
    """For few cases p is the share of signs of the ranks that are as extreme."""
    found = wilcoxon([np.array(differences) / 7, np.zeros(len(differences))])
    used = [d for d in differences if d]
    ranks = stats.rankdata(np.abs(used)) if used else np.zeros(0)
    middle = ranks.sum() / 2
    far = abs(sum(rank for rank, d in zip(ranks, used, strict=True) if d > 0) - middle)
    all_signs = list(product((0, 1), repeat=len(used)))
    slow = sum(abs(float(np.dot(ranks, signs)) - middle) >= far for signs in all_signs) / len(all_signs)
    assert found.p[0, 1] == pytest.approx(slow, rel=1e-12)


def test_noise_in_the_last_digit_makes_no_difference() -> None:
    a, b = np.array([0.3, 0.2, 0.5, 0.1 + 0.2] * 20), np.array([0.2, 0.1, 0.7, 0.3] * 20)
    exact = wilcoxon([np.array([3, 2, 5, 3] * 20), np.array([2, 1, 7, 3] * 20)])
    assert wilcoxon([a, b]).p[0, 1] == exact.p[0, 1]
    assert wilcoxon([a * 1e-9, b * 1e-9]).p[0, 1] == exact.p[0, 1]
    assert wilcoxon([a * 1e200, b * 1e200]).p[0, 1] == exact.p[0, 1]
    assert sign([a, b]).statistic.tolist() == [[0, 40], [20, 0]]
    assert paired_t([a, a + 1e-17]).p[0, 1] == 1


@pytest.mark.parametrize("test", TESTS)
def test_equal_systems_have_p_1(test: str) -> None:
    values = np.tile(scores(1, 20), (3, 1))
    found = significance(values, test, resamples=50)
    assert (found.p == 1).all()
    assert found.name


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    "values",
    [
        np.full((3, 4), nan),
        np.zeros((3, 0)),
        np.zeros((0, 4)),
        np.zeros((1, 4)),
        np.array([[0.1], [0.2]]),
        np.array([[0.1, nan], [nan, 0.2], [0.3, 0.3]]),
        np.array([[0.5, 0.5, 0.5], [0.25, 0.25, 0.25]]),
        np.zeros((2, 5)),
        np.array([[0.1, 0.2, 0.3], [nan, nan, nan], [0.2, 0.1, 0.5]]),
    ],
)
def test_degenerate_tables_have_an_answer(test: str, values: np.ndarray) -> None:
    """Never a warning (they are errors in these tests), never a crash; where p is missing, the note tells."""
    found = significance(values, test, resamples=20)
    assert found.p.shape == found.statistic.shape == found.cases.shape == (len(values), len(values))
    assert (np.diag(found.p) == 1).all()
    assert np.array_equal(found.p, found.p.T, equal_nan=True)
    if np.isnan(found.p).any():
        assert "no p" in found.note or "left out" in found.note


def test_what_a_test_cannot_tell() -> None:
    constant = paired_t([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6]])
    assert constant.p[0, 1] == 0
    assert constant.statistic[0, 1] == np.inf
    assert "limit 0" in constant.note
    assert isnan(paired_t([[0.5], [0.4]]).p[0, 1])
    assert paired_t([[0.5], [0.5]]).p[0, 1] == 1
    assert wilcoxon([[0.5], [0.4]]).p[0, 1] == 1


def test_bad_requests() -> None:
    for bad in ([0.1, 0.2], [[np.inf, 0.1]]):
        with pytest.raises(BadUsage):
            paired_t(bad)
    with pytest.raises(BadUsage):
        significance([[0.1]], "magic")
    with pytest.raises(BadUsage):
        significance([[0.1]], "randomization", resamples=0)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "randomization", "bootstrap"])
def test_blocks_do_not_matter(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = scores(11, 25, digits=2, missing=0.1)
    whole = significance(values, test, resamples=300)
    for module in ("tested", "resampling", "randomization", "wilcoxon"):
        monkeypatch.setattr(f"plumbline.comparison.{module}.BLOCK", 64)
    assert np.allclose(significance(values, test, resamples=300).p, whole.p, rtol=1e-12)


def test_studentized_range_is_scipys() -> None:
    ranges = np.array([0.0, 0.3, 1.0, 2.5, 3.7, 6.0, 9.0])
    for groups, freedom in ((2, 1), (3, 2), (5, 36), (40, 5000), (4, np.inf), (200, np.inf)):
        expected = np.where(ranges > 0, stats.studentized_range.sf(ranges, groups, freedom), 1.0)
        assert survival(ranges, groups, freedom) == pytest.approx(expected, abs=1e-10)
    assert critical(0.05, 3, 10) == pytest.approx(stats.studentized_range.isf(0.05, 3, 10), rel=1e-9)


def test_many_ranges_are_interpolated_well() -> None:
    ranges = np.linspace(0, 60, 500)
    for groups, freedom in ((3, 2), (50, 5000)):
        direct = np.concatenate([survival(part, groups, freedom) for part in np.array_split(ranges[::50], 2)])
        assert survival(ranges, groups, freedom)[::50] == pytest.approx(direct, abs=1e-10)


@pytest.mark.parametrize("cases", [2, 7, 40])
def test_tukey_is_the_textbook(cases: int) -> None:
    """Two-way analysis of variance by its definition, and the studentized range of scipy."""
    values = scores(4, cases)
    found = tukey(values)
    grand = values.mean()
    rest = sum((values[s, c] - values[s].mean() - values[:, c].mean() + grand) ** 2 for s, c in product(range(4), range(cases)))
    freedom = 3 * (cases - 1)
    for a, b in combinations(range(4), 2):
        q = (values[a].mean() - values[b].mean()) / np.sqrt(rest / freedom / cases)
        assert found.statistic[a, b] == -found.statistic[b, a] == pytest.approx(q, rel=1e-9)
        assert found.p[a, b] == pytest.approx(stats.studentized_range.sf(abs(q), 4, freedom), abs=1e-9)
    assert found.familywise


def test_tukey_of_two_systems_is_the_t_test() -> None:
    values = scores(2, 25)
    assert tukey(values).p[0, 1] == pytest.approx(stats.ttest_rel(values[0], values[1]).pvalue, rel=1e-9)


def test_tukey_without_case_effects_is_scipys_but_for_the_degrees_of_freedom() -> None:
    """If all cases have the same mean, the rest of the one-way and of the two-way analysis is the same sum of squares."""
    values = scores(3, 400)
    values += values.mean() - values.mean(axis=0)
    expected = stats.tukey_hsd(*values).pvalue
    assert tukey(values).p == pytest.approx(expected, abs=5e-3)


def test_tukey_leaves_out_what_is_not_complete() -> None:
    values = scores(4, 30)
    holes = np.vstack([values, np.full(30, nan)])
    holes[2, :5] = nan
    found, expected = tukey(holes), tukey(values[:, 5:])
    assert found.p[:4, :4] == pytest.approx(expected.p, rel=1e-12)
    assert np.isnan(found.p[4, :4]).all()
    assert "1 of 5 systems" in found.note
    assert "5 of 30 cases" in found.note


def test_randomised_tukey_is_its_definition() -> None:
    """All deals of two cases and three systems; the draws come close."""
    values = np.array([[0.1, 0.4], [0.5, 0.45], [0.9, 0.8]])
    largest = [
        np.ptp([x + y for x, y in zip(one, two, strict=True)]) / 2
        for one in permutations(values[:, 0])
        for two in permutations(values[:, 1])
    ]
    found = randomised_tukey(values, resamples=4000, seed=3)
    for a, b in combinations(range(3), 2):
        gap = abs(values[a].mean() - values[b].mean())
        assert found.p[a, b] == pytest.approx(np.mean([one >= gap - 1e-12 for one in largest]), abs=0.03)
    assert (found.seed, found.resamples) == (3, 4000)


def test_randomised_tukey_comes_close_to_tukey() -> None:
    """Dealing scores out treats differences of systems as chance, so that it claims a little less."""
    values = scores(5, 60)
    assert randomised_tukey(values, resamples=2000).p == pytest.approx(tukey(values).p, abs=0.06)
