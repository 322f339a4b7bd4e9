"""Whether two systems are equal within a margin: two one-sided tests of all pairs.

"Not shown to differ" is no evidence of equality: few cases show nothing. These tests turn the question round. They assume that
the systems differ by the margin or more, and a small p is evidence against that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Moments, Pairs
from plumbline.comparison.significance.proportions import p_above
from plumbline.comparison.significance.result import count_pairs
from plumbline.comparison.significance.shape import FEWEST_FOR_AN_INTERVAL, Limits, Shape, corrected_statistic, shape_of
from plumbline.errors import BadUsage, usage
from plumbline.lazily import special

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


def equivalence(values: ArrayLike | Pairs, margin: ArrayLike, *, normal: bool = False) -> Equivalence:
    """Whether the means of each pair are closer than the margin, by two one-sided paired tests (Schuirmann 1987).

    p is below 0.05 if and only if the interval of `mean_intervals` at level 0.9 lies within the margin: it is that of t,
    corrected for skewness within the same limits, and if all differences are of one size it is that of shares; if a single
    case differs, the larger one of both.

    Args:
        values: Scores `[system, case]`, higher is better, NaN where there is none.
        margin: A number, or a table `[S, S]` with a margin for each pair, such as 1 % of the mean of b.
        normal: Take differences as normal, so that both tests are t tests.

    Returns:
        A table of p, 0 on the diagonal, and of a pair without any difference. p is NaN for a pair with fewer than six cases, or
        with fewer than two if differences are taken as normal.
    """
    pairs = Pairs.of(values)
    margins = _margins(margin, len(pairs.values))
    moment = pairs.moments
    shift = _Shift(pairs, moment, None if normal else shape_of(pairs, moment))
    p = np.maximum(shift.above(-margins), shift.below(margins))
    np.fill_diagonal(p, 0.0)
    return Equivalence(p, margins, pairs.counts(), shift.note)


@dataclass(frozen=True, eq=False)
class _Shift:
    """The differences of all pairs, to be compared with limits."""

    pairs: Pairs
    moment: Moments
    shape: Shape | None
    """None if differences are taken as normal."""

    @property
    def fewest(self) -> int:
        """With fewer cases there is no p."""
        return FEWEST_FOR_A_VARIANCE if self.shape is None else FEWEST_FOR_AN_INTERVAL

    @property
    def note(self) -> str:
        few = self.pairs.cases < self.fewest
        return count_pairs(few, len(self.pairs), f"fewer than {self.fewest} cases on which both have a score, no p")

    def above(self, limits: Numbers) -> Numbers:
        """P if a - b is at most the limit: small where it is above."""
        a, b = self.pairs.a, self.pairs.b
        return self.pairs.table(self._p(limits[a, b], 1), self._p(limits[b, a], -1), np.nan)

    def below(self, limits: Numbers) -> Numbers:
        """P if a - b is at least the limit: small where it is below, and b - a is above the other limit."""
        return self.above(-limits.T).T

    def _p(self, limits: Numbers, sign: int) -> Numbers:
        """P that the difference is at most the limit; with the other sign, that of the exchanged systems is."""
        deviation, cases = self.moment.deviation, self.pairs.cases
        n = np.maximum(cases, FEWEST_FOR_A_VARIANCE).astype(np.float64)
        room = sign * self.moment.mean - limits
        t = np.divide(room, deviation, out=np.zeros_like(room), where=deviation > 0)
        if self.shape is not None:
            t = corrected_statistic(t, sign * self.shape.skewness, n, Limits.of(n, self.shape.rare))
        p = special.stdtr(n - 1, -np.sqrt(n) * t)
        p = np.where(deviation > 0, p, np.where(room > SAME * self.pairs.scale, 0.0, 1.0))
        if self.shape is not None:
            self._use_shares(p, limits, self.shape, sign)
        return np.where((cases < self.fewest) | np.isnan(limits), np.nan, p)

    def _use_shares(self, p: Numbers, limits: Numbers, shape: Shape, sign: int) -> None:
        """Where differences are of one size, p is that of shares of wins and losses."""
        even = shape.even
        wins, losses = (shape.wins, shape.losses) if sign > 0 else (shape.losses, shape.wins)
        shares = p_above(wins[even], losses[even], self.pairs.cases[even], limits[even] / shape.size[even])
        p[even] = np.where(shape.single[even], np.maximum(p[even], shares), shares)


def _margins(margin: ArrayLike, systems: int) -> Numbers:
    """The margin of each pair; a negative one is refused."""
    given = np.asarray(margin, dtype=np.float64)
    if given.ndim and given.shape != (systems, systems):
        raise BadUsage(usage.bad_object(f"margins of shape {given.shape}", f"a number, or a table of {systems} x {systems}"))
    if (given < 0).any() or np.isinf(given).any():
        raise BadUsage(usage.bad_option("margin", str(given.min()), ["finite numbers of 0 or more"]))
    return np.array(np.broadcast_to(given, (systems, systems)))
