"""Which system is better for which weight: curves of F over alpha, where they cross, who leads where.

F is computed on every case and then averaged (Amigó et al. 2011, section 3.4), never from averaged precision and recall. The
same is there for the weighted arithmetic and geometric means. `blends` says what happens with zeros, undefined values and
metrics of other kinds.

Pairs are compared on the cases on which both are defined, and the numbers of these and of the others are kept. Crossings,
touches and intervals are about alpha strictly between 0 and 1. The verdict "for every alpha" (`WinIntervals.always`) also looks
at 0 and 1, where the metric with all the weight is compared alone, on the cases on which both systems have it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.cube import Cube
from plumbline.comparison.weighting.blends import SPOKEN, Mean, blend
from plumbline.comparison.weighting.crossings import Crossings, crossings
from plumbline.comparison.weighting.roots import CLOSE
from plumbline.errors import BadUsage, usage
from plumbline.large import portions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.weighting.blends import Flags, Numbers, Rows

__all__ = ["Crossings", "Curves", "Leads", "WinIntervals", "crossings", "f_curves", "leads", "win_intervals"]

SHORTEST: Final = 100 * CLOSE
"""A lead over a shorter stretch of alphas is a meeting of three curves in one point."""


@dataclass(frozen=True, eq=False)
class Curves:
    """The mean over cases of the weighted mean of two metrics, for every system and some alphas."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    mean: Mean
    alphas: Numbers
    values: Numbers
    """`[system, alpha]`; not a number where no case is defined."""
    cases: NDArray[np.int64]
    """How many cases are in the mean, `[system, alpha]`: at 0 and 1 the cases that the other metric has."""
    left_out: NDArray[np.int64]
    """How many cases are not, `[system, alpha]`."""

    def table(self) -> pl.DataFrame:
        """A row for each system and alpha."""
        systems, alphas = len(self.systems), len(self.alphas)
        return pl.DataFrame(
            {
                "system": np.repeat(np.array(self.systems, dtype=object), alphas).tolist(),
                "alpha": np.tile(self.alphas, systems),
                "value": self.values.ravel(),
                "cases": self.cases.ravel(),
                "left_out": self.left_out.ravel(),
            },
            schema_overrides={"system": pl.String},
        ).with_columns(pl.col("value").fill_nan(None))


def f_curves(cube: Cube, alphas: Sequence[float] | Numbers, mean: Mean = "harmonic") -> Curves:
    """The mean over cases of F (or of another mean) at each alpha; every system has the mean over its own defined cases."""
    curves = blend(cube, mean)
    at = np.atleast_1d(np.asarray(alphas, dtype=np.float64))
    outside = at[~((at >= 0) & (at <= 1))]
    if len(outside):
        raise BadUsage(usage.bad_parameter(SPOKEN[mean], "alpha", f"{outside[0]:g}", "between 0 and 1"))
    values, cases = np.empty((len(cube.systems), len(at))), np.empty((len(cube.systems), len(at)), np.int64)
    for rows in portions(curves.known.shape):
        for column, alpha in enumerate(at.tolist()):
            alone = alpha in (0.0, 1.0)
            part = cube.signed[0 if alpha else 1][rows] if alone else curves.values(alpha, 0, rows)
            known = ~np.isnan(part) if alone else curves.known[rows]
            cases[rows, column] = known.sum(axis=1)
            values[rows, column] = np.where(known, part, 0.0).sum(axis=1)
    values = np.divide(values, cases, out=np.full(values.shape, np.nan), where=cases > 0)
    return Curves(cube.systems, cube.metrics, mean, at, values, cases, len(cube.cases) - cases)


@dataclass(frozen=True, eq=False)
class WinIntervals:
    """For which alphas a beats b; `a` and `b` are numbers of systems, and both orders of a pair are there."""

    crossings: Crossings
    a: Rows
    b: Rows
    low: Numbers
    high: Numbers
    """a beats b for alpha between low and high (in the mean over shared cases; a touch does not end the interval)."""

    @cached_property
    def share(self) -> Numbers:
        """The share of alphas for which a beats b, `[a, b]`: exact; not a number where the two share no case."""
        shares = np.where(self.crossings.cases > 0, 0.0, np.nan)
        np.add.at(shares, (self.a, self.b), self.high - self.low)
        return np.minimum(shares, 1.0)

    @cached_property
    def inside(self) -> Flags:
        """Whether a is never below b for alpha strictly between 0 and 1, and not the same, `[a, b]`."""
        everywhere = np.zeros(self.crossings.cases.shape, np.bool_)
        rows = (self.low == 0.0) & (self.high == 1.0)
        everywhere[self.a[rows], self.b[rows]] = True
        return everywhere

    @cached_property
    def always(self) -> Flags:
        """Whether the same is true at alpha = 0 and 1 as well: a beats b for every alpha, `[a, b]`.

        The ends can only contradict where a part is 0 or undefined: a part of weight 0 has no say.
        """
        return np.asarray(self.inside & (self.crossings.ends >= 0).all(axis=0))

    @cached_property
    def leads(self) -> Leads:
        """The intervals of alpha in which each system is best."""
        return leads(self)

    def table(self) -> pl.DataFrame:
        """A row for each interval."""
        names = self.crossings.systems
        return pl.DataFrame(
            {
                "a": [names[row] for row in self.a.tolist()],
                "b": [names[row] for row in self.b.tolist()],
                "low": self.low,
                "high": self.high,
                "always": self.always[self.a, self.b],
                "cases": self.crossings.cases[self.a, self.b],
            },
            schema_overrides={"a": pl.String, "b": pl.String},
        )


