"""Sums over what lies before and after a point, against all pairs of points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.views.dominance import dominance
from tests.helpers.ranking_worlds import moderate


def brute_force(lists: Any, x: Any, y: Any, weights: Any) -> tuple[Any, Any]:
    """Every point with every other one."""
    same = lists[:, None] == lists
    before = same & (x[:, None] > x) & (y[:, None] > y)
    return weights @ before.T.astype(float), weights @ before.astype(float)


def assert_dominance_is_right(lists: Any, x: Any, y: Any, weights: Any) -> None:
    """Before and after each point, apart and together, to the last digits of the whole weight."""
    apart, expected = dominance(lists, x, y, weights, apart=True), brute_force(lists, x, y, weights)
    (together,) = dominance(lists, x, y, weights)
    for row, full in enumerate(weights.sum(axis=1)):
        for actual, right in zip((*apart, together), (*expected, expected[0] + expected[1]), strict=True):
            assert actual[row] == pytest.approx(right[row], rel=1e-12, abs=1e-15 * full)


@pytest.mark.parametrize("levels", [1, 2, 7, 64, 1000])
@pytest.mark.parametrize("count_of_lists", [1, 5, 200])
def test_dominance(count_of_lists: int, levels: int) -> None:
    rng = np.random.default_rng(levels)
    for size in (0, 1, 2, 300):
        lists = rng.permutation(np.sort(rng.integers(0, count_of_lists, size)))
        x, y = rng.integers(0, levels, (2, size))
        weights = rng.random((3, size)) * np.array([[1.0], [1e-9], [1e6]])
        weights[:, rng.random(size) < 0.3] = 0.0
        weights[1] *= rng.random(size) < 0.01
        assert_dominance_is_right(lists, x, y, weights)


def test_dominance_of_large_sums_and_of_levels_far_apart() -> None:
    rng = np.random.default_rng(1)
    lists, x, y = rng.integers(0, 3, 400), rng.integers(0, 2**40, 400), rng.integers(0, 2**30, 400)
    for scale in (1e-200, 1e-20, 1.0, 1e20, 1e300):
        weights = rng.random((2, 400)) * scale
        weights[1, 0] = 100 * scale
        assert_dominance_is_right(lists, x, y, weights)


@moderate(50)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0, 3.0]))))
def test_dominance_of_few_points(points: list[tuple[int, int, int, float]]) -> None:
    lists, x, y = (np.array([one[at] for one in points], dtype=np.int64) for at in range(3))
    weights = np.array([[one[3] for one in points]])
    assert_dominance_is_right(lists, x, y, weights)


@pytest.mark.parametrize("heavy", [0.3, 1.0, 1e9])
def test_a_list_has_the_same_sums_alone_and_in_company(heavy: float) -> None:
    """Bit for bit: parts of an evaluation give what the whole gives."""
    rng = np.random.default_rng(2)
    lists = np.sort(rng.integers(0, 6, 300))
    x, y = rng.integers(0, 9, (2, 300))
    weights = rng.random((2, 300)) * np.where(lists == 0, heavy, 0.1 * rng.random(300))
    together = dominance(lists, x, y, weights, apart=True)
    for one in range(6):
        mine = lists == one
        alone = dominance(np.zeros(mine.sum(), dtype=np.int64), x[mine], y[mine], weights[:, mine], apart=True)
        for of_all, of_one in zip(together, alone, strict=True):
            assert (of_all[:, mine] == of_one).all()
