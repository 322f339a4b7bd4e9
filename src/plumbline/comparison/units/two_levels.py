"""Draws of cases and of items within them, corrected for what such draws count twice.

The means of cases differ between cases, and because each has few items. Drawing cases repeats both; drawing items within them
repeats the second once more, so that intervals would be too wide: they cover 99 % instead of 95 % where cases are alike. So
draws are moved towards the observed difference until their variance is that of the means of cases, or that of the items if
cases differ by no more than their items explain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


def narrowed(draws: Numbers, of_cases: Numbers, level: float) -> Numbers:
    """The drawn differences of one pair, `[draw]`, with the right variance; `of_cases` are the observed differences.

    The variance of means of few cases is uncertain itself: then draws are moved apart as the t distribution is wider than
    the normal one.
    """
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - scipy is slow to import

    known = of_cases[~np.isnan(of_cases)]
    count, variance = len(known), float(np.nanvar(draws))
    if count < 2 or not variance > 0:  # noqa: PLR2004 - one case has no spread
        return draws
    between = float(known.var(ddof=1))
    within = max(count * variance - float(known.var()), 0.0)
    factor = np.sqrt(max(between, within) / count / variance)
    if between > within:
        at = (1 + level) / 2
        factor *= stdtrit(count - 1, at) / ndtri(at)
    centre = known.mean()
    return np.asarray(centre + factor * (draws - centre))
