"""Systems that were tried on different cases, such as two groups of users: a test of two independent samples."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.pairs import BLOCK, FEWEST_FOR_A_VARIANCE, Pairs, farthest
from plumbline.comparison.significance.registry import RESAMPLES
from plumbline.comparison.significance.result import as_scores, at_least, count_pairs, join_remarks, share
from plumbline.comparison.significance.shape import FEWEST_FOR_AN_INTERVAL, Limits, corrected_end, of_few_cases
from plumbline.comparison.significance.shares import newcombe
from plumbline.lazily import special

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

MOST_ENUMERATED: Final = 50_000
"""Ways to deal the scores to both groups up to which all are tried instead of drawn."""
_EXTREMES: Final = ((np.minimum, np.inf), (np.maximum, -np.inf))
_ROUNDING: Final = 1e-9
"""By what share of itself a statistic may be smaller and still be equal to the observed one."""


@dataclass(frozen=True, eq=False)
class TwoSamples:
    """The pairs of systems that share no case; tables `[S, S]`, a in rows and b in columns, NaN for other pairs."""

    difference: Numbers
    """The mean of a's cases minus that of b's."""
    p: Numbers
    """Two-sided p of the randomization test; 1 on the diagonal."""
    welch: Numbers
    """Two-sided p of Welch's t test."""
    low: Numbers
    """The lower end of the interval of the difference: Welch's, corrected for skewness; of scores that have one of two
    values Newcombe's, which keeps its level if all scores of a group are the same. NaN if one of both has fewer than six cases,
    or nothing but equal scores, which do not tell how much other scores of it vary."""
    high: Numbers
    level: float
    cases: NDArray[np.int64]
    """How many cases a has; the other side of the table has those of b."""
    exact: NDArray[np.bool_]
    """Where p is of all ways to deal."""
    two_valued: NDArray[np.bool_]
    """Where all scores have one of two values, such as 0 and 1: Welch's p would claim too much."""
    bounded: NDArray[np.bool_]
    """Where no draw was as extreme, so that p is at most this."""
    resamples: int
    seed: int
    note: str


def two_samples(
    values: ArrayLike, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0, normal: bool = False
) -> TwoSamples:
    """Test all pairs of systems that have no case in common.

    If both systems were alike, their scores could be dealt to both groups of cases in any way. p is the share of deals whose
    Welch t is at least as far from 0 as the observed: exact if there are up to 50,000 deals, or all scores have one of two
    values, otherwise (b + 1) / (B + 1) of B drawn ones. Dividing by the standard error keeps the level in large groups even if
    scores of both vary differently.

    Args:
        values: Scores `[system, case]`, NaN where there is none.
        level: Of the intervals.
        resamples: How many deals are drawn.
        seed: The seed of the draws; every pair draws anew from it.
        normal: Take scores as normal, so that intervals are Welch's, however few cases there are.

    Returns:
        Tables. A pair needs two cases on either side; the note counts those that have fewer.
    """
    share("level", level)
    at_least("resamples", resamples, 1)
    pairs = Pairs(as_scores(values))
    known, a, b = pairs.known, pairs.a, pairs.b
    apart, sizes = pairs.cases == 0, known.sum(axis=1)
    fit = apart & (sizes[a] >= FEWEST_FOR_A_VARIANCE) & (sizes[b] >= FEWEST_FOR_A_VARIANCE)
    welch = welch_of(pairs, level, normal=normal)
    two_valued = fit & _two_values(pairs)[0]
    p, exact, bounded = np.full(len(pairs), np.nan), np.zeros(len(pairs), dtype=bool), np.zeros(len(pairs), dtype=bool)
    for place in np.flatnonzero(fit):
        one, other = (pairs.values[at][known[at]] for at in (a[place], b[place]))
        if two_valued[place]:
            p[place], exact[place] = _dealt_successes(one, other), True
        else:
            p[place], exact[place], bounded[place] = _dealt(one, other, resamples, seed)
    difference, welch_p, low, high = (np.where(fit, column, np.nan) for column in welch)
    note = join_remarks(
        count_pairs(exact, len(pairs), "exact p by all deals"),
        count_pairs(fit & ~exact, len(pairs), f"p by {resamples} random deals (seed {seed})"),
        count_pairs(apart & ~fit, len(pairs), "fewer than two cases of one of them, no p"),
        count_pairs(~apart, len(pairs), "have cases in common, not tested here"),
    )
    return TwoSamples(
        pairs.antisymmetric(difference),
        pairs.symmetric(p),
        pairs.symmetric(welch_p),
        pairs.table(low, -high, 0.0),
        pairs.table(high, -low, 0.0),
        level,
        np.array(np.broadcast_to(sizes[:, None], (len(sizes), len(sizes)))),
        pairs.symmetric(exact, 0.0).astype(bool),
        pairs.symmetric(two_valued, 0.0).astype(bool),
        pairs.symmetric(bounded, 0.0).astype(bool),
        resamples,
        seed,
        note,
    )


