"""The swap rate over sizes of sets of cases: the sets are what they should be, and larger ones turn fewer pairs round."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

import plumbline
from plumbline.studies.swaps import samples, sizes, swaps


def test_sets_have_the_size_and_nothing_in_common() -> None:
    for size in sizes(9):
        first, second = samples(9, size, 50, 3)
        assert (first.sum(axis=1) == size).all()
        assert (second.sum(axis=1) == size).all()
        assert not (first * second).any()


def test_sizes_end_at_half_of_the_cases() -> None:
    assert sizes(7) == [1, 2, 3]
    assert sizes(50) == [5, 10, 15, 20, 25]
    assert sizes(1) == []
    assert sizes(1001)[-1] == 500
    assert all(len(sizes(cases)) <= 11 for cases in range(400))


def exact_rate(values: np.ndarray, size: int) -> Fraction:
    """Over all two sets of so many cases without a common one, each pair of systems."""
    systems, cases = values.shape
    swapped = count = 0
    for first in combinations(range(cases), size):
        rest = [case for case in range(cases) if case not in first]
        for second in combinations(rest, size):
            for a, b in combinations(range(systems), 2):
                gaps = [sum(int(values[a, c]) - int(values[b, c]) for c in part) for part in (first, second)]
                swapped += gaps[0] * gaps[1] < 0
                count += 1
    return Fraction(swapped, count)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_many_draws_come_close_to_all_sets(size: int) -> None:
    values = np.random.default_rng(5).integers(0, 6, (3, 6)).astype(float)
    draws = 4000
    rate = swaps(values, *samples(6, size, draws, 1)).rate
    expected = float(exact_rate(values, size))
    pairs = comb(6, size) * comb(6 - size, size)
    assert pairs >= 20
    assert rate == pytest.approx(expected, abs=5 * np.sqrt(0.25 / draws))


def test_more_cases_are_more_stable() -> None:
    rng = np.random.default_rng(0)
    skill = np.linspace(0.3, 0.7, 5)[:, None]
    scores = np.clip(skill + rng.normal(0, 0.25, (5, 60)), 0, 1)
    table = {"AP": {f"s{s}": {f"q{c}": float(scores[s, c]) for c in range(60)} for s in range(5)}}
    table["P@5"] = {system: {case: round(value * 5) / 5 for case, value in row.items()} for system, row in table["AP"].items()}
    study = plumbline.meta(table, splits=200, resamples=10)
    rates = study.stability.filter(study.stability["metric"] == "AP")
    assert rates["size"].to_list() == [5, 10, 15, 20, 25, 30]
    assert rates["swap_rate"][0] > rates["swap_rate"][-1]
    assert (rates["compared"] == 200 * 10).all()
    again = plumbline.meta(table, splits=200, resamples=10).stability
    assert again.equals(study.stability)
