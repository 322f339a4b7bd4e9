"""Segments against plain Python loops: sums, maxima and running values that no other segment changes."""

from __future__ import annotations

from itertools import accumulate
from operator import mul

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.views.segments import Segments

LISTS = st.lists(st.lists(st.floats(-1e6, 1e6, allow_nan=False), max_size=9), min_size=1, max_size=6)


def segments(lists: list[list[float]]) -> tuple[Segments, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    of = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
    return Segments(of, len(lists)), np.array([value for one in lists for value in one], dtype=np.float64)


def flat(lists: list[list[float]]) -> list[float]:
    return [value for one in lists for value in one]


@given(LISTS)
def test_one_value_for_each_segment(lists: list[list[float]]) -> None:
    made, values = segments(lists)
    assert made.sum(values).tolist() == [sum(one, 0.0) for one in lists]
    assert made.max(values, empty=-1.0).tolist() == [max(one, default=-1.0) for one in lists]
    assert made.first(values, empty=-1.0).tolist() == [one[0] if one else -1.0 for one in lists]
    assert made.length.tolist() == [len(one) for one in lists]
    assert made.each(np.arange(float(len(lists)))).tolist() == flat([[float(at)] * len(one) for at, one in enumerate(lists)])


@given(LISTS)
def test_running_values_start_anew_in_every_segment(lists: list[list[float]]) -> None:
    made, values = segments(lists)
    assert made.running_sum(values).tolist() == flat([list(accumulate(one)) for one in lists])
    assert made.running_product(values).tolist() == pytest.approx(
        flat([list(accumulate(one, mul)) for one in lists]), rel=1e-15
    )
    assert made.so_far(values > 0).tolist() == flat([list(accumulate(float(value > 0) for value in one)) for one in lists])


@given(LISTS)
def test_neighbours(lists: list[list[float]]) -> None:
    made, values = segments(lists)
    assert made.above(values, first=7.0).tolist() == flat([[7.0, *one][:-1] if one else [] for one in lists])
    assert made.below(values, last=7.0).tolist() == flat([[*one[1:], 7.0] if one else [] for one in lists])
