"""Tukey's honestly significant differences between all systems, and their randomised form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE
from plumbline.comparison.significance.registry import significance_test
from plumbline.comparison.significance.result import SignificanceResult, complete, spread_out
from plumbline.comparison.significance.studentized import survival

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_TOO_FEW: Final = "fewer than two systems with a score, or fewer than two complete cases: no p"


@significance_test(
    "tukey",
    title="Tukey's HSD (system + case)",
    paper="carterette2012",
    familywise=True,
    normal=True,
    choose_if="all pairs of many systems are of interest",
)
def tukey(scores: Numbers) -> SignificanceResult:
    """Whether two means lie further apart than the largest and the smallest of that many means do by chance.

    The honestly significant difference after a two-way analysis of variance, system + case, without interaction. Only cases
    on which all systems have a score are used. The statistic is the studentized range: the mean difference divided by
    `sqrt(MSE / n)`, positive where a is better; MSE is what system and case leave unexplained, with (S - 1)(n - 1) degrees of
    freedom. p already accounts for all pairs. If nothing is left unexplained, p is 1 for equal means and its limit 0 for
    different ones.
    """
    systems, cases, remarks = complete(scores)
    block = scores[np.ix_(systems, cases)]
    if min(block.shape) < FEWEST_FOR_A_VARIANCE:
        return _without_p(scores, len(cases), remarks)
    means = block.mean(axis=1)
    freedom = (block.shape[0] - 1) * (block.shape[1] - 1)
    unexplained = block - means[:, None] - block.mean(axis=0) + block.mean()
    unit = max(float(np.abs(unexplained).max()), np.finfo(float).tiny)
    error = unit * np.sqrt(((unexplained / unit) ** 2).sum() / freedom / block.shape[1])
    apart = _differences(block, means)
    if error <= SAME * float(np.abs(block).max()):
        remarks.append("system and case explain every score: p is 0, its limit, where means differ")
        ranges = np.where(apart == 0, 0.0, np.copysign(np.inf, apart))
    else:
        ranges = apart / error
    p = survival(np.abs(ranges), block.shape[0], float(freedom))
    return _result(scores, (systems, cases), p, ranges, remarks)


def same_extremes(cases: int, systems: int) -> float:
    """How probable it is that the best and the worst of every case are dealt to the same two systems."""
    return float(systems * (systems - 1)) ** (1 - cases) if systems > 1 else 1.0


@significance_test(
    "randomised_tukey",
    title="randomised Tukey HSD",
    paper="carterette2012",
    familywise=True,
    drawn=True,
    smallest_p=same_extremes,
    choose_if="all pairs of many systems are of interest and nothing should be assumed about the distribution of the scores",
)
def randomised_tukey(scores: Numbers, *, resamples: int, seed: int) -> SignificanceResult:
    """Whether two means lie further apart than any two do when the scores of each case are dealt out at random.

    The statistic is the mean difference. If all systems were alike, the scores of a case could be dealt to the systems in any
    order. For each of `resamples` deals of all cases, the largest difference of two means is noted; p = (b + 1) / (B + 1),
    where b is the number of deals whose largest difference is at least the pair's. p already accounts for all pairs. Only
    cases on which all systems have a score are used.
    """
    systems, cases, remarks = complete(scores)
    block = scores[np.ix_(systems, cases)]
    if min(block.shape) < FEWEST_FOR_A_VARIANCE:
        return _without_p(scores, len(cases), remarks)
    means = block.mean(axis=1)
    p = share_of_deals(block, means, resamples, seed)
    remarks.append(f"{resamples} deals (seed {seed})")
    return _result(scores, (systems, cases), p, _differences(block, means), remarks)


def share_of_deals(block: Numbers, means: Numbers, resamples: int, seed: int) -> Numbers:
    """The p of each pair of means: in which share of deals, with this one, two means lie at least as far apart."""
    limits = np.abs(_differences(block, means)) - SAME * float(np.abs(block).max())
    largest = np.sort(_largest(block, resamples, seed))
    reached = resamples - np.searchsorted(largest, limits.ravel(), side="left").reshape(limits.shape)
    return np.asarray((reached + 1) / (resamples + 1))


def _largest(block: Numbers, resamples: int, seed: int) -> Numbers:
    """The largest difference of two systems' means in each deal."""
    generator = np.random.default_rng(seed)
    dealt = np.ascontiguousarray(block.T)
    out = np.empty(resamples)
    for number in range(resamples):
        generator.permuted(dealt, axis=1, out=dealt)
        sums = dealt.sum(axis=0)
        out[number] = sums.max() - sums.min()
    return np.asarray(out / block.shape[1])


def _differences(block: Numbers, means: Numbers) -> Numbers:
    """Differences of means, exactly 0 where they are 0 but for rounding."""
    apart = means[:, None] - means
    return np.where(np.abs(apart) <= SAME * float(np.abs(block).max()), 0.0, apart)


def _result(
    scores: Numbers, used: tuple[NDArray[np.intp], NDArray[np.intp]], p: Numbers, statistic: Numbers, remarks: list[str]
) -> SignificanceResult:
    """The result for the systems in use, spread out over all."""
    systems, cases = used
    count = len(scores)
    compared = spread_out(np.full(p.shape, len(cases)), systems, count, rest=0.0).astype(np.int64)
    return SignificanceResult(
        spread_out(p, systems, count, diagonal=1.0),
        spread_out(statistic, systems, count, diagonal=0.0),
        compared,
        tuple(remarks),
    )


def _without_p(scores: Numbers, cases: int, remarks: list[str]) -> SignificanceResult:
    """The result where there is nothing to compare."""
    count = len(scores)
    p, statistic = np.full((count, count), np.nan), np.full((count, count), np.nan)
    np.fill_diagonal(p, 1.0)
    np.fill_diagonal(statistic, 0.0)
    compared = np.full((count, count), cases, dtype=np.int64)
    return SignificanceResult(p, statistic, compared, (*remarks, _TOO_FEW if count > 1 else ""))
