"""Friedman's test of all systems at once, and Nemenyi's test of their pairs by mean ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.pairs import mean_ranks, steps_of
from plumbline.comparison.significance.registry import significance_test
from plumbline.comparison.significance.result import (
    SignificanceResult,
    as_scores,
    complete,
    share,
    spread_out,
)
from plumbline.comparison.significance.studentized import critical, survival
from plumbline.comparison.significance.tukey import same_extremes, share_of_deals
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

_FEWEST_SYSTEMS: Final = 2
_MANY_CASES: Final = 50
_MANY_SYSTEMS: Final = 10
"""From so many cases or systems on, the distribution of very many cases keeps the level; with fewer of both a level of 5 % is
up to 5.6 % (simulated in `reproductions/verdict_simulation.py`)."""


@dataclass(frozen=True, eq=False)
class Friedman:
    """Whether systems differ at all, by their ranks on each case, and which of them do."""

    statistic: float
    """Friedman's chi-square, corrected for ties."""
    p: float
    """The probability of so large a chi-square if all systems were alike; NaN where there is nothing to compare."""
    mean_ranks: NDArray[np.float64]
    """For each system, 1 is best; NaN where it has no score."""
    nemenyi: SignificanceResult
    """Nemenyi's test of all pairs, by the distribution of very many cases as the critical difference is."""
    critical_difference: float
    """Mean ranks that differ by more are significantly different at `alpha`, by Nemenyi's test."""
    alpha: float
    cases: int
    """The number of cases that were used: those on which every system has a score."""
    note: str
    """What was left out."""


def friedman(values: ArrayLike, *, alpha: float = 0.05) -> Friedman:
    """Friedman's test by chi-square, and Nemenyi's test and critical difference (Demsar 2006).

    Only cases on which all systems have a score are used.
    Equal scores share the mean of their ranks; scores are equal if they agree to 12 significant digits of the largest of
    the case. If all scores are equal, p is 1. scipy refuses two systems; here chi-square is used for them as well.
    """
    share("alpha", alpha)
    scores = as_scores(values)
    ranked = _ranked(scores)
    k, n = ranked.ranks.shape
    means = np.full(len(scores), np.nan)
    pairs = _tested(ranked, len(scores), ranked.p)
    if not ranked.comparable:
        return Friedman(np.nan, np.nan, means, pairs, np.nan, alpha, n, pairs.note)
    sums = ranked.ranks.sum(axis=1)
    means[ranked.systems] = sums / n
    between = 12 / (k * n * (k + 1)) * ((sums - n * (k + 1) / 2) ** 2).sum()
    squares = (ranked.ranks**2).sum()  # n k (k + 1) (2 k + 1) / 6 if there are no ties
    shrunk = 1 - (2 * n * k * (k + 1) * (2 * k + 1) - 12 * squares) / (k * (k * k - 1) * n)
    statistic = float(between / shrunk) if shrunk > 0 else 0.0
    difference = float(critical(alpha, k) / np.sqrt(2) * ranked.unit)
    return Friedman(statistic, float(special.chdtrc(k - 1, statistic)), means, pairs, difference, alpha, n, pairs.note)


def _smallest_p(cases: int, systems: int) -> float:
    """The p of two systems of which one is the best on every case and the other the worst."""
    if _is_dealt(systems, cases):
        return same_extremes(cases, systems)
    gap = (systems - 1) / np.sqrt(systems * (systems + 1) / (12 * cases))
    return float(survival(gap, systems))


def _is_dealt(systems: int, cases: int) -> bool:
    """Whether p is a share of deals."""
    return systems < _MANY_SYSTEMS and cases < _MANY_CASES


@significance_test(
    "nemenyi",
    title="Nemenyi test",
    paper="demsar2006",
    familywise=True,
    drawn=True,
    smallest_p=_smallest_p,
    choose_if="cases are data sets with scales of their own",
)
def nemenyi(scores: Numbers, *, resamples: int, seed: int) -> SignificanceResult:
    """Whether the mean ranks of two systems over all cases lie further apart than those of that many systems do by chance.

    The statistic is the difference of mean ranks in units of `sqrt(k (k + 1) / (6 n))`, positive where a is better. p already
    accounts for all pairs. Only cases on which all systems have a score are used. With 50 cases or 10 systems p is that of very
    many cases, as in the textbook. With fewer of both that would be too small, for ranks are whole numbers: then the ranks of
    each case are dealt to the systems at random, `resamples` times, and p is the share of deals in which any two mean ranks lie
    as far apart, as in the randomised form of Tukey's test.
    """
    ranked = _ranked(scores)
    if not ranked.comparable or not _is_dealt(*ranked.ranks.shape):
        return _tested(ranked, len(scores), ranked.p)
    remark = f"p by {resamples:,} deals of the ranks (seed {seed})"
    p = share_of_deals(ranked.ranks, ranked.means * ranked.unit, resamples, seed)
    return _tested(ranked, len(scores), p, remark, bounded=p <= 1.0 / (resamples + 1))


def _tested(
    ranked: _Ranked, count: int, p: Numbers, remark: str = "", bounded: NDArray[np.bool_] | None = None
) -> SignificanceResult:
    """The result for the systems in use, spread out over all."""
    systems, cases = ranked.systems, ranked.ranks.shape[1]
    statistic = ranked.means - ranked.means[:, None]
    at_most = np.zeros((count, count), dtype=np.bool_)
    if bounded is not None:
        at_most[np.ix_(systems, systems)] = bounded
    return SignificanceResult(
        spread_out(p, systems, count, diagonal=1.0),
        spread_out(statistic, systems, count, diagonal=0.0),
        spread_out(np.full(p.shape, cases), systems, count, rest=0.0).astype(np.int64),
        (*ranked.remarks, remark),
        familywise=True,
        bounded=at_most,
    )


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The ranks of the systems on the cases that all of them have."""

    systems: NDArray[np.intp]
    ranks: Numbers
    """`[system, case]`, 1 is best."""
    remarks: list[str]

    @property
    def comparable(self) -> bool:
        return len(self.systems) >= _FEWEST_SYSTEMS and self.ranks.shape[1] > 0

    @property
    def means(self) -> Numbers:
        """The mean rank of each system, in units of the standard error."""
        if not self.comparable:
            return np.full(len(self.systems), np.nan)
        return np.asarray(self.ranks.mean(axis=1) / self.unit)

    @property
    def p(self) -> Numbers:
        """The p of each pair by the distribution of very many cases."""
        if not self.comparable:
            return np.full((len(self.systems),) * 2, np.nan)
        return survival(np.abs(self.means - self.means[:, None]) * np.sqrt(2), len(self.means))

    @property
    def unit(self) -> float:
        """The standard error of a difference of mean ranks, but for the square root of 2."""
        k, n = self.ranks.shape
        return float(np.sqrt(k * (k + 1) / (6 * n)))


def _ranked(scores: Numbers) -> _Ranked:
    systems, cases, remarks = complete(scores)
    block = scores[np.ix_(systems, cases)]
    ranks = mean_ranks(-steps_of(block.T, np.abs(block).max(axis=0, initial=0.0))).T
    ranked = _Ranked(systems, ranks, remarks)
    if not ranked.comparable:
        remarks.append("fewer than two systems with a score, or no complete case: no p")
    return ranked
