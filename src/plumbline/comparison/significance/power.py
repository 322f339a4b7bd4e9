"""What the cases at hand can show: the smallest difference that a test would probably find, and the fewest cases it needs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Pairs
from plumbline.comparison.significance.registry import find_test
from plumbline.comparison.significance.result import at_least, count_pairs, join_remarks, share
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from plumbline.comparison.significance.effects import Intervals

    Numbers = NDArray[np.float64]

POWER: Final = 0.8
"""How probable it should be that a difference is found, by convention."""
_FAR: Final = 1e4
"""From this t on, the error of the mean does not matter beside that of the deviation."""


@dataclass(frozen=True, eq=False)
class Detectable:
    """The smallest true mean difference that would be found with the wanted power; a table `[S, S]`, symmetric."""

    difference: Numbers
    """In the unit of the scores, 0 on the diagonal; NaN with fewer than two cases."""
    power: float
    """How probable it is that such a difference is significant."""
    level: float
    """The level of the test, after the correction."""
    cases: NDArray[np.int64]
    """How many cases both have."""
    note: str


def detectable(values: ArrayLike | Pairs, *, level: float = 0.05, power: float = POWER) -> Detectable:
    """Which mean difference so many cases could have shown: the minimum detectable effect of the paired t test.

    Args:
        values: Scores `[system, case]`, NaN where there is none.
        level: Where a p counts as significant: with a correction, the level that the smallest p has to reach.
        power: How probable it should be that the difference is significant.

    Returns:
        Differences for which a two-sided test at this level has this power, if the case by case differences vary as they do
        here and are normal. Other tests of means need about the same; a test of few cases may never reach the level
        (`fewest_cases`). The tail on the wrong side, less than a thousandth for any power above the level, is not counted.
    """
    share("level", level)
    share("power", power)
    pairs = Pairs.of(values)
    moment, cases = pairs.moments, pairs.cases
    enough = cases >= FEWEST_FOR_A_VARIANCE
    sizes, place = np.unique(np.maximum(cases, FEWEST_FOR_A_VARIANCE), return_inverse=True)
    standardized = _noncentrality(sizes, level, power) / np.sqrt(sizes)
    differences = np.where(enough, standardized[place] * moment.deviation, np.nan)
    note = join_remarks(
        count_pairs(enough & (moment.deviation == 0), len(pairs), "differences do not vary, so any would have been found"),
        count_pairs(~enough, len(pairs), "fewer than two cases on which both have a score, nothing can be found"),
    )
    return Detectable(pairs.symmetric(differences, 0.0), power, level, pairs.counts(), note)


def detectable_by_intervals(intervals: Intervals, *, level: float = 0.05, power: float = POWER) -> Numbers:
    """The same where only intervals are known: of items, of folds, and of two groups of cases.

    The standard error of a difference follows from the width of its interval: by the normal distribution if it was drawn, by t
    otherwise. A table `[S, S]`, NaN without an interval.
    """
    share("level", level)
    share("power", power)
    units, place = np.unique(np.maximum(intervals.cases, FEWEST_FOR_A_VARIANCE), return_inverse=True)
    sides = (1 + intervals.level) / 2
    quantile = special.stdtrit(units - 1.0, sides) if intervals.resamples is None else np.full(len(units), special.ndtri(sides))
    errors = (_noncentrality(units, level, power) / quantile)[place].reshape(intervals.low.shape)
    return np.asarray(errors * (intervals.high - intervals.low) / 2)


def needed_cases(deviation: float, difference: float, *, level: float = 0.05, power: float = POWER) -> int:
    """How many cases a paired t test needs to find a mean difference, if differences vary with this standard deviation."""
    share("level", level)
    share("power", power)
    at_least("deviation", deviation, 0.0)
    at_least("difference", difference, np.finfo(float).tiny)

    def suffices(cases: int) -> bool:
        size = np.array([cases])
        return bool(_noncentrality(size, level, power)[0] * deviation <= difference * np.sqrt(cases))

    upper = next(cases for cases in (1 << exponent for exponent in count(1)) if suffices(cases))
    lower = upper // 2
    while upper - lower > 1:
        middle = (lower + upper) // 2
        lower, upper = (lower, middle) if suffices(middle) else (middle, upper)
    return upper


def fewest_cases(test: str, factor: float = 1.0, level: float = 0.05, *, systems: int = 2) -> int:
    """The number of cases below which a test can never be significant, however large the differences are.

    Args:
        test: The name of a test.
        factor: By how much the correction multiplies the smallest p (`Correction.factor`); 1 for familywise tests.
        level: A corrected p below this is significant.
        systems: How many systems are compared; it matters to tests of all systems at once.
    """
    share("level", level)
    smallest = find_test(test).smallest_p
    return next(cases for cases in count(1) if factor * smallest(cases, systems) < level)


def _noncentrality(cases: NDArray[np.int64], level: float, power: float) -> Numbers:
    """How many standard errors the true difference has to be away from 0."""
    freedom = cases - 1.0
    limit = special.stdtrit(freedom, 1 - level / 2)
    far = limit > _FAR
    near = special.nctdtrinc(freedom, 1 - power, np.where(far, 1.0, limit))
    return np.asarray(np.where(far, limit * np.sqrt(special.chdtri(freedom, 1 - power) / freedom), near))
