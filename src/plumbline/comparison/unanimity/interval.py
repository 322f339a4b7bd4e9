"""The bootstrap interval of the Unanimous Improvement Ratio without any draw: what infinitely many would give.

If a pair's cases are drawn anew, UIR depends on nothing but how many improvements of either side are drawn. So its distribution
is that of a sum of independent steps up, down or none, and is found by a Fourier transform, to the last digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.result import share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.unanimity.unanimity import Unanimity

    Counts = NDArray[np.int64]
    Numbers = NDArray[np.float64]

_BLOCK: Final = 2**19
"""Numbers in one step."""
_REACH: Final = 9.0
"""Standard deviations beyond which nothing is left in double precision."""
_TOLERANCE: Final = 1e-12
"""Probabilities that differ by less are equal."""


def interval(improvements: Unanimity, level: float = 0.95) -> tuple[Numbers, Numbers]:
    """Lower and upper end for all pairs `[a, b]`: beyond each end lies at most half of what `level` leaves.

    Each pair's own cases are drawn anew, as many as there are. Not a number where there is none.
    """
    share("level", level)
    counts = np.stack((improvements.strict, improvements.strict.T, improvements.cases)).reshape(3, -1)
    different, place = np.unique(counts, axis=1, return_inverse=True)
    ends = np.empty((2, different.shape[1]))
    step = max(1, _BLOCK // (2 * _half(*different)))
    for start in range(0, different.shape[1], step):
        wins, losses, cases = different[:, start : start + step]
        ends[:, start : start + step] = _middle(wins, losses, cases, (1.0 - level) / 2.0)
    return ends[0][place].reshape(improvements.cases.shape), ends[1][place].reshape(improvements.cases.shape)


def _middle(wins: Counts, losses: Counts, cases: Counts, tail: float) -> Numbers:
    """The ends for each row, over a window around the mean in which all of the distribution lies."""
    half = _half(wins, losses, cases)
    centre = np.zeros_like(wins) if half > cases.max(initial=0) else wins - losses
    first = centre - half
    shares = _distribution(wins, losses, cases, first, 2 * half)
    up_to = np.cumsum(shares, axis=1)
    low = np.count_nonzero(up_to - shares <= tail + _TOLERANCE, axis=1) - 1
    high = np.count_nonzero(up_to < 1.0 - tail - _TOLERANCE, axis=1)
    places = first + np.stack((low, high))
    return np.asarray(np.divide(places, cases, out=np.full(places.shape, np.nan), where=cases > 0))


def _half(wins: Counts, losses: Counts, cases: Counts) -> int:
    """Half the size of the window: all that is possible, or so many deviations that nothing is left beyond."""
    deviation = np.sqrt(float((wins + losses).max(initial=0)))
    return min(int(cases.max(initial=0)) + 1, int(_REACH * deviation) + 8)


def _distribution(wins: Counts, losses: Counts, cases: Counts, first: Counts, size: int) -> Numbers:
    """How probable it is that wins minus losses is `first`, `first + 1` and so on, if as many cases are drawn out of them."""
    drawn = np.maximum(cases, 1)
    up, down = (wins / drawn)[:, None], (losses / drawn)[:, None]
    angle = 2.0 * np.pi * np.arange(size // 2 + 1) / size
    one = 1.0 - (up + down) * (1.0 - np.cos(angle)) - 1j * (up - down) * np.sin(angle)
    return np.asarray(np.fft.irfft(one ** drawn[:, None] * np.exp(1j * angle * first[:, None]), size, axis=1))
