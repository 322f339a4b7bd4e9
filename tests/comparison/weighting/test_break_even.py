"""Break-even points of curves, against rankings whose answer is known and against fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import BadUsage, break_even

if TYPE_CHECKING:
    from collections.abc import Callable


def cut_offs(ranking: list[bool], relevant: int) -> list[tuple[float, float]]:
    """Precision and recall after each document."""
    hits = [sum(ranking[: depth + 1]) for depth in range(len(ranking))]
    return [(hit / (depth + 1), hit / relevant) for depth, hit in enumerate(hits)]


@given(st.lists(st.booleans(), min_size=1, max_size=12).filter(any))
def test_a_ranking_breaks_even_at_its_number_of_relevant_documents(ranking: list[bool]) -> None:
    relevant = sum(ranking)
    (result,) = break_even({"run": cut_offs(ranking, relevant)})
    there = sum(ranking[:relevant]) / relevant
    assert result.recall == pytest.approx(there, abs=1e-12)
    assert result.precision == pytest.approx(there, abs=1e-12)
    assert result.how == "point"


STEPS = st.integers(0, 8)


@given(st.lists(st.tuples(STEPS, STEPS), min_size=1, max_size=6), st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3)]))
def test_meeting_points_are_those_in_exact_fractions(points: list[tuple[int, int]], ratio: Fraction) -> None:
    curve = sorted(((Fraction(p, 8), Fraction(r, 8)) for p, r in points), key=lambda point: (point[1], -point[0]))
    met = {(p, r) for p, r in curve if r == ratio * p}
    for (p, r), (q, s) in pairwise(curve):
        low, high = r - ratio * p, s - ratio * q
        if low * high < 0:
            way = low / (low - high)
            met.add((p + way * (q - p), r + way * (s - r)))
    (result,) = break_even({"s": [(float(p), float(r)) for p, r in curve]}, float(ratio))
    assert len(result.all) == len(met)
    expected = sorted(((float(p), float(r)) for p, r in met), key=lambda point: (point[1], point[0]))
    assert np.array(result.all).reshape(-1, 2) == pytest.approx(np.array(expected).reshape(-1, 2))
    assert (result.how == "none") == (not met)
    if met:
        assert result.recall == pytest.approx(max(float(r) for _, r in met))
        assert result.recall == pytest.approx(float(ratio) * (result.precision or 0.0))


def test_the_direction_of_the_curve_does_not_matter() -> None:
    curve = [(1.0, 0.1), (0.8, 0.1), (0.5, 0.4), (0.3, 0.4), (0.3, 0.9)]
    shuffled = [curve[number] for number in (3, 0, 4, 2, 1)]
    results = [break_even({"s": points})[0] for points in (curve, curve[::-1], shuffled, np.array(curve))]
    assert len({(one.precision, one.recall, one.how) for one in results}) == 1
    assert [results[0].precision, results[0].recall] == pytest.approx([0.4, 0.4])
    assert results[0].how == "between"


def test_tables_counts_and_curves_that_do_not_meet() -> None:
    frame = pl.DataFrame({"system": ["x", "x", "y", "y"], "precision": [1.0, 0.5, 0.9, None], "recall": [0.2, 0.6, 0.1, 0.2]})
    x, y = break_even(frame, ratio=1)
    assert (x.system, x.how) == ("x", "between")
    assert [x.precision, x.recall] == pytest.approx([5 / 9, 5 / 9])
    assert (y.system, y.precision, y.recall, y.how, y.points, y.left_out) == ("y", None, None, "none", 1, 1)
    assert break_even({"empty": []})[0].how == "none"
    assert break_even({"s": [(0.5, nan), (0.4, 0.4)]})[0].left_out == 1


@pytest.mark.parametrize("turned", [pl.DataFrame.to_pandas, pl.DataFrame.to_arrow, pl.DataFrame.lazy])
def test_a_table_of_any_library(turned: Callable[[pl.DataFrame], object]) -> None:
    frame = pl.DataFrame({"system": ["x", "x", "y", "y"], "precision": [1.0, 0.5, 0.9, None], "recall": [0.2, 0.6, 0.1, 0.2]})
    assert break_even(turned(frame)) == break_even(frame)


def test_what_is_no_curve_is_said() -> None:
    for ratio in (0.0, -1.0, nan):
        with pytest.raises(BadUsage, match="ratio"):
            break_even({}, ratio)
    for points in ([(0.5, 0.5, 0.5)], [(-0.5, 0.5)], [("a", 0.5)], [(1.0, float("inf"))]):
        with pytest.raises(BadUsage, match="the curve of s"):
            break_even({"s": points})
    with pytest.raises(BadUsage, match="curves from DataFrame"):
        break_even(pl.DataFrame({"a": [1]}))
