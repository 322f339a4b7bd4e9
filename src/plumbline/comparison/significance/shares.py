"""The interval of a difference of two shares, each of cases of its own (Newcombe 1998, method 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Shares = NDArray[np.float64] | float
    """One share, or many."""


def newcombe(share: Shares, n: Any, other: Shares, m: Any, z: float) -> tuple[Any, Any]:  # noqa: ANN401 - counts are numbers or arrays
    """Both ends of share - other, the shares of n and of m cases, from the score intervals of both."""
    (low, high), (other_low, other_high) = wilson(share, n, z), wilson(other, m, z)
    difference = share - other
    return difference - np.hypot(share - low, other_high - other), difference + np.hypot(high - share, other - other_low)


def wilson(share: Shares, n: Any, z: float) -> tuple[Any, Any]:  # noqa: ANN401 - counts are numbers or arrays
    """The score interval of one share of n cases."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - half, middle + half