def win_intervals(cube: Cube | Crossings, mean: Mean = "harmonic") -> WinIntervals:
    """For each ordered pair the intervals of alpha in which the first beats the second."""
    crossed = crossings(cube, mean) if isinstance(cube, Cube) else cube
    a, b = np.nonzero(np.triu(crossed.start != 0))
    count = len(crossed.systems)
    number = np.zeros((count, count), np.intp)
    number[a, b] = np.arange(len(a))
    cuts = np.bincount(number[crossed.a, crossed.b], minlength=len(a))
    last = np.cumsum(cuts + 1) - 1
    first = last - cuts
    low, high = np.zeros(last[-1] + 1 if len(last) else 0), np.ones(last[-1] + 1 if len(last) else 0)
    inner = np.ones(len(low), np.bool_)
    inner[first] = False
    low[inner] = crossed.alpha
    inner[first], inner[last] = True, False
    high[inner] = crossed.alpha
    pair = np.repeat(np.arange(len(a)), cuts + 1)
    flipped = (np.arange(len(pair)) - first[pair]) % 2 == 1
    leads_a = (crossed.start[a, b][pair] > 0) != flipped
    winner, loser = np.where(leads_a, a[pair], b[pair]), np.where(leads_a, b[pair], a[pair])
    order = np.lexsort((low, loser, winner))
    return WinIntervals(crossed, winner[order], loser[order], low[order], high[order])


@dataclass(frozen=True, eq=False)
class Leads:
    """For which alphas a system is best: no other one beats it on the cases that the two share."""

    systems: tuple[str, ...]
    system: Rows
    low: Numbers
    high: Numbers
    """Systems with the same curve lead together."""
    share: Numbers
    """The share of alphas for which each system leads; not a number for a system without any case."""
    nobody: float
    """The share of alphas without a leader: only where cases are missing and pairs are compared on different ones."""
    left_out: tuple[str, ...]
    """Systems without any defined case; the others are compared without them."""

    def table(self) -> pl.DataFrame:
        """A row for each interval, sorted by alpha."""
        frame = pl.DataFrame(
            {"system": [self.systems[row] for row in self.system.tolist()], "low": self.low, "high": self.high},
            schema_overrides={"system": pl.String},
        )
        return frame.sort("low", "high", maintain_order=True)


def leads(cube: Cube | Crossings | WinIntervals, mean: Mean = "harmonic") -> Leads:
    """The intervals of alpha in which each system is best, alone or together with others."""
    held = cube if isinstance(cube, WinIntervals) else win_intervals(cube, mean)
    cases = held.crossings.cases
    present = np.diag(cases) > 0
    strangers = ((cases == 0) & present & present[:, None]).any(axis=1)
    order = np.lexsort((held.low, held.b))
    bounds = np.searchsorted(held.b[order], np.arange(len(present) + 1))
    rows, lows, highs = [np.empty(0, np.intp)], [np.empty(0)], [np.empty(0)]
    for number in np.flatnonzero(present & ~strangers).tolist():
        lost = order[bounds[number] : bounds[number + 1]]
        low = np.append(0.0, np.maximum.accumulate(held.high[lost]))
        high = np.append(held.low[lost], 1.0)
        free = high - low > SHORTEST
        rows.append(np.full(int(free.sum()), number))
        lows.append(low[free])
        highs.append(high[free])
    system, low, high = np.concatenate(rows), np.concatenate(lows), np.concatenate(highs)
    share = np.where(present, np.bincount(system, weights=high - low, minlength=len(present)), np.nan)
    left_out = tuple(np.array(held.crossings.systems, dtype=object)[~present].tolist())
    return Leads(held.crossings.systems, system, low, high, share, 1.0 - _covered(low, high), left_out)


def _covered(low: Numbers, high: Numbers) -> float:
    """The length of a union of intervals; gaps that are too short to be leads are none."""
    order = np.argsort(low, kind="stable")
    reach = np.append(0.0, np.maximum.accumulate(high[order]))
    gaps = np.append(low[order], 1.0) - reach
    return 1.0 - float(gaps[gaps > SHORTEST].sum())
