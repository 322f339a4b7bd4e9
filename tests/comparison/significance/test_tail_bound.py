"""The bound of p where no draw reaches the observed difference, against all signs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.comparison.significance.randomization import randomization
from plumbline.comparison.significance.resampling import every_sign
from plumbline.comparison.significance.tail_bound import at_most, at_most_by_squares
from tests.helpers.made_scores import scores

CASES = 12
SIGNS = every_sign(CASES)


@given(
    st.lists(st.floats(-1, 1) | st.sampled_from([-0.5, 0.0, 0.5]), min_size=CASES, max_size=CASES),
    st.floats(0.0, 1.0),
    st.sampled_from([1e-8, 1.0, 1e6]),
)
def test_no_bound_is_below_p(differences: list[float], share: float, unit: float) -> None:
    d = np.array([differences]) * unit
    limit = np.abs(d).sum() * share
    p = (np.abs(d @ SIGNS.T) >= limit).mean()
    assert p <= at_most(d, np.array([limit]))[0] * (1 + 1e-9) <= 1 + 1e-9
    by_squares = at_most_by_squares(np.sqrt((d**2).sum(axis=1)), np.array([limit]))[0]
    assert at_most(d, np.array([limit]))[0] <= by_squares * (1 + 1e-9) <= 1 + 1e-9


@pytest.mark.parametrize("kind", ["normal", "exponential", "standard_cauchy"])
def test_bounds_are_near_p(kind: str) -> None:
    """At most eight times as large, and hardly larger where all signs agree."""
    differences = getattr(np.random.default_rng(2), kind)(size=(20, CASES))
    sums = np.sort(np.abs(differences @ SIGNS.T), axis=1)
    for place, most in ((-1, 1.2), (-2, 8), (-20, 8), (-200, 8)):
        limits = sums[:, place] * (1 - 1e-12)
        p = (sums >= limits[:, None]).mean(axis=1)
        ratio = at_most(differences, limits) / p
        assert (ratio >= 1 - 1e-9).all()
        assert (ratio <= most).all()


def test_many_cases_and_both_ways_to_compute_it_agree() -> None:
    """With 1,000 cases the series is enough; with a few that dominate, it is not."""
    generator = np.random.default_rng(4)
    differences = generator.normal(0.1, 1, size=(5, 1000))
    sums = np.abs(differences.sum(axis=1))
    slow = [
        min(np.log(np.cosh(t * row)).sum() - t * s for t in np.linspace(0, 0.3, 3001))
        for row, s in zip(differences, sums, strict=True)
    ]
    assert at_most(differences, sums) == pytest.approx(2 * np.exp(slow), rel=0.03)
    alone = np.zeros((1, 2000))
    alone[0, :30] = 1.0
    assert at_most(alone, np.array([30.0]))[0] == pytest.approx(2.0**-29, rel=1e-3)
    assert 0 < at_most(np.ones((1, 5000)), np.array([5000.0]))[0] < 1e-300


def test_p_below_the_draws_is_bounded_and_the_same_for_every_seed() -> None:
    values = scores(4, 30)
    values[0] += 1
    one, other = randomization(values, resamples=100, seed=1), randomization(values, resamples=2000, seed=2)
    assert one.bounded is not None
    assert one.bounded[0].tolist() == [False, True, True, True]
    assert one.p[0, 1] < 1e-6
    assert np.array_equal(one.p[0], other.p[0])
    assert "upper bound" in one.note
    d = values[0] - values[1]
    assert one.p[0, 1] == pytest.approx(at_most(d[None], np.array([d.sum()]))[0])


def test_a_bound_that_is_worse_than_the_draws_is_not_used() -> None:
    """15 wins of 20: p is about 0.04; 5 draws say at most 1 / 6."""
    values = np.array([[1.0] * 15 + [0.0] * 5, [0.0] * 15 + [1.0] * 5])
    results = [randomization(values, resamples=5, seed=seed) for seed in range(30)]
    floors = [result for result in results if result.bounded is not None and result.bounded[0, 1]]
    assert floors
    assert all(result.p[0, 1] <= 1 / 6 for result in floors)
    assert all(result.p[0, 1] >= 2 / 6 for result in results if result not in floors)


def test_so_many_pairs_with_few_cases_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    values = scores(6, 10, missing=0.1)
    exact = randomization(values)
    monkeypatch.setattr("plumbline.comparison.significance.randomization._MOST_TRIED", 1000)
    drawn = randomization(values, resamples=4000)
    assert drawn.exact is not None
    assert not drawn.exact[0, 1]
    assert drawn.p == pytest.approx(exact.p, abs=0.04)
