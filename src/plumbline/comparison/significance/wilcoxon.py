"""Wilcoxon's signed rank test of all pairs of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.pairs import BLOCK, Pairs, mean_ranks
from plumbline.comparison.significance.registry import significance_test, two_of_all_signs
from plumbline.comparison.significance.resampling import every_sign
from plumbline.comparison.significance.result import SignificanceResult
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

EXACT_UP_TO: Final = 50
"""Cases up to which p is exact if all differences are different and none is 0."""
ENUMERATED_UP_TO: Final = 13
"""Cases up to which p is exact in any event, by all signs of the ranks."""


@significance_test(
    "wilcoxon",
    title="Wilcoxon signed rank test",
    paper="wilcoxon1945",
    exact_up_to=ENUMERATED_UP_TO,
    smallest_p=two_of_all_signs,
    choose_if="the literature that you compare with reports it",
)
def wilcoxon(scores: Numbers) -> SignificanceResult:
    """Whether the ranks of the differences that a wins and those that b wins add up to the same, as `scipy.stats.wilcoxon`.

    scipy's defaults are `zero_method="wilcox"`, `correction=False`, `method="auto"`. Differences of 0 are left out
    (Wilcoxon's rule) and equal ones share the mean of their ranks. Differences are equal if they agree to 12 significant
    digits, counted from the largest absolute score of the two systems; otherwise noise in the last binary digits would break
    ties. scipy ranks the noise: round its input to compare.

    p is exact for up to 50 cases without ties and zeros and for up to 13 cases with them (all signs of the ranks); otherwise
    it comes from the normal distribution, corrected for ties and without a correction for continuity. `.exact` and a remark
    tell which. The statistic is the sum of ranks of the cases that a wins, so that the other side of the table has that of b;
    scipy reports the smaller of the two. If all differences are 0, p is 1.
    """
    pairs = Pairs(scores)
    cases = pairs.cases
    won, total, squares, p = (np.zeros(len(pairs)) for _ in range(4))
    used = np.zeros(len(pairs), dtype=np.int64)
    for some, differences in pairs.blocks():
        steps = pairs.steps(some, differences)
        ranks = mean_ranks(np.where(steps == 0, np.nan, np.abs(steps)))
        used[some] = np.count_nonzero(ranks, axis=1)
        won[some] = np.where(steps > 0, ranks, 0.0).sum(axis=1)
        total[some], squares[some] = ranks.sum(axis=1), np.einsum("ij,ij->i", ranks, ranks)
        few = np.flatnonzero((cases[some] <= ENUMERATED_UP_TO) & (used[some] > 0))
        p[some.start + few] = _by_every_sign(ranks[few], won[some][few])
    zeros = cases - used
    distinct = (zeros == 0) & (squares * 6 == used * (used + 1) * (2 * used + 1))
    by_sums = distinct & (cases > ENUMERATED_UP_TO) & (cases <= EXACT_UP_TO)
    for count in np.unique(used[by_sums]):
        these = by_sums & (used == count)
        p[these] = _by_rank_sums(won[these], int(count))
    exact = (by_sums | (cases <= ENUMERATED_UP_TO) | (used == 0)) & (cases > 0)
    p[~exact] = _by_normal(won[~exact], total[~exact], squares[~exact])
    p = np.where(used == 0, np.where(cases > 0, 1.0, np.nan), p)
    remarks = (
        pairs.remark(exact, "exact p"),
        pairs.remark(~exact & (cases > 0), "p by the normal approximation"),
        pairs.remark(zeros > 0, "cases without a difference are left out", zeros),
        pairs.remark(cases == 0, "no case on which both have a score, no p"),
    )
    return SignificanceResult(
        pairs.symmetric(p),
        pairs.table(won, total - won, 0.0),
        pairs.counts(),
        remarks,
        exact=pairs.symmetric(exact).astype(bool),
    )


def _by_normal(won: Numbers, total: Numbers, squares: Numbers) -> Numbers:
    """Signs make a sum of ranks with mean total / 2 and variance sum of squares / 4, with ties or without."""
    deviation = np.sqrt(squares) / 2
    z = np.divide(np.abs(won - total / 2), deviation, out=np.zeros_like(won), where=deviation > 0)
    return np.asarray(2 * special.ndtr(-z))


def _by_rank_sums(won: Numbers, count: int) -> Numbers:
    """From the number of sets of the ranks 1 to count with each sum."""
    total = count * (count + 1) // 2
    ways = np.zeros(total + 1)
    ways[0] = 1
    for rank in range(1, count + 1):
        ways[rank:] += ways[: total + 1 - rank].copy()
    below = np.cumsum(ways) / 2.0**count
    sums = np.rint(won).astype(np.int64)
    return np.asarray(np.minimum(2 * below[np.minimum(sums, total - sums)], 1.0))


def _by_every_sign(ranks: Numbers, won: Numbers) -> Numbers:
    """The share of all signs of few ranks whose sum lies as far from the middle; sums of half ranks are exact."""
    packed = -np.sort(-ranks, axis=1)[:, :ENUMERATED_UP_TO]
    signs = every_sign(packed.shape[1]).T
    observed = np.abs(2 * won - packed.sum(axis=1))
    shares = np.empty(len(ranks))
    rows = max(1, BLOCK // signs.shape[1])
    for start in range(0, len(ranks), rows):
        some = slice(start, start + rows)
        shares[some] = np.count_nonzero(np.abs(packed[some] @ signs) >= observed[some, None], axis=1) / signs.shape[1]
    return shares
