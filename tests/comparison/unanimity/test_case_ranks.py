"""Whole numbers in place of scores: compared with the scores, pair by pair."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.comparison.unanimity.unanimity import case_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

scores = st.one_of(
    st.integers(-300, 300).map(lambda hundredths: hundredths / 100),
    st.sampled_from(
        [0.1 + 0.2, 0.3, -0.0, 0.0, 5e-324, np.inf, -np.inf, sys.float_info.max, 1e15, 1.0, np.nextafter(1.0, 2.0)]
    ),
    st.floats(allow_nan=False),
)


def ranks(scores: np.ndarray) -> np.ndarray:
    return case_ranks(scores, np.min_scalar_type(len(scores) + 1))


def larger(low: float, high: float) -> float:
    """The size of the larger one that is finite."""
    return max([abs(one) for one in (low, high) if np.isfinite(one)], default=0.0)


def check(columns: Sequence[Sequence[float]]) -> None:
    """Each column is a case: a value is on a higher level if there is a gap between it and the lower one."""
    result = ranks(np.array(columns).T)
    for case, column in enumerate(columns):
        gaps = [high for low, high in pairwise(sorted(column)) if high > low and high - low > 1e-12 * larger(low, high)]
        for a, one in enumerate(column):
            for b, other in enumerate(column):
                between = any(min(one, other) < gap <= max(one, other) for gap in gaps)
                assert np.sign(int(result[a, case]) - int(result[b, case])) == (np.sign(one - other) if between else 0)


@given(
    st.integers(1, 8).flatmap(lambda count: st.lists(st.lists(scores, min_size=count, max_size=count), min_size=1, max_size=5))
)
def test_they_are_in_the_order_of_the_scores(columns: list[list[float]]) -> None:
    check(columns)


@pytest.mark.parametrize("count", [255, 256, 257, 258])
def test_no_rank_is_too_large(count: int) -> None:
    order = np.random.default_rng(count).permutation(count)
    assert np.array_equal(ranks(order[:, None] / 3)[:, 0], order + 1)


def test_what_is_more_by_rounding_is_equal() -> None:
    result = ranks(np.array([[0.3, 0.5, 1e-9, 0.3], [0.1 + 0.2, np.nextafter(0.5, 0.0), 1e-9 + 1e-22, 0.3 + 1e-11]]))
    assert (result[0] == result[1]).tolist() == [True, True, True, False]
