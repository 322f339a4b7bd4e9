"""Parametric UIR against scipy's normal distributions, draws from them, and the limits of no variance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from plumbline.comparison.unanimity.parametric import parametric
from plumbline.comparison.unanimity.unanimity import unanimity
from tests.helpers.score_cubes import cube_of, drawn

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube

    Pair = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def fitted(cube: Cube, a: int, b: int) -> Pair:
    """The mean and the covariance of the differences on the cases that both have."""
    there = [
        cube.signed[:, a, case] - cube.signed[:, b, case]
        for case in range(len(cube.cases))
        if not np.isnan(cube.values[:, [a, b], case]).any()
    ]
    differences = np.array(there).T
    return differences.mean(axis=1), np.atleast_2d(np.cov(differences))


def by_scipy(mean: Any, covariance: Any) -> float:
    """The two orthants; differences from the mean have the same distribution as their negatives."""
    sides = [multivariate_normal.cdf(at, np.zeros(len(mean)), covariance, allow_singular=True) for at in (mean, -mean)]
    return float(sides[0] - sides[1])


def uneven(seed: int, shape: tuple[int, int, int], *, missing: float = 0.0) -> Cube:
    """Systems and metrics that differ by more than chance, and metrics that are related."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=shape) + 0.7 * generator.normal(size=shape[1:]) * generator.choice([-1, 1], (shape[0], 1, 1))
    values += 0.5 * generator.normal(size=(*shape[:2], 1))
    values[generator.random(shape) < missing] = np.nan
    return cube_of(values, [bool(at % 2) for at in range(shape[0])])


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(("metrics", "within"), [(1, 1e-12), (2, 1e-12), (3, 2e-4), (4, 2e-4), (6, 1e-3)])
def test_it_is_what_scipy_finds(metrics: int, within: float, missing: float) -> None:
    for seed in range(3):
        cube = uneven(seed, (metrics, 4, 25), missing=missing)
        result = parametric(cube)
        for a in range(4):
            for b in range(a):
                assert result[a, b] == pytest.approx(by_scipy(*fitted(cube, a, b)), abs=within)
        assert np.array_equal(result, -result.T)


@pytest.mark.parametrize("metrics", [2, 3])
def test_it_is_what_draws_from_the_fitted_distribution_find(metrics: int) -> None:
    cube = uneven(11, (metrics, 2, 30))
    draws = np.random.default_rng(0).multivariate_normal(*fitted(cube, 0, 1), size=400_000)
    expected = (draws >= 0).all(axis=1).mean() - (draws <= 0).all(axis=1).mean()
    assert parametric(cube)[0, 1] == pytest.approx(expected, abs=4e-3)


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 12), st.sampled_from([0.0, 0.3]))
def test_always_antisymmetric_in_range_and_a_number_where_there_is_a_case(
    seed: int, metrics: int, cases: int, missing: float
) -> None:
    cube = drawn(seed, (metrics, 4, cases), levels=3, missing=missing)
    result, shared = parametric(cube), unanimity(cube).cases
    assert np.array_equal(np.isnan(result), shared == 0)
    assert np.array_equal(result, -result.T, equal_nan=True)
    assert np.nanmax(np.abs(result), initial=0.0) <= 1.0 + 1e-12


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_one_case_is_the_plain_count(seed: int, metrics: int) -> None:
    cube = drawn(seed, (metrics, 4, 1), missing=0.1)
    assert np.array_equal(parametric(cube), unanimity(cube).uir, equal_nan=True)


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_constant_differences_are_the_plain_count(seed: int, metrics: int) -> None:
    generator = np.random.default_rng(seed)
    by_system = generator.integers(0, 3, (metrics, 3, 1)) / 10
    cube = cube_of(by_system + generator.random((metrics, 1, 8)))
    plain = unanimity(replace(cube, values=by_system, cases=("one",))).uir
    assert np.array_equal(parametric(cube), plain)


@pytest.mark.parametrize(("constant", "expected"), [(1, "better"), (-1, "worse"), (0, "both")])
@pytest.mark.parametrize("metrics", [2, 3])
def test_a_metric_without_variance_is_a_sign(constant: float, expected: str, metrics: int) -> None:
    cube = uneven(4, (metrics + 1, 2, 20))
    cube.values[metrics, 0] = cube.values[metrics, 1] + constant * (-1 if cube.lower[metrics] else 1) * 0.25
    mean, covariance = fitted(replace(cube, values=cube.values[:metrics], lower=cube.lower[:metrics]), 0, 1)
    ups = float(multivariate_normal.cdf(mean, np.zeros(metrics), covariance))
    downs = float(multivariate_normal.cdf(-mean, np.zeros(metrics), covariance))
    answers = {"better": ups, "worse": -downs, "both": ups - downs}
    assert parametric(cube)[0, 1] == pytest.approx(answers[expected], abs=2e-4)


def test_two_metrics_one_of_which_never_differs() -> None:
    cube = uneven(4, (2, 2, 20))
    cube.values[1, 0] = cube.values[1, 1]
    alone = parametric(replace(cube, values=cube.values[:1], lower=cube.lower[:1]))
    assert parametric(cube)[0, 1] == pytest.approx(alone[0, 1], abs=1e-14)


@pytest.mark.parametrize("turned", [False, True])
def test_a_metric_given_twice_says_nothing_new_and_its_opposite_leaves_nothing(turned: bool) -> None:  # noqa: FBT001 - a case
    once = uneven(9, (1, 3, 20))
    twice = cube_of(np.concatenate((once.values, 2.0 * once.values + 1.0)), [False, turned])
    expected = np.zeros((3, 3)) if turned else parametric(once)
    assert parametric(twice) == pytest.approx(expected, abs=1e-12)


def test_three_metrics_one_of_which_is_the_sum_of_the_others() -> None:
    two = uneven(3, (2, 3, 30))
    values = np.where(two.lower[:, None, None], -two.values, two.values)
    three = cube_of(np.concatenate((values, values.sum(axis=0, keepdims=True))))
    assert parametric(three) == pytest.approx(parametric(two), abs=3e-3)


def test_two_metrics_do_not_care_how_they_are_related() -> None:
    """Cases in which only the first is better are missing on both sides of the difference."""
    generator = np.random.default_rng(1)
    first, second = generator.normal(0.3, 1.0, 50), generator.normal(-0.1, 2.0, 50)
    related, reversed_ = np.sort(first), np.sort(first)[::-1]
    answers = [
        parametric(cube_of([[one, np.zeros(50)], [np.sort(second), np.zeros(50)]]))[0, 1] for one in (related, reversed_, first)
    ]
    assert answers == pytest.approx([answers[0]] * 3, abs=1e-12)


def test_no_variance_is_told_from_rounding() -> None:
    values = np.array([[[0.3, 0.2, 0.7], [0.2, 0.1, 0.6]], [[0.5, 0.5, 0.5], [0.4, 0.6, 0.3]]])
    alone = cube_of(values[1:])
    mean, covariance = fitted(alone, 0, 1)
    expected = float(multivariate_normal.cdf(mean, np.zeros(1), covariance))
    assert parametric(cube_of(values))[0, 1] == pytest.approx(expected, abs=1e-12)
