"""Looking rows up by key, stretch by stretch, against looking at them one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.align import keys

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=40)
WITH_UNKNOWN_CASES = st.lists(st.tuples(st.integers(-1, 5), st.integers(0, 9)), max_size=40)
STRETCHES = st.integers(1, 50)


def coded(pairs: list[tuple[int, int]]) -> tuple[np.ndarray[tuple[int], np.dtype[np.int32]], pl.Series]:
    return np.array([case for case, _ in pairs], dtype=np.int32), pl.Series([f"d{item}" for _, item in pairs], dtype=pl.String)


@given(WITH_UNKNOWN_CASES, STRETCHES, st.booleans())
def test_repeated_pairs_are_found(pairs: list[tuple[int, int]], stretch: int, together: bool) -> None:  # noqa: FBT001 - drawn
    pairs = sorted(pairs) if together else pairs
    codes, items = coded(pairs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "STRETCH", stretch)
        assert keys.may_repeat(keys.keys(codes, items), codes) == (len(set(pairs)) < len(pairs))


@given(PAIRS, PAIRS, STRETCHES, st.sampled_from([0, 2**12]))
def test_wanted_pairs_are_found(pairs: list[tuple[int, int]], wanted: list[tuple[int, int]], stretch: int, few: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "STRETCH", stretch)
        patch.setattr(keys, "_FEW", few)
        rows = keys.rows_with_keys(keys.keys(*coded(pairs)), np.sort(keys.keys(*coded(wanted))))
    assert rows.tolist() == [row for row, pair in enumerate(pairs) if pair in wanted]


@given(PAIRS, STRETCHES)
def test_rows_are_counted(pairs: list[tuple[int, int]], stretch: int) -> None:
    counts = Counter(case for case, _ in pairs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "STRETCH", stretch)
        assert keys.rows_of_cases(coded(pairs)[0], 7).tolist() == [counts[case] for case in range(7)]


@given(st.lists(st.integers(-1, 4), max_size=8))
def test_cases_that_stand_together(codes: list[int]) -> None:
    """Each case has one run of rows."""
    runs = [code for row, code in enumerate(codes) if row == 0 or codes[row - 1] != code]
    assert keys.together(np.array(codes, dtype=np.int32)) == (len(runs) == len(set(runs)))
    assert keys.starts(np.array(codes, dtype=np.int32)).tolist() == [
        row for row in range(len(codes)) if row == 0 or codes[row - 1] != codes[row]
    ]
