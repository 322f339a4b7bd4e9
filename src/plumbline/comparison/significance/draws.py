"""How many draws a test needs, so that the correction for many pairs leaves something to claim."""

from __future__ import annotations

from typing import Final

import numpy as np

from plumbline.comparison.significance.registry import RESAMPLES, find_correction, find_test
from plumbline.comparison.significance.result import share
from plumbline.comparison.significance.widening import narrowed

MOST_RESAMPLES: Final = 200_000
"""More are not drawn by default, since they would take minutes; a notice then says what to do instead."""


def fewest_resamples(factor: float, level: float = 0.05) -> int:
    """The number of draws from which the smallest possible p, multiplied by `factor`, is below `level`.

    A drawn p is never below 1 / (B + 1). With 10,000 draws and the 4,950 pairs of 100 systems, Holm makes at least 0.49 of
    it: nothing can be significant, however large the differences are.
    """
    share("level", level)
    fewest = max(1, int(np.floor(factor / level)))
    return fewest if factor * (1.0 / (fewest + 1)) < level else fewest + 1  # 1 / 0.00001 is less than 100,000


def needed_resamples(test: str, correction: str, pairs: int, level: float, cases: int | None = None) -> int:
    """The fewest draws with which a test of so many pairs can be significant at all after the correction.

    One is enough for a test that does not stop at 1 / (B + 1). A test that widens p needs more, the fewer cases there are.
    """
    if find_test(test).bounds_tails:
        return 1
    factor = 1.0 if find_test(test).familywise else find_correction(correction).factor(pairs)
    if find_test(test).widened and cases is not None:
        return fewest_resamples(1.0, narrowed(level / factor, cases))
    return fewest_resamples(factor, level)


def default_resamples(test: str, correction: str, pairs: int, level: float, cases: int | None = None) -> int:
    """10,000 draws, or as many as the correction needs if these are more, up to 200,000.

    The randomization test never needs more. With no more draws than needed, a pair near the level is decided by the seed: ask
    for more with `resamples=`.
    """
    return min(max(RESAMPLES, needed_resamples(test, correction, pairs, level, cases)), MOST_RESAMPLES)
