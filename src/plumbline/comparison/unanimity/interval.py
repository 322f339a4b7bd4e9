"""The confidence interval of the Unanimous Improvement Ratio, which keeps its level up to the borders -1 and 1.

UIR is the share of cases with a strict improvement minus the share with a strict setback: a difference of two proportions of
the same cases. Its interval is that of a score test, and at 0 that of the exact sign test: an interval leaves out 0 if and
only if the sign test is significant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.proportions import lower_end
from plumbline.comparison.significance.result import share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.unanimity.unanimity import Unanimity

    Numbers = NDArray[np.float64]

_ROUNDING: Final = 1e-15
"""By how much 1 - level can miss a p that is equal to it."""


def interval(improvements: Unanimity, level: float = 0.95) -> tuple[Numbers, Numbers]:
    """Lower and upper end for all pairs `[a, b]`; not a number where there is no case.

    It depends only on the strict improvements of both sides and on the number of cases.
    """
    share("level", level)
    low = lower_end(improvements.strict, improvements.strict.T, improvements.cases, level)
    low = np.where(improvements.p >= 1.0 - level - _ROUNDING, np.minimum(low, 0.0), low)
    low[improvements.cases == 0] = np.nan
    return low, 0.0 - low.T
