"""How large the differences of all pairs of systems are, and how certain that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Moments, Pairs, win_counts
from plumbline.comparison.significance.registry import RESAMPLES
from plumbline.comparison.significance.resampling import drawn_weights, draws, units
from plumbline.comparison.significance.result import at_least, count_pairs, join_remarks, share
from plumbline.lazily import special
from plumbline.render.saving import saveable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_NORMAL: Final = NormalDist()


@dataclass(frozen=True, eq=False)
class Effects:
    """Sizes of the differences, tables `[S, S]` with a in rows and b in columns, positive where a is better."""

    mean_difference: NDArray[np.float64]
    """The mean over the common cases of a - b."""
    cohen: NDArray[np.float64]
    """Cohen's d_z: the mean difference in units of the differences' standard deviation."""
    hedges: NDArray[np.float64]
    """Hedges' g_z: d_z without its bias in small samples; NaN with fewer than three cases."""
    won: NDArray[np.float64]
    """Share of the common cases on which a has the higher score; the other side of the table has the share lost."""
    tied: NDArray[np.float64]
    """Share of the common cases on which both agree to 12 significant digits."""
    cases: NDArray[np.int64]
    """How many cases both have."""
    note: str

    @property
    def lost(self) -> NDArray[np.float64]:
        """Share of the common cases on which b has the higher score."""
        return self.won.T


