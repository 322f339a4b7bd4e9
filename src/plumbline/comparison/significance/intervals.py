"""Confidence intervals of mean differences that keep their level on skewed, tied, bounded and heavy-tailed differences.

Chosen by simulation among t, percentile, BCa and studentized bootstrap, and the corrections for skewness of Johnson and of
Hall (`reproductions/interval_methods.py`). t is right if tails are heavy on both sides, and misses on the side of the longer
tail if there is one; the studentized bootstrap and Hall's correction are the other way round. So each end is that of Hall, but
about as far as that of t at least, and no further than a multiple of it. The fewer cases there are, the wider it is; with fewer
than six there is none, nor where no case differs. Differences of one size, as those of success or failure, are shares of wins
and losses, and have their interval; if a single case differs, nothing tells of which size others are, and the further one of
both ends is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.effects import Intervals
from plumbline.comparison.significance.pairs import Pairs
from plumbline.comparison.significance.proportions import lower_end
from plumbline.comparison.significance.result import count_pairs, join_remarks, share
from plumbline.comparison.significance.shape import FEWEST_FOR_AN_INTERVAL, Limits, corrected_end, shape_of
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def mean_intervals(values: ArrayLike | Pairs, level: float = 0.95) -> Intervals:
    """Confidence intervals of the mean differences of all pairs, each on the cases that both have.

    Args:
        values: Scores `[system, case]`, NaN where there is none.
        level: The share of intervals that hold the true difference.

    Returns:
        Lower and upper ends `[S, S]`. A pair with fewer than six cases has no interval, nor one without any difference.
    """
    share("level", level)
    pairs = Pairs.of(values)
    moment, cases = pairs.moments, pairs.cases
    enough = cases >= FEWEST_FOR_AN_INTERVAL
    shape = shape_of(pairs, moment)
    n = np.maximum(cases, FEWEST_FOR_AN_INTERVAL).astype(np.float64)
    t = special.stdtrit(n - 1, (1 + level) / 2) / np.sqrt(n)
    limits = Limits.of(n, shape.rare)
    below, above = (corrected_end(t, sign * shape.skewness, n, limits) for sign in (1.0, -1.0))
    with np.errstate(over="ignore"):  # an end beyond the largest number of the machine is infinite
        low, high = moment.mean - moment.deviation * below, moment.mean + moment.deviation * above
    even = shape.even
    wins, losses = shape.wins[even], shape.losses[even]
    single = shape.single[even]
    for end, won, lost, sign, further in ((low, wins, losses, 1, np.minimum), (high, losses, wins, -1, np.maximum)):
        bound = sign * shape.size[even] * lower_end(won, lost, cases[even], level)
        end[even] = np.where(single, further(end[even], bound), bound)
    without = ~enough | moment.zero
    low[without], high[without] = np.nan, np.nan
    note = join_remarks(
        count_pairs(even & enough, len(pairs), "all differences are of one size, interval of shares of wins and losses"),
        count_pairs(~enough, len(pairs), f"fewer than {FEWEST_FOR_AN_INTERVAL} cases on which both have a score, no interval"),
        count_pairs(enough & moment.zero, len(pairs), "no case differs, no interval"),
    )
    ends = pairs.table(low, -high, 0.0), pairs.table(high, -low, 0.0)
    return Intervals("t, corrected for skewness", *ends, level, pairs.counts(), note)
