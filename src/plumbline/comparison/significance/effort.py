"""How often a test draws that does, if nobody says how often."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.correction import fewest_resamples

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRICT: Final = ("holm", "bonferroni")
"""Corrections by which the smallest p of all is multiplied by the number of pairs."""
FAMILYWISE: Final = ("randomised_tukey",)
"""Tests that draw and account for all pairs themselves."""
DRAWS: Final = 10_000
MOST_DRAWS: Final = 200_000
"""Where the correction needs more, it would take minutes; a notice then says what to do instead."""
PLENTY: Final = 20
"""So many times as often as the correction needs: with the fewest draws, a single one of them may decide a verdict."""
BUDGET: Final = 140 * 10**9
"""Multiplications and additions of about ten seconds."""
_COUNTED: Final = 50
"""As many of them take the time in which a sign is drawn, or the difference of a pair is looked at."""
_ROUND: Final = 3_000
"""And so many what is the same for every draw."""


def usual_draws(values: NDArray[np.float64], test: str, correction: str, level: float, *, baseline: bool = False) -> int:
    """As often as the correction needs at least; up to twenty times as often, the less the more work a draw is.

    A drawn p is 1 / (draws + 1) at least, which the correction for many pairs makes larger. The draws of randomization and
    bootstrap are the geometric mean of the fewest and of those that would take about ten seconds, within these bounds. So
    many systems with few cases take up to a second, and large tables not much more than with the fewest draws.
    """
    systems = len(values)
    pairs = systems - 1 if baseline else systems * (systems - 1) // 2
    needed = fewest_resamples(pairs if correction in STRICT and test not in FAMILYWISE else 1, level)
    fewest = min(max(DRAWS, needed), MOST_DRAWS)
    if test in FAMILYWISE or needed > MOST_DRAWS:
        return fewest
    return max(fewest, min(PLENTY * needed, isqrt(needed * (BUDGET // _work(values)))))


def _work(values: NDArray[np.float64]) -> int:
    """Of one draw: a sign for each case, a sum for each system, or for each pair where cases are missing, and all pairs."""
    systems, cases = (int(size) for size in values.shape)
    pairs = systems * (systems - 1) // 2
    rows = pairs if np.isnan(values).any() else systems
    return rows * cases + _COUNTED * (pairs + cases) + _ROUND
