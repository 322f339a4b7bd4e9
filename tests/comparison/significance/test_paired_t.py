"""The paired t test against scipy's."""

from __future__ import annotations

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.paired_t import paired_t
from plumbline.comparison.significance.randomization import randomization
from plumbline.comparison.significance.registry import find_test
from plumbline.comparison.significance.wilcoxon import wilcoxon
from plumbline.errors import BadUsage
from tests.helpers.made_scores import WORLDS, both, scores


@pytest.mark.parametrize(("systems", "cases", "digits"), WORLDS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_paired_t_is_scipys(systems: int, cases: int, digits: int | None, missing: float) -> None:
    values = scores(systems, cases, digits=digits, missing=missing)
    result = paired_t(values)
    for a, b in combinations(range(systems), 2):
        x, y = both(values, a, b)
        expected = stats.ttest_rel(x, y)
        assert result.p[a, b] == result.p[b, a] == pytest.approx(expected.pvalue, rel=1e-9)
        assert result.statistic[a, b] == -result.statistic[b, a] == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
        assert result.cases[a, b] == len(x)
    assert (np.diag(result.p) == 1).all()


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
        find_test("magic")
    with pytest.raises(BadUsage):
        randomization([[0.1]], resamples=0)
