"""The sign test of all pairs of systems."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.pairs import Pairs, win_counts
from plumbline.comparison.significance.registry import significance_test, two_of_all_signs
from plumbline.comparison.significance.result import SignificanceResult
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import NDArray


@significance_test(
    "sign",
    title="sign test (exact)",
    paper="dixon1946",
    exact_up_to=inf,
    smallest_p=two_of_all_signs,
    choose_if="only the order of scores means something",
)
def sign(scores: NDArray[np.float64]) -> SignificanceResult:
    """Wins against losses as tosses of a fair coin; cases on which both are equal do not count.

    The statistic is the number of cases that a wins, so that the other side of the table has the losses. Scores that agree to
    12 significant digits are equal. Without a win or a loss, p is 1. p is exact.
    """
    pairs = Pairs(scores)
    won, lost = win_counts(pairs)
    decided = won + lost
    p = np.minimum(2 * special.bdtr(np.minimum(won, lost).astype(float), np.maximum(decided, 1), 0.5), 1.0)
    p = np.where(decided == 0, np.where(pairs.cases > 0, 1.0, np.nan), p)
    remarks = (pairs.remark(pairs.cases == 0, "no case on which both have a score, no p"),)
    return SignificanceResult(pairs.symmetric(p), pairs.table(won, lost, 0.0), pairs.counts(), remarks)
