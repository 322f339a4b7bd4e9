"""Whether two systems are equal within a margin, and whether one is not worse than another: one-sided tests of all pairs.

"Not shown to differ" is no evidence of equality: few cases show nothing. These tests turn the question round. They assume that
the systems differ by the margin or more, and a small p is evidence against that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Pairs, moments
from plumbline.comparison.significance.result import as_scores, count_pairs
from plumbline.errors import BadUsage, usage

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Two one-sided tests of all pairs; tables `[S, S]`, a in rows and b in columns."""

    p: Numbers
    """The larger p of the two tests: below the level, a and b are equal within the margin."""
    margin: Numbers
    """How far apart means may be and still count as equal."""
    cases: NDArray[np.int64]
    """How many cases both have."""
    note: str


@dataclass(frozen=True, eq=False)
class NotWorse:
    """One-sided tests of whether a is worse than b; tables `[S, S]`, a in rows and b in columns."""

    worse: Numbers
    """Below the level, a is significantly worse than b."""
    beyond_margin: Numbers
    """Below the level, a is worse than b by more than the margin."""
    within_margin: Numbers
    """Below the level, a is not worse than b by as much as the margin: it is shown to be not inferior."""
    margin: Numbers
    """By how much a mean may be lower."""
    cases: NDArray[np.int64]
    """How many cases both have."""
    note: str


def equivalence(values: ArrayLike, margin: ArrayLike) -> Equivalence:
    """Whether the means of each pair are closer than the margin, by two one-sided paired t tests (Schuirmann 1987).

    Args:
        values: Scores `[system, case]`, higher is better, NaN where there is none.
        margin: A number, or a table `[S, S]` with a margin for each pair, such as 1 % of the mean of b.

    Returns:
        A table of p, 0 on the diagonal. p is NaN for a pair with fewer than two cases. If all differences of a pair are equal,
        p is 0 where they are smaller than the margin and 1 otherwise.
    """
    pairs = Pairs(as_scores(values))
    margins = _margins(margin, len(pairs.values))
    shift = _shift(pairs)
    p = np.maximum(shift.above(-margins), shift.below(margins))
    np.fill_diagonal(p, 0.0)
    return Equivalence(p, margins, pairs.counts(), shift.note)


def not_worse(values: ArrayLike, margin: ArrayLike = 0.0) -> NotWorse:
    """Whether a is worse than b, and by more than the margin, by one-sided paired t tests.

    Args:
        values: Scores `[system, case]`, higher is better, NaN where there is none.
        margin: A number, or a table `[S, S]` with a margin for each pair.

    Returns:
        Three tables of p; on the diagonal nothing is worse. p is NaN for a pair with fewer than two cases.
    """
    pairs = Pairs(as_scores(values))
    margins = _margins(margin, len(pairs.values))
    shift = _shift(pairs)
    worse, beyond, within = shift.below(np.zeros_like(margins)), shift.below(-margins), shift.above(-margins)
    for table, diagonal in ((worse, 1.0), (beyond, 1.0), (within, 0.0)):
        np.fill_diagonal(table, diagonal)
    return NotWorse(worse, beyond, within, margins, pairs.counts(), shift.note)


@dataclass(frozen=True, eq=False)
class _Shift:
    """The mean differences of all pairs, to be compared with limits."""

    mean: Numbers
    error: Numbers
    """The standard error of each mean difference."""
    freedom: Numbers
    near: Numbers
    """By how much a mean may miss a limit and still be equal to it but for rounding."""
    note: str

    def below(self, limits: Numbers) -> Numbers:
        """P if the difference is at least the limit: small where a - b is below it."""
        return self._p(limits - self.mean)

    def above(self, limits: Numbers) -> Numbers:
        """P if the difference is at most the limit: small where a - b is above it."""
        return self._p(self.mean - limits)

    def _p(self, room: Numbers) -> Numbers:
        """One-sided p of a distance that is positive where the data speak against the hypothesis."""
        from scipy.special import stdtr  # noqa: PLC0415 - scipy is slow to import

        certain = np.where(room > self.near, 0.0, 1.0)
        t = np.divide(room, self.error, out=np.zeros_like(room), where=self.error > 0)
        p = np.where(self.error > 0, stdtr(self.freedom, -t), certain)
        return np.where(np.isnan(self.error) | np.isnan(room), np.nan, p)


def _shift(pairs: Pairs) -> _Shift:
    moment, cases = moments(pairs), pairs.cases
    enough = cases >= FEWEST_FOR_A_VARIANCE
    error = moment.deviation / np.sqrt(np.maximum(cases, 1))
    return _Shift(
        pairs.antisymmetric(moment.mean),
        pairs.symmetric(error, 0.0),
        pairs.symmetric(np.maximum(cases - 1.0, 1.0)),
        pairs.symmetric(SAME * pairs.scale, 0.0),
        count_pairs(~enough, len(pairs), "fewer than two cases on which both have a score, no p"),
    )


def _margins(margin: ArrayLike, systems: int) -> Numbers:
    """The margin of each pair; a negative one is refused."""
    given = np.asarray(margin, dtype=np.float64)
    if given.ndim and given.shape != (systems, systems):
        raise BadUsage(usage.bad_object(f"margins of shape {given.shape}", f"a number, or a table of {systems} x {systems}"))
    if (given < 0).any() or np.isinf(given).any():
        raise BadUsage(usage.bad_option("margin", str(given.min()), ["finite numbers of 0 or more"]))
    return np.array(np.broadcast_to(given, (systems, systems)))
