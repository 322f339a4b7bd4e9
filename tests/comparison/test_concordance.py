"""Concordant, opposite and non-significant pairs against a loop with scipy's test."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.concordance import PairClass, classes
from plumbline.comparison.cube import Cube
from plumbline.errors import BadUsage


def cube(values: np.ndarray, *lower: bool) -> Cube:
    metrics, systems, cases = values.shape
    return Cube(
        tuple(f"m{number}" for number in range(metrics)),
        tuple(f"s{number}" for number in range(systems)),
        tuple(f"c{number}" for number in range(cases)),
        values,
        np.array(lower or [False] * metrics),
    )


@pytest.mark.parametrize("metrics", [1, 2, 3])
def test_by_definition(metrics: int) -> None:
    generator = np.random.default_rng(metrics)
    values = np.round(generator.random((metrics, 8, 30)) + generator.normal(0, 0.2, (metrics, 8, 1)), 2)
    result = classes(cube(values))
    seen = set()
    for a, b in combinations(range(8), 2):
        directions = set()
        for one in values:
            difference = np.round(one[a] - one[b], 12)
            if stats.wilcoxon(difference).pvalue < 0.05:
                ranks = stats.rankdata(np.abs(difference[difference != 0]))
                directions.add(int(np.sign((ranks * np.sign(difference[difference != 0])).sum())))
        expected = (PairClass.NON_SIGNIFICANT, PairClass.CONCORDANT, PairClass.OPPOSITE)[len(directions)]
        assert result.codes[a, b] == result.codes[b, a] == expected
        assert result.winner[a, b] == -result.winner[b, a] == (directions.pop() if len(directions) == 1 else 0)
        seen.add(expected)
    assert len(seen) == min(metrics + 1, 3)
    assert sum(result.counts().values()) == 28
    assert len(result.tests) == metrics


def test_direction_is_respected() -> None:
    """Both grow: concordant if more is better for both, opposite if less is better for one."""
    up = np.linspace(0.1, 0.4, 20)
    values = np.array([[up, np.zeros(20)], [up, np.zeros(20)]])
    assert classes(cube(values)).counts()["concordant"] == 1
    assert classes(cube(values)).winner[0, 1] == 1
    assert classes(cube(values, False, True)).counts()["opposite"] == 1  # noqa: FBT003 - a list of directions
    assert classes(cube(values, True, True)).winner[0, 1] == -1  # noqa: FBT003


def test_without_cases_the_class_is_unknown() -> None:
    values = np.random.default_rng(0).random((2, 3, 10))
    values[1, 2] = np.nan
    result = classes(cube(values))
    assert result.codes[0, 2] == result.codes[2, 0] == PairClass.UNKNOWN
    assert result.counts()["unknown"] == 2
    assert (np.diag(result.codes)[:2] == PairClass.NON_SIGNIFICANT).all()
    assert classes(cube(np.zeros((2, 1, 1)))).codes.tolist() == [[0]]
    assert classes(cube(np.zeros((2, 3, 4)))).counts()["non_significant"] == 3
    with pytest.raises(BadUsage):
        classes(cube(values), alpha=0)
