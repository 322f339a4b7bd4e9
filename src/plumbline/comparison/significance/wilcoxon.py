"""Wilcoxon's signed rank test of all pairs of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.resampling import every_sign
from plumbline.comparison.significance.result import BLOCK, Pairs, Tested, as_scores

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

EXACT_UP_TO: Final = 50
"""Cases up to which p is exact if all differences are different and none is 0."""
ENUMERATED_UP_TO: Final = 13
"""Cases up to which p is exact in any event, by all signs of the ranks."""

_MISSING: Final = np.iinfo(np.int64).max - 1  # even: nobody wins


def wilcoxon(values: ArrayLike) -> Tested:
    """Wilcoxon's signed rank test of all pairs, as `scipy.stats.wilcoxon` with its defaults.

    Those are `zero_method="wilcox"`, `correction=False`, `method="auto"`.
    Differences of 0 are left out (Wilcoxon's rule) and equal ones share the mean of their ranks. Differences are equal if
    they agree to 12 significant digits, counted from the largest absolute score of the two systems; otherwise noise in the
    last binary digits would break ties. scipy ranks the noise: round its input to compare.

    p is exact for up to 50 cases without ties and zeros and for up to 13 cases with them (all signs of the ranks, as scipy
    from version 1.15 on); otherwise it comes from the normal distribution, corrected for ties and without a correction for
    continuity. `.exact` and the note tell which. The statistic is the sum of ranks of the cases that a wins, so that the
    other side of the table has that of b; scipy reports the smaller of the two. If all differences are 0, p is 1.
    """
    pairs = Pairs(as_scores(values))
    ranked = _Ranked(len(pairs))
    for some, differences in pairs.blocks():
        _rank(ranked, some, pairs.steps(some, differences))
    cases, used = pairs.cases, pairs.cases - ranked.zeros
    plain = (ranked.zeros == 0) & (ranked.ties == 0)
    by_table = plain & (cases <= EXACT_UP_TO)
    by_signs = ~plain & (cases <= ENUMERATED_UP_TO) & (used > 0)
    p = _by_normal(ranked, used)
    for count in np.unique(used[by_table & (used > 0)]):
        these = by_table & (used == count)
        p[these] = _by_table(ranked, these, int(count))
    if by_signs.any():
        p[by_signs] = _by_signs(pairs, np.flatnonzero(by_signs), ranked)
    p = np.where(used == 0, np.where(cases > 0, 1.0, np.nan), p)
    exact = (by_table | by_signs | (used == 0)) & (cases > 0)
    lost = used * (used + 1) / 2 - ranked.won
    remarks = (
        pairs.remark(exact, "exact p"),
        pairs.remark(~exact & (cases > 0), "p by the normal approximation"),
        pairs.remark(ranked.zeros > 0, "cases without a difference are left out", ranked.zeros),
        pairs.remark(cases == 0, "no case on which both have a score, no p"),
    )
    shown = pairs.table(ranked.won, lost, 0.0)
    return Tested(
        "Wilcoxon signed rank test",
        pairs.symmetric(p),
        shown,
        pairs.counts(),
        remarks,
        exact=pairs.symmetric(exact).astype(bool),
    )


class _Ranked:
    """What is known of each pair's ranks."""

    def __init__(self, pairs: int) -> None:
        self.won = np.zeros(pairs)
        """The sum of ranks of the cases that a wins."""
        self.zeros = np.zeros(pairs, dtype=np.int64)
        self.ties = np.zeros(pairs)
        """The sum of t^3 - t over groups of t equal differences."""


def _rank(ranked: _Ranked, some: slice, steps: NDArray[np.float64]) -> None:
    """Rank absolute differences of a block of pairs: one sort of numbers whose last bit is the sign."""
    cases = steps.shape[1]
    if not cases:
        return
    missing = np.isnan(steps)
    whole = np.where(missing, 0.0, steps).astype(np.int64)
    keys = np.abs(whole) * 2 + (whole > 0)
    keys[missing] = _MISSING
    keys.sort(axis=1)
    bits = (keys & 1).astype(np.float64)
    zeros = np.count_nonzero(keys == 0, axis=1)
    ranked.zeros[some] = zeros
    ranked.won[some] = bits @ np.arange(1.0, cases + 1) - zeros * bits.sum(axis=1)
    keys >>= 1
    tied = ((keys[:, 1:] == keys[:, :-1]) & (keys[:, 1:] != 0) & (keys[:, 1:] != _MISSING >> 1)).any(axis=1)
    if tied.any():
        where = np.arange(some.start, some.stop)[tied]
        ranked.won[where], ranked.ties[where] = _with_ties(keys[tied], bits[tied], zeros[tied])


def _with_ties(
    sizes: NDArray[np.int64], bits: NDArray[np.float64], zeros: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The ranks that a wins where equal sizes share their mean rank, and the sum of t^3 - t over groups of t equal ones."""
    rows, cases = sizes.shape
    opens = np.ones(sizes.shape, dtype=bool)
    np.not_equal(sizes[:, 1:], sizes[:, :-1], out=opens[:, 1:])
    starts = np.flatnonzero(opens)
    lengths = np.diff(starts, append=rows * cases).astype(np.float64)
    row = np.repeat(np.arange(rows), np.count_nonzero(opens, axis=1))
    size = sizes.ravel()[starts]
    counted = (size != 0) & (size != _MISSING >> 1)
    wins = np.add.reduceat(bits.ravel(), starts)
    rank = starts - row * cases - zeros[row] + (lengths + 1) / 2
    won = np.bincount(row, weights=wins * rank, minlength=rows)
    ties = np.bincount(row, weights=np.where(counted, lengths**3 - lengths, 0.0), minlength=rows)
    return won.astype(np.float64), ties.astype(np.float64)


def _by_normal(ranked: _Ranked, used: NDArray[np.int64]) -> NDArray[np.float64]:
    from scipy.special import ndtr  # noqa: PLC0415 - scipy is slow to import

    n = used.astype(np.float64)
    variance = (n * (n + 1) * (2 * n + 1) - ranked.ties / 2) / 24
    distance = np.abs(ranked.won - n * (n + 1) / 4)
    z = np.divide(distance, np.sqrt(variance), out=np.zeros_like(n), where=variance > 0)
    return np.asarray(2 * ndtr(-z))


def _by_table(ranked: _Ranked, these: NDArray[np.bool_], count: int) -> NDArray[np.float64]:
    """From the number of sets of ranks with each sum."""
    total = count * (count + 1) // 2
    ways = np.zeros(total + 1)
    ways[0] = 1
    for rank in range(1, count + 1):
        ways[rank:] += ways[: total + 1 - rank].copy()
    below = np.cumsum(ways) / 2.0**count
    won = np.rint(ranked.won[these]).astype(np.int64)
    return np.asarray(np.minimum(2 * below[np.minimum(won, total - won)], 1.0))


def _by_signs(pairs: Pairs, these: NDArray[np.intp], ranked: _Ranked) -> NDArray[np.float64]:
    """The share of all signs of a pair's ranks whose sum lies as far from the middle; sums of half ranks are exact."""
    out = np.empty(len(these))
    signs = every_sign(ENUMERATED_UP_TO).T
    rows = max(1, BLOCK // max(signs.shape[1], pairs.values.shape[1]))
    for start in range(0, len(these), rows):
        own = these[start : start + rows]
        ranks = _ranks_of(pairs, own)
        far = ranks @ signs[: ranks.shape[1]]
        np.abs(far, out=far)
        observed = np.abs(2 * ranked.won[own] - ranks.sum(axis=1))
        out[start : start + rows] = np.count_nonzero(far >= observed[:, None], axis=1) / signs.shape[1]
    return out


def _ranks_of(pairs: Pairs, own: NDArray[np.intp]) -> NDArray[np.float64]:
    """The ranks of some pairs with few cases, in the first columns; 0 where a difference is 0 or missing."""
    differences = pairs.values[pairs.a[own]] - pairs.values[pairs.b[own]]
    size = np.abs(pairs.steps(own, differences))
    size = np.where(size > 0, size, np.inf)
    size = np.sort(size, axis=1)[:, :ENUMERATED_UP_TO]
    there = np.isfinite(size)
    smaller = (size[:, None, :] < size[:, :, None]).sum(axis=2)
    equal = (size[:, None, :] == size[:, :, None]).sum(axis=2)
    return np.where(there, smaller + (equal + 1) / 2, 0.0)
