"""Tukey's honestly significant differences between all systems, and their randomised form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.randomization import RESAMPLES
from plumbline.comparison.significance.result import (
    FEWEST_FOR_A_VARIANCE,
    Tested,
    as_scores,
    at_least,
    complete,
    spread_out,
)
from plumbline.comparison.significance.studentized import survival

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_FEW: Final = "fewer than two systems with a score, or fewer than two complete cases: no p"


def tukey(values: ArrayLike) -> Tested:
    """Tukey's HSD of all pairs after a two-way analysis of variance, system + case, without interaction (Carterette 2012).

    Only cases on which all systems have a score are used. The statistic is the studentized range: the mean difference
    divided by `sqrt(MSE / n)`, positive where a is better; MSE is what system and case leave unexplained, with (S - 1)(n -
    1) degrees of freedom. p already accounts for all pairs. If nothing is left unexplained, p is 1 for equal means and its
    limit 0 for different ones.
    """
    scores = as_scores(values)
    systems, cases, said = complete(scores)
    block = scores[np.ix_(systems, cases)]
    if min(block.shape) < FEWEST_FOR_A_VARIANCE:
        return _nothing("Tukey's HSD (system + case)", scores, len(cases), said)
    means = block.mean(axis=1)
    freedom = (block.shape[0] - 1) * (block.shape[1] - 1)
    left = block - means[:, None] - block.mean(axis=0) + block.mean()
    unit = max(float(np.abs(left).max()), np.finfo(float).tiny)
    error = unit * np.sqrt(((left / unit) ** 2).sum() / freedom / block.shape[1])
    apart = _apart(block, means)
    scale = float(np.abs(block).max())
    if error <= SAME * scale:
        said.append("system and case explain every score: p is 0, its limit, where means differ")
        ranges = np.where(apart == 0, 0.0, np.copysign(np.inf, apart))
    else:
        ranges = apart / error
    p = survival(np.abs(ranges), block.shape[0], float(freedom))
    np.fill_diagonal(p, 1.0)
    return _told("Tukey's HSD (system + case)", scores, (systems, cases), p, ranges, said)


def randomised_tukey(values: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> Tested:
    """Randomised Tukey HSD of all pairs (Carterette 2012, Sakai 2012); the statistic is the mean difference.

    If all systems were alike, the scores of a case could be dealt to the systems in any order. For each of `resamples`
    deals of all cases, the largest difference of two means is noted; p = (b + 1) / (B + 1), where b is the number of deals
    whose largest difference is at least the pair's. p already accounts for all pairs. Only cases on which all systems have
    a score are used.
    """
    at_least("resamples", resamples, 1)
    scores = as_scores(values)
    systems, cases, said = complete(scores)
    block = scores[np.ix_(systems, cases)]
    name = "randomised Tukey HSD"
    if min(block.shape) < FEWEST_FOR_A_VARIANCE:
        return _nothing(name, scores, len(cases), said)
    largest = _largest(block, resamples, seed)
    apart = _apart(block, block.mean(axis=1))
    limits = np.abs(apart) - SAME * float(np.abs(block).max())
    reached = resamples - np.searchsorted(np.sort(largest), limits.ravel(), side="left").reshape(limits.shape)
    p = (reached + 1) / (resamples + 1)
    np.fill_diagonal(p, 1.0)
    said.append(f"{resamples} deals (seed {seed})")
    return _told(name, scores, (systems, cases), p, apart, said, resamples=resamples, seed=seed)


def _largest(block: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    """The largest difference of two systems' means in each deal."""
    generator = np.random.default_rng(seed)
    dealt = np.ascontiguousarray(block.T)
    out = np.empty(resamples)
    for number in range(resamples):
        generator.permuted(dealt, axis=1, out=dealt)
        sums = dealt.sum(axis=0)
        out[number] = sums.max() - sums.min()
    return np.asarray(out / block.shape[1])


def _apart(block: NDArray[np.float64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences of means, exactly 0 where they are 0 but for rounding."""
    apart = means[:, None] - means
    return np.where(np.abs(apart) <= SAME * float(np.abs(block).max()), 0.0, apart)


def _told(  # noqa: PLR0913 - the parts of the answer
    name: str,
    scores: NDArray[np.float64],
    used: tuple[NDArray[np.intp], NDArray[np.intp]],
    p: NDArray[np.float64],
    statistic: NDArray[np.float64],
    said: list[str],
    *,
    resamples: int | None = None,
    seed: int | None = None,
) -> Tested:
    """The answer about the systems in use, spread out over all."""
    systems, cases = used
    count = len(scores)
    whole = spread_out(p, systems, count, np.nan)
    np.fill_diagonal(whole, 1.0)
    compared = spread_out(np.full(p.shape, len(cases)), systems, count, 0.0).astype(np.int64)
    shown = spread_out(statistic, systems, count, np.nan)
    np.fill_diagonal(shown, 0.0)
    return Tested(name, whole, shown, compared, tuple(said), familywise=True, resamples=resamples, seed=seed)


def _nothing(name: str, scores: NDArray[np.float64], cases: int, said: list[str]) -> Tested:
    """The answer where there is nothing to compare."""
    count = len(scores)
    p, statistic = np.full((count, count), np.nan), np.full((count, count), np.nan)
    np.fill_diagonal(p, 1.0)
    np.fill_diagonal(statistic, 0.0)
    remarks = (*said, _FEW if count > 1 else "")
    return Tested(name, p, statistic, np.full((count, count), cases, dtype=np.int64), remarks, familywise=True)