def welch_of(pairs: Pairs, level: float, *, normal: bool = False) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Welch's test of all pairs: difference, p, and both ends of the interval."""
    a, b = pairs.a, pairs.b
    sizes = pairs.known.sum(axis=1)
    n = np.maximum(sizes, FEWEST_FOR_A_VARIANCE).astype(np.float64)
    mean = pairs.filled.sum(axis=1) / n
    centred = np.where(pairs.known, pairs.filled - mean[:, None], 0.0)
    unit = _powers_of_two(farthest(centred))  # squares of very large or small scores leave the range of numbers
    deviation = np.sqrt(((centred / unit[:, None]) ** 2).sum(axis=1) / (n - 1)) * unit
    deviation[deviation <= SAME * np.abs(pairs.filled).max(axis=1, initial=0.0)] = 0.0  # the mean of equal scores is rounded
    scale = _powers_of_two(pairs.scale)
    errors = [(deviation[at] / scale) ** 2 / n[at] for at in (a, b)]
    difference, squared = mean[a] - mean[b], errors[0] + errors[1]
    difference[np.abs(difference) <= SAME * pairs.scale] = 0.0
    parts = errors[0] ** 2 / (n[a] - 1) + errors[1] ** 2 / (n[b] - 1)
    freedom = np.divide(squared**2, parts, out=np.ones_like(parts), where=parts > 0)
    z = np.divide(centred, deviation[:, None], out=np.zeros_like(centred), where=deviation[:, None] > 0)
    skewed = of_few_cases((z**3).sum(axis=1) / n * (n / (n - 1)) ** 1.5, n)
    thirds = [skewed[at] * error**1.5 / np.sqrt(n[at]) for at, error in zip((a, b), errors, strict=True)]
    skewness = np.divide(thirds[0] - thirds[1], squared**1.5, out=np.zeros_like(squared), where=squared > 0)
    t = special.stdtrit(freedom, (1 + level) / 2)
    below, above = np.sqrt(squared) * t, np.sqrt(squared) * t
    if not normal:
        one, limits = np.ones_like(t), Limits.of(np.maximum(freedom + 1, FEWEST_FOR_AN_INTERVAL))
        below, above = (np.sqrt(squared) * corrected_end(t, sign * skewness, one, limits) for sign in (1.0, -1.0))
    low, high = difference - scale * below, difference + scale * above
    even, size, share = _two_values(pairs)
    of_a, of_b = (np.divide(mean[at] - share, size, out=np.zeros_like(size), where=even) for at in (a, b))
    ends = newcombe(np.clip(of_a, 0, 1), n[a], np.clip(of_b, 0, 1), n[b], float(special.ndtri((1 + level) / 2)))
    low, high = (np.where(even, size * shares, welch) for shares, welch in zip(ends, (low, high), strict=True))
    if not normal:
        few = np.minimum(sizes[a], sizes[b]) < FEWEST_FOR_AN_INTERVAL
        unknown = ~even & (few | (np.minimum(deviation[a], deviation[b]) == 0))
        low[unknown], high[unknown] = np.nan, np.nan
    return difference, 2 * special.stdtr(freedom, -np.abs(_studentized(difference / scale, squared))), low, high


def _powers_of_two(sizes: Numbers) -> Numbers:
    """Units near these sizes, by which numbers are divided without being rounded; 1 for 0."""
    return np.where(sizes > 0, np.ldexp(1.0, np.frexp(sizes)[1] - 1), 1.0)


