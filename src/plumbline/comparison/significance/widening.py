"""P values of draws with replacement, widened for few cases: such draws vary less than new cases would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

_FEWEST: Final = 2
_SMALLEST: Final = 1e-15
"""A share of draws that nobody can draw."""


def widened(shares: ArrayLike, cases: ArrayLike) -> Numbers:
    """The two-sided p of a share of draws: its normal quantile, times sqrt((n - 1) / n), in the t distribution."""
    n = np.maximum(np.asarray(cases, dtype=np.float64), _FEWEST)
    return np.asarray(2.0 * special.stdtr(n - 1, special.ndtri(np.asarray(shares) / 2.0) * np.sqrt((n - 1) / n)))


def narrowed(p: float, cases: int) -> float:
    """The share of draws that `widened` makes this p of."""
    n = max(cases, _FEWEST)
    return max(float(2.0 * special.ndtr(special.stdtrit(n - 1, p / 2.0) * np.sqrt(n / (n - 1)))), _SMALLEST)