@saveable
@dataclass(frozen=True, eq=False)
class Intervals:
    """Confidence intervals of the mean difference of all pairs, `[S, S]`, a - b."""

    name: str
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float
    cases: NDArray[np.int64]
    note: str
    resamples: int | None = None
    seed: int | None = None

    def at_level(self, level: float, middle: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The ends at another level, from the middles: half-widths grow as those of a normal distribution."""
        if level == self.level:
            return self.low, self.high
        wider = _NORMAL.inv_cdf((1 + level) / 2) / _NORMAL.inv_cdf((1 + self.level) / 2)
        return middle + wider * (self.low - middle), middle + wider * (self.high - middle)

    def within(self, largest: float) -> Intervals:
        """The same without the differences that no two scores can have."""
        return replace(self, low=np.clip(self.low, -largest, largest), high=np.clip(self.high, -largest, largest))


@dataclass(frozen=True, eq=False)
class Sizes:
    """The two effect sizes that verdicts and tables need, `[S, S]`, positive where a is better."""

    mean_difference: NDArray[np.float64]
    """The mean over the common cases of a - b."""
    cohen: NDArray[np.float64]
    """Cohen's d_z."""


def sizes(values: ArrayLike | Pairs) -> Sizes:
    """The mean difference and d_z of all pairs, each on the cases that both have, as in `effects`."""
    pairs = Pairs.of(values)
    moment = pairs.moments
    cohen = _cohen(moment, pairs.cases >= FEWEST_FOR_A_VARIANCE)
    return Sizes(pairs.antisymmetric(moment.mean), pairs.antisymmetric(cohen))


def _cohen(moment: Moments, enough: NDArray[np.bool_]) -> NDArray[np.float64]:
    """D_z of each pair; 0 or infinite where all differences are equal, NaN with fewer than two cases."""
    cohen = np.full(len(enough), np.nan)
    np.divide(moment.mean, moment.deviation, out=cohen, where=enough & (moment.deviation > 0))
    constant = enough & (moment.deviation == 0)
    cohen[constant] = np.where(moment.mean[constant] == 0, 0.0, np.copysign(np.inf, moment.mean[constant]))
    return cohen


def effects(values: ArrayLike) -> Effects:
    """Effect sizes of all pairs, each on the cases that both have.

    If all differences of a pair are equal, d_z and g_z are 0 if they are 0 and infinite otherwise.
    """
    pairs = Pairs.of(values)
    moment, cases = pairs.moments, pairs.cases
    enough, constant = cases >= FEWEST_FOR_A_VARIANCE, (cases >= FEWEST_FOR_A_VARIANCE) & (moment.deviation == 0)
    cohen = _cohen(moment, enough)
    freedom = np.maximum(cases - 1, 2) / 2
    shrinking = np.exp(special.gammaln(freedom) - special.gammaln(freedom - 0.5)) / np.sqrt(freedom)
    hedges = np.where(cases > FEWEST_FOR_A_VARIANCE, cohen * shrinking, np.nan)
    won, lost = win_counts(pairs)
    tied = cases - won - lost
    shares = [np.divide(count, cases, out=np.full(len(pairs), np.nan), where=cases > 0) for count in (won, lost, tied)]
    note = join_remarks(
        count_pairs(constant & (moment.mean != 0), len(pairs), "every case differs by the same amount, d_z is infinite"),
        count_pairs(~enough, len(pairs), "fewer than two cases on which both have a score, no d_z"),
    )
    return Effects(
        pairs.antisymmetric(moment.mean),
        pairs.antisymmetric(cohen),
        pairs.antisymmetric(hedges),
        pairs.table(shares[0], shares[1], 0.0),
        pairs.symmetric(shares[2]),
        pairs.counts(),
        note,
    )


def t_intervals(values: ArrayLike, *, level: float = 0.95) -> Intervals:
    """Confidence intervals of the mean differences by the t distribution; a point if all differences are equal."""
    share("level", level)
    pairs = Pairs.of(values)
    moment, cases = pairs.moments, pairs.cases
    enough = cases >= FEWEST_FOR_A_VARIANCE
    at = special.stdtrit(np.maximum(cases - 1, 1), (1 + level) / 2)
    half = np.where(enough, at * moment.deviation / np.sqrt(np.maximum(cases, 1)), np.nan)
    low, high = moment.mean - half, moment.mean + half
    note = count_pairs(~enough, len(pairs), "fewer than two cases on which both have a score, no interval")
    return Intervals("t", pairs.table(low, -high, 0.0), pairs.table(high, -low, 0.0), level, pairs.counts(), note)


def bootstrap_intervals(values: ArrayLike, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0) -> Intervals:
    """Percentile bootstrap intervals of the mean differences: cases are drawn with replacement, the same for all pairs.

    If a pair lacks cases, the draw is made from all and the pair uses those that it has; draws without any of them are left
    out. A pair with fewer than two cases has no interval.
    """
    share("level", level)
    at_least("resamples", resamples, 1)
    pairs = Pairs.of(values)
    systems, cases = pairs.values.shape
    low, high = np.full((systems, systems), np.nan), np.full((systems, systems), np.nan)
    ends = ((1 - level) / 2, (1 + level) / 2)
    for unit in units(pairs, centred=False):
        drawn = draws(drawn_weights, cases, systems, resamples, seed)
        means = np.concatenate([unit.project(weights, weighted=True) for weights in drawn], axis=1)
        for some, differences in unit.differences(means):
            a, b = unit.a[some], unit.b[some]
            low[a, b], high[a, b] = quantiles(differences, ends)
            low[b, a], high[b, a] = -high[a, b], -low[a, b]
    few = pairs.cases < FEWEST_FOR_A_VARIANCE
    for end in (low, high):
        end[pairs.a[few], pairs.b[few]] = end[pairs.b[few], pairs.a[few]] = np.nan
        np.fill_diagonal(end, 0.0)
    note = join_remarks(
        f"{resamples} draws (seed {seed}), the same for all pairs",
        count_pairs(few, len(pairs), "fewer than two cases on which both have a score, no interval"),
    )
    return Intervals("percentile bootstrap", low, high, level, pairs.counts(), note, resamples, seed)


def quantiles(differences: NDArray[np.float64], ends: tuple[float, float]) -> NDArray[np.float64]:
    """Both ends for each row; draws without a mean are left out."""
    if not np.isnan(differences).any():
        return np.asarray(np.quantile(differences, ends, axis=1))
    out = np.full((2, len(differences)), np.nan)
    some = ~np.isnan(differences).all(axis=1)
    out[:, some] = np.nanquantile(differences[some], ends, axis=1)
    return out
