"""The search for the least value: beside scipy's, on functions whose least value is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from plumbline.truth.crowd.descending import lowest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


def valley(x: Numbers) -> tuple[float, Numbers]:
    """Rosenbrock's function, whose least value is 0 at ones."""
    a, b = x[:-1], x[1:]
    slope = np.zeros_like(x)
    slope[:-1] += -400 * a * (b - a**2) - 2 * (1 - a)
    slope[1:] += 200 * (b - a**2)
    return float((100 * (b - a**2) ** 2 + (1 - a) ** 2).sum()), slope


@pytest.mark.parametrize("seed", range(5))
def test_the_end_of_a_curved_valley_is_found(seed: int) -> None:
    start = np.random.default_rng(seed).uniform(0, 2, 8)
    assert lowest(valley, start, 500) == pytest.approx(np.ones(8), abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_a_bowl_is_solved_as_by_linear_algebra(seed: int) -> None:
    draw = np.random.default_rng(seed)
    mixed = draw.normal(size=(30, 30))
    bowl, side = mixed @ mixed.T + np.eye(30), draw.normal(size=30)

    def function(x: Numbers) -> tuple[float, Numbers]:
        return float(x @ bowl @ x / 2 - side @ x), bowl @ x - side

    assert lowest(function, np.zeros(30), 500) == pytest.approx(np.linalg.solve(bowl, side), abs=1e-3)


def test_as_many_steps_as_scipy_bring_about_as_much() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    start = np.full(50, -1.0)
    for steps in (5, 25, 100):
        theirs = optimize.minimize(valley, start, jac=True, method="L-BFGS-B", options={"maxiter": steps}).fun
        assert valley(lowest(valley, start, steps))[0] <= max(1.5 * theirs, 1e-6)


def test_a_value_never_rises_and_the_least_one_is_kept() -> None:
    values = [valley(lowest(valley, np.full(6, -1.5), steps))[0] for steps in range(30)]
    assert (np.diff(values) <= 0).all()
    assert lowest(valley, np.ones(6), 10).tolist() == [1.0] * 6
