"""The sign test against scipy's and its definition."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from scipy import stats

from plumbline.comparison.significance.sign import sign
from tests.helpers.made_scores import WORLDS, both, scores


@pytest.mark.parametrize(("systems", "cases", "digits"), WORLDS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_sign_is_scipys(systems: int, cases: int, digits: int | None, missing: float) -> None:
    values = scores(systems, cases, digits=digits, missing=missing)
    result = sign(values)
    for a, b in combinations(range(systems), 2):
        x, y = both(values, a, b)
        won, lost = int((x > y).sum()), int((x < y).sum())
        assert (result.statistic[a, b], result.statistic[b, a]) == (won, lost)
        assert result.p[a, b] == pytest.approx(stats.binomtest(won, won + lost).pvalue, rel=1e-9)
        slow = sum(comb(won + lost, k) for k in range(min(won, lost) + 1)) / 2 ** (won + lost) * 2
        assert result.p[a, b] == pytest.approx(min(slow, 1), rel=1e-9)
