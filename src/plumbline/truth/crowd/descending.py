"""The least value of a smooth function of many numbers, by limited memory (Nocedal 1980).

scipy has the same search, but its algebra starts threads for every short product: GLAD took four times the processor time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

REMEMBERED: Final = 10
"""Earlier steps that tell how the slope bends."""
DECREASE: Final = 1e-4
"""The share of what the slope promises that a step has to bring (Armijo)."""
CURVATURE: Final = 0.9
"""The share of the slope that a step may leave (Wolfe)."""
TRIALS: Final = 20
"""Lengths of a step that are tried."""
FLAT: Final = 1e-5
"""A slope that is smaller everywhere is none."""
SAME: Final = 2.2e-9
"""A smaller relative decrease is none."""


def lowest(function: Callable[[Numbers], tuple[float, Numbers]], start: Numbers, steps: int) -> Numbers:
    """Where the function, which also returns its slope, is lowest near `start`; after at most so many steps."""
    at, (value, slope) = start, function(start)
    moves: list[tuple[Numbers, Numbers, float]] = []
    for _ in range(steps):
        if np.abs(slope).max() < FLAT:
            break
        direction = -_bent(slope, moves)
        fall = _product(direction, slope)
        length = 1.0 if moves else min(1.0, 1 / np.abs(slope).sum())
        new, new_value, new_slope = _walked(function, (at, value, direction, fall), length)
        if not new_value < value:
            break
        move, change = new - at, new_slope - slope
        bend = _product(move, change)
        if bend > 0:
            moves = [*moves[1 - REMEMBERED :], (move, change, bend)]
        small = value - new_value <= SAME * max(abs(value), abs(new_value), 1.0)
        at, value, slope = new, new_value, new_slope
        if small:
            break
    return at


def _product(one: Numbers, other: Numbers) -> float:
    return float((one * other).sum())


def _bent(slope: Numbers, moves: list[tuple[Numbers, Numbers, float]]) -> Numbers:
    """The slope divided by how it bends, as far as the last moves tell."""
    if not moves:
        return slope
    direction, shares = slope.copy(), []
    for move, change, bend in reversed(moves):
        shares.append(_product(move, direction) / bend)
        direction -= shares[-1] * change
    _, change, bend = moves[-1]
    direction *= bend / _product(change, change)
    for (move, change, bend), share in zip(moves, reversed(shares), strict=True):
        direction += (share - _product(change, direction) / bend) * move
    return direction


def _walked(
    function: Callable[[Numbers], tuple[float, Numbers]], line: tuple[Numbers, float, Numbers, float], length: float
) -> tuple[Numbers, float, Numbers]:
    """A step along a line that brings enough and leaves little slope; its length is found by halving and doubling."""
    at, value, direction, fall = line
    low, high = 0.0, np.inf
    for _ in range(TRIALS):
        new = at + length * direction
        new_value, new_slope = function(new)
        if not new_value <= value + DECREASE * length * fall:
            high = length
        elif _product(direction, new_slope) < CURVATURE * fall:
            low = length
        else:
            break
        length = (low + high) / 2 if high < np.inf else 2 * length
    return new, new_value, new_slope
