"""Friedman's test of all systems at once, and Nemenyi's test of their pairs by mean ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.result import DIGITS, Tested, as_scores, complete, in_words, share, spread_out
from plumbline.comparison.significance.studentized import critical, survival

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_FEWEST_SYSTEMS: Final = 2


@dataclass(frozen=True, eq=False)
class Friedman:
    """Whether systems differ at all, by their ranks on each case, and which of them do."""

    statistic: float
    """Friedman's chi-square, corrected for ties."""
    p: float
    """The probability of so large a chi-square if all systems were alike; not a number where there is nothing to compare."""
    mean_ranks: NDArray[np.float64]
    """For each system, 1 is best; not a number where it has no score."""
    nemenyi: Tested
    """Nemenyi's test of all pairs."""
    critical_difference: float
    """Mean ranks that differ by more are significantly different at `alpha`, by Nemenyi's test."""
    alpha: float
    cases: int
    """How many cases were used: those on which every system has a score."""
    note: str
    """What was left out, in words."""


def friedman(values: ArrayLike, *, alpha: float = 0.05) -> Friedman:
    """Friedman's test by chi-square, and Nemenyi's test and critical difference (Demsar 2006).

    Only cases on which all systems have a score are used.
    Equal scores share the mean of their ranks; scores are equal if they agree to 12 significant digits of the largest of
    the case. If all scores are equal, p is 1. scipy refuses two systems; here chi-square is used for them as well.
    """
    from scipy.special import chdtrc  # noqa: PLC0415 - scipy is slow to import

    share("alpha", alpha)
    scores = as_scores(values)
    systems, cases, said = complete(scores)
    k, n = len(systems), len(cases)
    if k < _FEWEST_SYSTEMS or not n:
        said.append("fewer than two systems with a score, or no complete case: no p")
        nan = float("nan")
        return Friedman(
            nan, nan, np.full(len(scores), nan), _pairs(scores, systems, n, None, said), nan, alpha, n, in_words(*said)
        )
    ranks, ties = _ranks(scores[np.ix_(systems, cases)])
    sums = ranks.sum(axis=1)
    chi = 12 / (k * n * (k + 1)) * ((sums - n * (k + 1) / 2) ** 2).sum()
    shrunk = 1 - ties / (k * (k * k - 1) * n)
    statistic = float(chi / shrunk) if shrunk > 0 else 0.0
    mean_ranks = np.full(len(scores), np.nan)
    mean_ranks[systems] = sums / n
    unit = np.sqrt(k * (k + 1) / (6 * n))
    difference = critical(alpha, k) / np.sqrt(2) * unit
    tested = _pairs(scores, systems, n, sums / n / unit, said)
    return Friedman(
        statistic, float(chdtrc(k - 1, statistic)), mean_ranks, tested, float(difference), alpha, n, in_words(*said)
    )


def nemenyi(values: ArrayLike) -> Tested:
    """Nemenyi's test of all pairs by mean ranks; p already accounts for all pairs.

    The statistic is the difference of mean ranks in units of `sqrt(k (k + 1) / (6 n))`, positive where a is better.
    """
    return friedman(values).nemenyi


def _ranks(block: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Ranks on each case, 1 is best, equal ones share their mean; and the sum of t^3 - t over groups of t equal ones."""
    systems, cases = block.shape
    largest = np.abs(block).max(axis=0)
    exponent = np.floor(np.log10(largest, out=np.zeros_like(largest), where=largest > 0)) + 1
    steps = np.rint(block / np.maximum(10.0 ** (exponent - DIGITS), np.finfo(float).tiny)).T
    order = np.argsort(-steps, axis=1, kind="stable")
    ordered = np.take_along_axis(steps, order, axis=1)
    opens = np.ones(ordered.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=opens[:, 1:])
    starts = np.flatnonzero(opens)
    lengths = np.diff(starts, append=systems * cases)
    shared = np.repeat(starts % systems + (lengths + 1) / 2, lengths).reshape(ordered.shape)
    ranks = np.empty_like(shared)
    np.put_along_axis(ranks, order, shared, axis=1)
    return ranks.T, float((lengths.astype(np.float64) ** 3 - lengths).sum())


def _pairs(
    scores: NDArray[np.float64], systems: NDArray[np.intp], cases: int, ranks: NDArray[np.float64] | None, said: list[str]
) -> Tested:
    """Nemenyi's test from mean ranks in units of their error; without ranks, no p."""
    count = len(scores)
    if ranks is None:
        statistic = p = np.full((len(systems), len(systems)), np.nan)
    else:
        statistic = ranks - ranks[:, None]
        p = survival(np.abs(statistic) * np.sqrt(2), len(ranks))
    whole, shown = spread_out(p, systems, count, np.nan), spread_out(statistic, systems, count, np.nan)
    np.fill_diagonal(whole, 1.0)
    np.fill_diagonal(shown, 0.0)
    compared = spread_out(np.full(p.shape, cases), systems, count, 0.0).astype(np.int64)
    return Tested("Nemenyi test", whole, shown, compared, tuple(said), familywise=True)