def _two_values(pairs: Pairs) -> tuple[NDArray[np.bool_], Numbers, Numbers]:
    """Whether all scores of a pair are one of two values, such as 0 and 1; how far these are apart; and the lower one."""
    known, a, b = pairs.known, pairs.a, pairs.b
    least, most = (kind.reduce(pairs.filled, axis=1, initial=end, where=known) for kind, end in _EXTREMES)
    two = (~known | (pairs.filled == least[:, None]) | (pairs.filled == most[:, None])).all(axis=1) & known.any(axis=1)
    low, high = np.minimum(least[a], least[b]), np.maximum(most[a], most[b])
    even = two[a] & two[b] & (low < high)
    for side in (a, b):
        for extreme in (least[side], most[side]):
            even &= (extreme == low) | (extreme == high)
    return even, np.where(even, high - low, 0.0), np.where(even, low, 0.0)


def _studentized(difference: Numbers, squared_error: Numbers) -> Numbers:
    """Differences in units of their error; infinite without one, unless there is no difference."""
    error = np.sqrt(squared_error)
    certain = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    return np.asarray(np.divide(difference, error, out=certain, where=error > 0))


def _dealt_successes(one: Numbers, other: Numbers) -> float:
    """The exact p of one pair whose scores have one of two values, over the numbers of the higher one that a group can get."""
    n, m = len(one), len(other)
    higher = [int(np.count_nonzero(group > min(one.min(), other.min()))) for group in (one, other)]
    total = sum(higher)
    first = np.arange(max(0, total - m), min(n, total) + 1)
    shares = first / n, (total - first) / m
    squared = sum(share * (1 - share) / (size - 1) for share, size in zip(shares, (n, m), strict=True))
    difference = shares[0] - shares[1]
    t = np.abs(_studentized(np.where(np.abs(difference) <= _ROUNDING, 0.0, difference), np.asarray(squared)))
    log_ways = sum(-special.betaln(of + 1, size - of + 1) for of, size in ((first, n), (total - first, m)))
    chance = np.exp(log_ways - log_ways.max())
    return float(chance[t >= t[higher[0] - first[0]] * (1 - _ROUNDING)].sum() / chance.sum())


def _dealt(one: Numbers, other: Numbers, resamples: int, seed: int) -> tuple[float, bool, bool]:
    """P of one pair, whether it is exact, and whether it is only a bound."""
    pool = np.concatenate((one, other))
    pool = pool - pool.mean()  # sums of squares keep their digits
    scale = np.abs(pool).max()
    pool = pool / scale if scale > 0 else pool
    ways = comb(len(pool), len(one))
    observed = abs(float(_statistics(pool[None], len(one))[0]))
    limit = observed * (1 - _ROUNDING)
    exact = ways <= MOST_ENUMERATED
    deals = _every_deal(pool, len(one)) if exact else _drawn_deals(pool, resamples, seed)
    reached = sum(int(np.count_nonzero(np.abs(_statistics(some, len(one))) >= limit)) for some in deals)
    if exact:
        return reached / ways, True, False
    return (reached + 1) / (resamples + 1), False, reached == 0


def _statistics(dealt: Numbers, first: int) -> Numbers:
    """Welch's t of each row, the first scores of which are those of one group."""
    groups = dealt[:, :first], dealt[:, first:]
    means = [group.mean(axis=1) for group in groups]
    errors = [group.var(axis=1, ddof=1) / group.shape[1] for group in groups]
    difference = means[0] - means[1]
    near = np.abs(difference) <= _ROUNDING * np.abs(dealt).max(axis=1, initial=0.0)
    squared = errors[0] + errors[1]
    squared[squared <= _ROUNDING**2] = 0.0
    return _studentized(np.where(near, 0.0, difference), squared)


def _every_deal(pool: Numbers, first: int) -> Iterator[Numbers]:
    """All ways to choose those of the first group, in blocks."""
    chosen = np.array(list(combinations(range(len(pool)), first)))
    for start in range(0, len(chosen), 1024):
        some = chosen[start : start + 1024]
        others = np.ones((len(some), len(pool)), dtype=np.bool_)
        np.put_along_axis(others, some, values=False, axis=1)
        rest = np.nonzero(others)[1].reshape(len(some), len(pool) - first)
        yield pool[np.concatenate((some, rest), axis=1)]


def _drawn_deals(pool: Numbers, resamples: int, seed: int) -> Iterator[Numbers]:
    generator = np.random.default_rng(seed)
    rows = max(1, BLOCK // len(pool))
    for start in range(0, resamples, rows):
        yield generator.permuted(np.tile(pool, (min(rows, resamples - start), 1)), axis=1)
