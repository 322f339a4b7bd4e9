"""Tukey's HSD by the textbook, and its randomised form by its definition."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import nan

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.tukey import randomised_tukey, tukey
from tests.helpers.made_scores import scores


@pytest.mark.parametrize("cases", [2, 7, 40])
def test_tukey_is_the_textbook(cases: int) -> None:
    """Two-way analysis of variance by its definition, and the studentized range of scipy."""
    values = scores(4, cases)
    result = tukey(values)
    grand = values.mean()
    rest = sum((values[s, c] - values[s].mean() - values[:, c].mean() + grand) ** 2 for s, c in product(range(4), range(cases)))
    freedom = 3 * (cases - 1)
    for a, b in combinations(range(4), 2):
        q = (values[a].mean() - values[b].mean()) / np.sqrt(rest / freedom / cases)
        assert result.statistic[a, b] == -result.statistic[b, a] == pytest.approx(q, rel=1e-9)
        assert result.p[a, b] == pytest.approx(stats.studentized_range.sf(abs(q), 4, freedom), abs=1e-9)
    assert result.familywise


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
    result, expected = tukey(holes), tukey(values[:, 5:])
    assert result.p[:4, :4] == pytest.approx(expected.p, rel=1e-12)
    assert np.isnan(result.p[4, :4]).all()
    assert "1 of 5 systems" in result.note
    assert "5 of 30 cases" in result.note


def test_randomised_tukey_is_its_definition() -> None:
    """All deals of two cases and three systems; the draws come close."""
    values = np.array([[0.1, 0.4], [0.5, 0.45], [0.9, 0.8]])
    largest = [
        np.ptp([x + y for x, y in zip(one, two, strict=True)]) / 2
        for one in permutations(values[:, 0])
        for two in permutations(values[:, 1])
    ]
    result = randomised_tukey(values, resamples=4000, seed=3)
    for a, b in combinations(range(3), 2):
        gap = abs(values[a].mean() - values[b].mean())
        assert result.p[a, b] == pytest.approx(np.mean([one >= gap - 1e-12 for one in largest]), abs=0.03)
    assert (result.seed, result.resamples) == (3, 4000)


def test_randomised_tukey_comes_close_to_tukey() -> None:
    """Dealing scores out treats differences of systems as chance, so that it claims a little less."""
    values = scores(5, 60)
    assert randomised_tukey(values, resamples=2000).p == pytest.approx(tukey(values).p, abs=0.06)
