"""Corrections against scipy and their definitions."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.correction import benjamini_hochberg, bonferroni, corrected, family_size, holm
from plumbline.errors import BadUsage


def test_published_example() -> None:
    """R's p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05))."""
    p = [0.01, 0.02, 0.03, 0.04, 0.05]
    assert holm(p) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert benjamini_hochberg(p) == pytest.approx([0.05] * 5)
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p, method="bh"))
    assert bonferroni(p) == pytest.approx([0.05, 0.1, 0.15, 0.2, 0.25])


def table(systems: int) -> np.ndarray:
    upper = np.triu(np.random.default_rng(0).random((systems, systems)) / 10, 1)
    return np.asarray(upper + upper.T + np.eye(systems))


def test_all_pairs_once() -> None:
    p = table(5)
    result = corrected(p, "bonferroni")
    assert result[0, 1] == result[1, 0] == pytest.approx(min(p[0, 1] * 10, 1))
    assert (np.diag(result) == 1).all()
    assert family_size(p) == 10


def test_a_baseline_has_a_smaller_family_size() -> None:
    p = table(5)
    p[2, 4] = p[4, 2] = nan
    result = corrected(p, "bonferroni", baseline=2)
    assert result[2, 3] == result[3, 2] == pytest.approx(min(p[2, 3] * 3, 1))
    assert isnan(result[0, 1])
    assert isnan(result[2, 4])
    assert family_size(p, baseline=2) == 3
    assert family_size(p) == 9


def test_small_and_bad() -> None:
    assert corrected([[1.0]]).tolist() == [[1.0]]
    with pytest.raises(BadUsage):
        corrected([[1.0]], "magic")
