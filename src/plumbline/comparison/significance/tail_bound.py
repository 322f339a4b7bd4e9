"""How small p of a randomization test is at most, where no draw came near the observed difference.

If none of B draws reaches the observed difference, all that they say is p <= 1 / (B + 1), which a correction for thousands of
pairs turns into nothing. Chernoff's bound says more, and holds for any differences: with random signs e_i,
P(sum e_i d_i >= s) <= exp(K(t) - t s) for every t > 0, where K(t) = sum log cosh(t d_i). The best t makes it 2 to 8 times the
true p; it is never below it, and nearly equal to it if all signs agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.pairs import farthest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_LOSS: Final = 0.02
"""Where the series makes the bound larger by more than about this share, Newton's method is worth its time."""
_SMALL_ENOUGH: Final = -40.0
SMALL_ENOUGH: Final = 2.0 * float(np.exp(_SMALL_ENOUGH))
"""A bound of 2 exp(-40) needs no improvement: it survives the correction for a trillion tests."""
_STEPS: Final = 12
"""Steps of Newton's method; the bound holds wherever they end."""
_SMALLEST: Final = float(np.finfo(np.float64).tiny)
_ROUNDING: Final = 1e-9
"""The share of an exponent that the rounding of a sum of squares may be worth, and more."""


def at_most(differences: Numbers, sums: Numbers) -> Numbers:
    """A bound of the two-sided p for each row of differences, given how far from 0 a sum has to be.

    Args:
        differences: `[pair, case]`, 0 where there is none.
        sums: For each row, the absolute sum from which on signs count as at least as extreme as the observed.
    """
    largest = farthest(differences)
    unit = np.where(largest > 0, largest, 1.0)
    squares = (differences / unit[:, None]) ** 2
    s = np.maximum(sums / unit, 0.0)
    exponent, loss = _by_series(squares, s)
    far = np.flatnonzero((loss > _LOSS) & (exponent > _SMALL_ENOUGH))
    if len(far):
        exponent[far] = np.minimum(exponent[far], _by_newton(np.sqrt(squares[far]), s[far]))
    return np.asarray(np.maximum(np.exp(np.minimum(exponent + np.log(2.0), 0.0)), _SMALLEST))


def at_most_by_squares(lengths: Numbers, sums: Numbers) -> Numbers:
    """A larger bound, as log cosh x <= x^2 / 2; all that it needs to know of differences is the root of the sum of squares."""
    far = np.divide(sums, lengths, out=np.zeros_like(sums), where=(lengths > 0) & (sums > 0))
    return np.asarray(np.maximum(np.minimum(2.0 * np.exp(-(far**2) / 2 * (1.0 - _ROUNDING)), 1.0), _SMALLEST))


def _by_series(squares: Numbers, s: Numbers) -> tuple[Numbers, Numbers]:
    """The best exponent by log cosh x <= x^2 / 2 - x^4 / 12 + x^6 / 45, which holds for every x, and how much it loses."""
    fourth = squares * squares
    a, b = squares.sum(axis=1), fourth.sum(axis=1)
    c = np.einsum("ij,ij->i", fourth, squares)
    scale = np.where(a > 0, a, 1.0)
    t = s / scale
    for _ in range(_STEPS):
        slope = t * a - t**3 * b / 3 + 2 * t**5 * c / 15 - s
        t = np.maximum(t - slope / np.maximum(a - t**2 * b + 2 * t**4 * c / 3, scale / 8), 0.0)
    return t**2 * a / 2 - t**4 * b / 12 + t**6 * c / 45 - t * s, 17 * t**8 * c / 2520


def _by_newton(sizes: Numbers, s: Numbers) -> Numbers:
    """The exponent at the t where K'(t) = s; from the left, every step goes closer and none beyond."""
    total = sizes.sum(axis=1)
    t = s / np.einsum("ij,ij->i", sizes, sizes)
    for _ in range(_STEPS):
        tanh = np.tanh(t[:, None] * sizes)
        slope = np.einsum("ij,ij->i", sizes, tanh)
        curvature = np.einsum("ij,ij->i", sizes, sizes * (1.0 - tanh**2))
        t = t + np.maximum(s - slope, 0.0) / np.maximum(curvature, 1e-12 * total)
    x = t[:, None] * sizes
    return np.asarray((x + np.log1p(np.exp(-2.0 * x)) - np.log(2.0)).sum(axis=1) - t * s)
