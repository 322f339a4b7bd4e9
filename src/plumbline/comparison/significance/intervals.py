"""Confidence intervals of mean differences that keep their level on skewed, tied, bounded and heavy-tailed differences.

Chosen by simulation among t, percentile, BCa and studentized bootstrap, and the corrections for skewness of Johnson and of
Hall (`reproductions/verdict_simulation.py`). t is right if tails are heavy on both sides, and misses on the side of the longer
tail if there is one; the studentized bootstrap and Hall's correction are the other way round. So each end is the further one of
t and of Hall. Differences of one size, as those of success or failure, are shares of wins and losses, and have their interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.effects import Intervals
from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Moments, Pairs, farthest, moments
from plumbline.comparison.significance.proportions import lower_end
from plumbline.comparison.significance.result import as_scores, count_pairs, join_remarks, share

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

FEWEST_FOR_THE_LEVEL: Final = 15
"""From this number of cases on, 95 % covers 93 to 97 % in the simulation, but for very long tails (lognormal: 20 cases)."""
_LOOK: Final = 16
"""Cases that tell quickly that differences are not of one size."""
_STRAIGHT: Final = 1e-8
"""Below this skewness there is nothing to correct."""


def mean_intervals(values: ArrayLike, level: float = 0.95) -> Intervals:
    """Confidence intervals of the mean differences of all pairs, each on the cases that both have.

    Args:
        values: Scores `[system, case]`, NaN where there is none.
        level: The share of intervals that hold the true difference.

    Returns:
        Lower and upper ends `[S, S]`. With fewer than 15 cases intervals of skewed or mostly tied differences cover less than
        they say: with 10 cases 89 to 95 % instead of 95 %. A pair with fewer than two cases has no interval; one without any
        difference has [0, 0].
    """
    from scipy.special import stdtrit  # noqa: PLC0415 - scipy is slow to import

    share("level", level)
    pairs = Pairs(as_scores(values))
    moment, cases = moments(pairs), pairs.cases
    enough = cases >= FEWEST_FOR_A_VARIANCE
    shape = _shape(pairs, moment)
    n = np.maximum(cases, FEWEST_FOR_A_VARIANCE).astype(np.float64)
    t = stdtrit(n - 1, (1 + level) / 2) / np.sqrt(n)
    below, above = (np.maximum(t, sign * _bent(sign * t, shape.skewness, n)) for sign in (1.0, -1.0))
    low, high = moment.mean - moment.deviation * below, moment.mean + moment.deviation * above
    even = shape.even
    wins, losses = shape.wins[even], shape.losses[even]
    low[even] = shape.size[even] * lower_end(wins, losses, cases[even], level)
    high[even] = -shape.size[even] * lower_end(losses, wins, cases[even], level)
    low[~enough], high[~enough] = np.nan, np.nan
    note = join_remarks(
        count_pairs(even & enough, len(pairs), "all differences are of one size, interval of shares of wins and losses"),
        count_pairs(
            enough & (cases < FEWEST_FOR_THE_LEVEL),
            len(pairs),
            f"fewer than {FEWEST_FOR_THE_LEVEL} cases, intervals of skewed differences are too short",
        ),
        count_pairs(~enough, len(pairs), "fewer than two cases on which both have a score, no interval"),
    )
    ends = pairs.table(low, -high, 0.0), pairs.table(high, -low, 0.0)
    return Intervals("t, corrected for skewness", *ends, level, pairs.counts(), note)


def _bent(y: Numbers, skewness: Numbers, n: Numbers) -> Numbers:
    """Hall's cubic transformation of the studentized mean, inverted at y; both are without the square root of n."""
    known = np.where(np.abs(skewness) < _STRAIGHT, 1.0, skewness)
    bent = 3.0 / known * (np.cbrt(1.0 + known * (y - known / (6.0 * n))) - 1.0)
    return np.where(np.abs(skewness) < _STRAIGHT, y, bent)


@dataclass(frozen=True, eq=False)
class _Shape:
    """How the differences of each pair are distributed."""

    skewness: Numbers
    """The third standardised moment; 0 where differences do not vary."""
    even: NDArray[np.bool_]
    """Whether there are differences, and all that are not 0 have the same size."""
    size: Numbers
    """The largest absolute difference."""
    wins: NDArray[np.int64]
    """The cases that a wins, where differences are of one size."""
    losses: NDArray[np.int64]
    """The cases that b wins, where differences are of one size."""


def _shape(pairs: Pairs, moment: Moments) -> _Shape:
    skewness, size = np.zeros(len(pairs)), np.zeros(len(pairs))
    even = np.zeros(len(pairs), dtype=bool)
    wins, losses = np.zeros((2, len(pairs)), dtype=np.int64)
    for some, differences in pairs.blocks():
        missing = pairs.missing(differences)
        varied = moment.deviation[some] > 0
        z = differences - moment.mean[some, None]
        z[missing] = differences[missing] = 0.0
        z /= np.where(varied, moment.deviation[some], 1.0)[:, None]
        n = np.maximum(pairs.cases[some], FEWEST_FOR_A_VARIANCE)
        skewness[some] = np.where(varied, np.einsum("ij,ij->i", z * z, z) / n * (n / (n - 1)) ** 1.5, 0.0)
        size[some] = farthest(differences)
        rows = np.flatnonzero((size[some] > SAME * pairs.scale[some]) & (pairs.cases[some] > 0))
        for width in (_LOOK, differences.shape[1]):
            rows = rows[_of_one_size(differences[rows, :width], size[some][rows], pairs.scale[some][rows])]
        at = some.start + rows
        even[at] = True
        wins[at] = np.count_nonzero(differences[rows] > size[at, None] / 2, axis=1)
        losses[at] = np.count_nonzero(differences[rows] < -size[at, None] / 2, axis=1)
    return _Shape(skewness, even, size, wins, losses)


def _of_one_size(differences: Numbers, size: Numbers, scale: Numbers) -> NDArray[np.bool_]:
    """Whether every difference is 0 or as large as the largest, but for rounding."""
    absolute = np.abs(differences)
    away = np.minimum(absolute, size[:, None] - absolute).max(axis=1, initial=0.0)
    return np.asarray(away <= SAME * scale)
