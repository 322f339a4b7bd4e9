"""Significance of differences between all pairs of systems by one metric: the tests by name, the t test and the sign test.

Every test takes scores `[system, case]` in which higher is better, uses for each pair the cases on which both have a score,
and is two-sided. Tests of the whole table (Tukey, Nemenyi) use the cases on which all systems have one. What was left out,
stands in the note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.friedman import nemenyi
from plumbline.comparison.significance.randomization import RESAMPLES, bootstrap, randomization
from plumbline.comparison.significance.result import FEWEST_FOR_A_VARIANCE, Pairs, Tested, as_scores, moments
from plumbline.comparison.significance.tukey import randomised_tukey, tukey
from plumbline.comparison.significance.wilcoxon import wilcoxon
from plumbline.errors import BadUsage, usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "TESTS",
    "Tested",
    "bootstrap",
    "nemenyi",
    "paired_t",
    "randomised_tukey",
    "randomization",
    "sign",
    "significance",
    "tukey",
    "wilcoxon",
]


def paired_t(values: ArrayLike) -> Tested:
    """Student's paired t test of all pairs; the statistic is t, positive where a is better.

    If all differences of a pair are equal, t has no variance to divide by: p is 1 if they are all 0, otherwise its limit 0
    (and t is infinite), which the note tells. With one case there is no p, unless its difference is 0.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - scipy is slow to import

    pairs = Pairs(as_scores(values))
    found = moments(pairs)
    cases, mean, deviation = pairs.cases, found.mean, found.deviation
    enough = cases >= FEWEST_FOR_A_VARIANCE
    constant = enough & (deviation == 0) & (mean != 0)
    t = np.full(len(pairs), np.nan)
    np.divide(mean * np.sqrt(cases), deviation, out=t, where=enough & (deviation > 0))
    t[constant] = np.copysign(np.inf, mean[constant])
    t[found.zero] = 0.0
    p = np.minimum(2 * stdtr(np.maximum(cases - 1, 1), -np.abs(t)), 1.0)
    remarks = (
        pairs.remark(constant, "every case differs by the same amount, t is infinite and p its limit 0"),
        pairs.remark(~enough & ~found.zero, "fewer than two cases on which both have a score, no p"),
    )
    return Tested("paired t test", pairs.symmetric(p), pairs.turned(t), pairs.counts(), remarks)


def sign(values: ArrayLike) -> Tested:
    """The sign test of all pairs, exact: wins against losses as throws of a fair coin; equal cases do not count.

    The statistic is how many cases a wins, so that the table has the losses on the other side. Scores that agree to 12
    significant digits are equal. Without a win or loss, p is 1.
    """
    from scipy.special import bdtr  # noqa: PLC0415 - scipy is slow to import

    pairs = Pairs(as_scores(values))
    won, lost = wins(pairs)
    decided = won + lost
    p = np.minimum(2 * bdtr(np.minimum(won, lost).astype(float), np.maximum(decided, 1), 0.5), 1.0)
    p = np.where(decided == 0, np.where(pairs.cases > 0, 1.0, np.nan), p)
    remarks = (pairs.remark(pairs.cases == 0, "no case on which both have a score, no p"),)
    return Tested("sign test (exact)", pairs.symmetric(p), pairs.table(won, lost, 0.0), pairs.counts(), remarks)


def wins(pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many cases a wins and how many b wins, for each pair."""
    won, lost = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64)
    for some, differences in pairs.blocks():
        steps = pairs.steps(some, differences)
        won[some] = np.count_nonzero(steps > 0, axis=1)
        lost[some] = np.count_nonzero(steps < 0, axis=1)
    return won, lost


_PLAIN: Final[dict[str, Callable[[ArrayLike], Tested]]] = {
    "t": paired_t,
    "wilcoxon": wilcoxon,
    "sign": sign,
    "tukey": tukey,
    "nemenyi": nemenyi,
}
_DRAWN: Final[dict[str, Callable[..., Tested]]] = {
    "randomization": randomization,
    "bootstrap": bootstrap,
    "randomised_tukey": randomised_tukey,
}
TESTS: Final = (*_PLAIN, *_DRAWN)
"""The names by which `significance` knows the tests."""


def significance(values: ArrayLike, test: str = "randomization", *, resamples: int = RESAMPLES, seed: int = 0) -> Tested:
    """The test of this name; the number of resamples and the seed are used where something is drawn."""
    if test in _PLAIN:
        return _PLAIN[test](values)
    if test in _DRAWN:
        return _DRAWN[test](values, resamples=resamples, seed=seed)
    raise BadUsage(usage.bad_option("test", test, list(TESTS)))
