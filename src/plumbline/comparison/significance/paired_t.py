"""Student's paired t test of all pairs of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Pairs
from plumbline.comparison.significance.registry import significance_test
from plumbline.comparison.significance.result import SignificanceResult
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import NDArray


@significance_test(
    "t",
    title="paired t test",
    paper="student1908",
    normal=True,
    choose_if="there are many cases, or so many systems that draws do not suffice",
)
def paired_t(scores: NDArray[np.float64]) -> SignificanceResult:
    """Whether the mean difference is far from 0 in units of its standard error.

    The statistic is t, positive where a is better. If all differences of a pair are equal, t has no variance to divide by: p
    is 1 if they are all 0, otherwise its limit 0 (and t is infinite), and a remark says so. With one case there is no p,
    unless its difference is 0.
    """
    pairs = Pairs(scores)
    moment = pairs.moments
    cases, mean, deviation = pairs.cases, moment.mean, moment.deviation
    enough = cases >= FEWEST_FOR_A_VARIANCE
    constant = enough & (deviation == 0) & (mean != 0)
    t = np.full(len(pairs), np.nan)
    np.divide(mean * np.sqrt(cases), deviation, out=t, where=enough & (deviation > 0))
    t[constant] = np.copysign(np.inf, mean[constant])
    t[moment.zero] = 0.0
    p = np.minimum(2 * special.stdtr(np.maximum(cases - 1, 1), -np.abs(t)), 1.0)
    remarks = (
        pairs.remark(constant, "every case differs by the same amount, t is infinite and p its limit 0"),
        pairs.remark(~enough & ~moment.zero, "fewer than two cases on which both have a score, no p"),
    )
    return SignificanceResult(pairs.symmetric(p), pairs.antisymmetric(t), pairs.counts(), remarks)
