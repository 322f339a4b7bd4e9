"""Wilcoxon's test against scipy's and its definition."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from plumbline.comparison.significance.paired_t import paired_t
from plumbline.comparison.significance.sign import sign
from plumbline.comparison.significance.wilcoxon import wilcoxon
from tests.helpers.examples import some_of
from tests.helpers.made_scores import WORLDS, both, scores


@pytest.mark.parametrize(("systems", "cases", "digits"), WORLDS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_wilcoxon_is_scipys(systems: int, cases: int, digits: int | None, missing: float) -> None:
    values = scores(systems, cases, digits=digits, missing=missing)
    result = wilcoxon(values)
    assert result.exact is not None
    for a, b in combinations(range(systems), 2):
        x, y = both(values, a, b)
        difference = np.round(x - y, 12)
        expected = stats.wilcoxon(difference)
        assert min(result.statistic[a, b], result.statistic[b, a]) == pytest.approx(expected.statistic, abs=1e-9)
        assert result.p[a, b] == pytest.approx(expected.pvalue, rel=1e-9)
        plain = len(set(np.abs(difference))) == len(difference) and 0 not in difference
        assert result.exact[a, b] == (len(x) <= 50 if plain else len(x) <= 13)
    assert "exact p" in result.note or "normal approximation" in result.note


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=8))
@settings(max_examples=some_of(40), deadline=None)
def test_wilcoxon_by_all_signs(differences: list[int]) -> None:
    """For few cases p is the share of signs of the ranks that are as extreme."""
    result = wilcoxon([np.array(differences) / 7, np.zeros(len(differences))])
    used = [d for d in differences if d]
    ranks = stats.rankdata(np.abs(used)) if used else np.zeros(0)
    middle = ranks.sum() / 2
    far = abs(sum(rank for rank, d in zip(ranks, used, strict=True) if d > 0) - middle)
    all_signs = list(product((0, 1), repeat=len(used)))
    slow = sum(abs(float(np.dot(ranks, signs)) - middle) >= far for signs in all_signs) / len(all_signs)
    assert result.p[0, 1] == pytest.approx(slow, rel=1e-12)


def test_noise_in_the_last_digit_makes_no_difference() -> None:
    a, b = np.array([0.3, 0.2, 0.5, 0.1 + 0.2] * 20), np.array([0.2, 0.1, 0.7, 0.3] * 20)
    exact = wilcoxon([np.array([3, 2, 5, 3] * 20), np.array([2, 1, 7, 3] * 20)])
    assert wilcoxon([a, b]).p[0, 1] == exact.p[0, 1]
    assert wilcoxon([a * 1e-9, b * 1e-9]).p[0, 1] == exact.p[0, 1]
    assert wilcoxon([a * 1e200, b * 1e200]).p[0, 1] == exact.p[0, 1]
    assert sign([a, b]).statistic.tolist() == [[0, 40], [20, 0]]
    assert paired_t([a, a + 1e-17]).p[0, 1] == 1
