"""Confidence intervals of mean differences that keep their level on skewed, tied, bounded and heavy-tailed differences.

Chosen by simulation among t, percentile, BCa and studentized bootstrap, and the corrections for skewness of Johnson and of
Hall (`reproductions/interval_methods.py`). t is right if tails are heavy on both sides, and misses on the side of the longer
tail if there is one; the studentized bootstrap and Hall's correction are the other way round. So each end is the further one of
t and of Hall, but no further than 2.5 times that of t. Differences of one size, as those of success or failure, are shares of
wins and losses, and have their interval; if a single case differs, nothing tells of which size others are, and the further
one of both ends is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.effects import Intervals
from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Pairs
from plumbline.comparison.significance.proportions import lower_end
from plumbline.comparison.significance.result import count_pairs, join_remarks, share
from plumbline.comparison.significance.shape import corrected_end, shape_of
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

FEWEST_FOR_THE_LEVEL: Final = 10
"""From this number of cases on, 95 % covers 93 to 97 % in the simulation, whether tails are long or differences tied."""


def mean_intervals(values: ArrayLike | Pairs, level: float = 0.95) -> Intervals:
    """Confidence intervals of the mean differences of all pairs, each on the cases that both have.

    Args:
        values: Scores `[system, case]`, NaN where there is none.
        level: The share of intervals that hold the true difference.

    Returns:
        Lower and upper ends `[S, S]`. With fewer than 10 cases intervals of skewed or mostly tied differences may cover less
        than they say. A pair with fewer than two cases has no interval; one without any difference has [0, 0].
    """
    share("level", level)
    pairs = Pairs.of(values)
    moment, cases = pairs.moments, pairs.cases
    enough = cases >= FEWEST_FOR_A_VARIANCE
    shape = shape_of(pairs, moment)
    n = np.maximum(cases, FEWEST_FOR_A_VARIANCE).astype(np.float64)
    t = special.stdtrit(n - 1, (1 + level) / 2) / np.sqrt(n)
    below, above = (corrected_end(t, sign * shape.skewness, n) for sign in (1.0, -1.0))
    with np.errstate(over="ignore"):  # an end beyond the largest number of the machine is infinite
        low, high = moment.mean - moment.deviation * below, moment.mean + moment.deviation * above
    even = shape.even
    wins, losses = shape.wins[even], shape.losses[even]
    single = shape.single[even]
    for end, won, lost, sign, further in ((low, wins, losses, 1, np.minimum), (high, losses, wins, -1, np.maximum)):
        bound = sign * shape.size[even] * lower_end(won, lost, cases[even], level)
        end[even] = np.where(single, further(end[even], bound), bound)
    low[~enough], high[~enough] = np.nan, np.nan
    note = join_remarks(
        count_pairs(even & enough, len(pairs), "all differences are of one size, interval of shares of wins and losses"),
        count_pairs(
            enough & (cases < FEWEST_FOR_THE_LEVEL),
            len(pairs),
            f"fewer than {FEWEST_FOR_THE_LEVEL} cases, intervals of skewed differences may be too short",
        ),
        count_pairs(~enough, len(pairs), "fewer than two cases on which both have a score, no interval"),
    )
    ends = pairs.table(low, -high, 0.0), pairs.table(high, -low, 0.0)
    return Intervals("t, corrected for skewness", *ends, level, pairs.counts(), note)
