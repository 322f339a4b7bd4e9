"""Of all weightings of the metrics, how many does each system win?

A weighting gives every metric a weight of 0 or more, together 1; all weightings are equally probable. With two metrics the
shares are lengths of intervals of alpha and exact; with more they are counted over weightings drawn uniformly from the simplex,
with a seed. The mean of the metrics is taken on every case and then averaged; zeros, undefined values and signs as in `blends`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.average import SAME
from plumbline.comparison.shared import shared_cases
from plumbline.comparison.weighting.blends import Mean, defined, fit
from plumbline.comparison.weighting.roots import NOISE
from plumbline.comparison.weighting.weighting import win_intervals
from plumbline.errors import BadUsage, usage
from plumbline.large import known_values, largest_of_rows, made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.weighting.blends import Flags, Numbers, Rows
    from plumbline.comparison.weighting.weighting import WinIntervals

SAMPLES: Final = 4096
FEWEST_SAMPLES: Final = 256
MOST_SCORES: Final = 2**28
"""Scores of systems on cases that weightings are applied to, about: with more scores fewer weightings are drawn."""


@dataclass(frozen=True, eq=False)
class Shares:
    """The share of weightings that each system, and each system of a pair, wins."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    mean: Mean
    best: Numbers
    """For each system: the share of weightings by which no other system beats it; not a number without any case."""
    alone: Numbers
    """For each system: the same without the weightings by which another one is as good."""
    pairs: Numbers
    """The share of weightings by which a beats b, `[a, b]`; not a number where the two share no case."""
    cases: NDArray[np.int64]
    """Cases on which both are defined, `[a, b]`."""
    left_out: NDArray[np.int64]
    """Cases that were left out, `[a, b]`."""
    samples: int
    """How many weightings were drawn; 0: the shares are exact."""
    seed: int | None

    @cached_property
    def error(self) -> Numbers:
        """The standard error of `best`. A share of 0 or 1 has none: then 3 / samples is a bound of 95 %."""
        return self._error(self.best)

    @cached_property
    def pair_error(self) -> Numbers:
        """The standard error of `pairs`, `[a, b]`."""
        return self._error(self.pairs)

    def _error(self, shares: Numbers) -> Numbers:
        return np.asarray(np.sqrt(shares * (1 - shares) / self.samples) if self.samples else 0.0 * shares)

    def table(self) -> pl.DataFrame:
        """A row for each system."""
        frame = pl.DataFrame(
            {"system": list(self.systems), "best": self.best, "alone": self.alone, "error": self.error},
            schema_overrides={"system": pl.String},
        )
        return frame.with_columns(pl.col("best", "alone", "error").fill_nan(None))


def weightings(cube: Cube, mean: Mean = "harmonic", *, samples: int | None = None, seed: int = 0) -> Shares:
    """The share of weightings that each system wins: exact for one or two metrics, else from `samples` weightings.

    Unless their number is given it is 4,096, and less for very many scores.
    """
    fit(cube, mean)
    if samples is None:
        scores = max(1, len(cube.systems) * max(len(cube.cases), len(cube.systems)))
        samples = max(FEWEST_SAMPLES, min(SAMPLES, MOST_SCORES // scores))
    if samples < 1:
        raise BadUsage(usage.bad_parameter("weightings", "samples", str(samples), "1 or more"))
    if len(cube.metrics) == 2:  # noqa: PLR2004 - an interval
        return exact_shares(win_intervals(cube, mean))
    several = len(cube.metrics) > 1
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(cube.metrics)), samples) if several else np.ones((1, 1))
    _, known = defined(cube, mean)
    present = known.astype(np.float64)
    cases = np.asarray(np.rint(present @ present.T), dtype=np.int64)
    counts, best, alone = np.zeros(cases.shape), np.zeros(len(cases)), np.zeros(len(cases))
    lone = cases.diagonal() == 0
    free = lone[:, None] | lone | np.eye(len(cases), dtype=np.bool_)
    for differences, noise in _differences(cube, mean, weights, cases):
        beaten = differences > noise
        counts += beaten
        with_all = free | (differences >= -noise)
        best += with_all.all(axis=1)
        alone += (free | beaten).all(axis=1)
    best, alone = (np.where(lone, np.nan, number / len(weights)) for number in (best, alone))
    pairs = np.where(cases > 0, counts / len(weights), np.nan)
    left_out = len(cube.cases) - cases
    drawn = (samples, seed) if several else (0, None)
    return Shares(cube.systems, cube.metrics, mean, best, alone, pairs, cases, left_out, *drawn)


def means_by_weighting(cube: Cube, mean: Mean = "harmonic", *, seed: int = 0) -> Numbers:
    """The mean of each system, `[weighting, system]`, for systems that all have the same cases."""
    fit(cube, mean)
    samples = max(FEWEST_SAMPLES, min(SAMPLES, MOST_SCORES // max(1, cube.known.size)))
    several = len(cube.metrics) > 1
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(cube.metrics)), samples) if several else np.ones((1, 1))
    return np.array(list(_means(cube, mean, weights)))


def best_shares(cube: Cube, means: Numbers, mean: Mean = "harmonic", *, seed: int = 0) -> Shares:
    """The share of weightings by which each system is the best, by the means of `means_by_weighting`; pairs are unknown.

    Without the pairs, thousands of systems take no longer than their scores.
    """
    near = means >= means.max(axis=1, keepdims=True) - NOISE * np.abs(means).max(axis=1, keepdims=True)
    best, alone = near.mean(axis=0), (near & (near.sum(axis=1, keepdims=True) == 1)).mean(axis=0)
    cases = np.full((len(best),) * 2, len(cube.cases), dtype=np.int64)
    drawn = (len(means), seed) if len(cube.metrics) > 1 else (0, None)
    return Shares(cube.systems, cube.metrics, mean, best, alone, np.full(cases.shape, np.nan), cases, 0 * cases, *drawn)


def shares_by_weighting(means: Numbers, a: Rows, b: Rows) -> Numbers:
    """The share of weightings by which each system of `a` beats the one of `b`, by the means of `means_by_weighting`."""
    first, second = means[:, a], means[:, b]
    return np.asarray((first - second > NOISE * np.maximum(np.abs(first), np.abs(second))).mean(axis=0))


def _means(cube: Cube, mean: Mean, weights: Numbers) -> Iterator[Numbers]:
    """For each weighting the mean of every system."""
    if mean == "arithmetic":
        yield from weights @ cube.signed.mean(axis=2)
        return
    zero, _ = defined(cube, mean)
    inverse = mean == "harmonic"
    with np.errstate(over="ignore"):
        pieces = [np.where(zero, 1.0, values) for values in cube.values]
        turned = np.array([1.0 / piece if inverse else np.log(piece) for piece in pieces]).reshape(len(pieces), -1)
    for weighting in weights:
        yield _turned_back(weighting @ turned, ~zero, inverse=inverse).mean(axis=1)


def opposed(cube: Cube) -> Flags:
    """Whether b beats a by a metric alone, `[metric, a, b]`: in the mean over the cases on which both have it."""
    return np.array([_opposing(values) for values in cube.signed]).reshape(-1, *(len(cube.systems),) * 2)


def _opposing(values: Numbers) -> Flags:
    known = known_values(values)
    filled = made(values.shape, lambda rows: np.nan_to_num(values[rows]))
    if known.all():
        sums = np.repeat(filled.sum(axis=1)[:, None], len(values), axis=1)
    else:
        sums = filled @ made(known.shape, lambda rows: known[rows].astype(np.float64)).T
    size = largest_of_rows(values)
    return np.asarray(sums.T - sums > SAME * np.maximum(size[:, None], size) * shared_cases(known))


def exact_shares(held: WinIntervals) -> Shares:
    """The shares of two metrics, as lengths of the intervals of alpha that were found."""
    crossings, best = held.crossings, held.leads.share
    doubled = (crossings.same & ~np.eye(len(best), dtype=np.bool_)).any(axis=1)
    alone = np.where(doubled & ~np.isnan(best), 0.0, best)
    return Shares(
        systems=crossings.systems,
        metrics=crossings.metrics,
        mean=crossings.mean,
        best=best,
        alone=alone,
        pairs=held.share,
        cases=crossings.cases,
        left_out=crossings.left_out,
        samples=0,
        seed=None,
    )


def _differences(cube: Cube, mean: Mean, weights: Numbers, cases: NDArray[np.int64]) -> Iterator[tuple[Numbers, Numbers]]:
    """For each weighting the mean of a - b over shared cases, not a number where there is none, and what is rounding in it."""
    zero, known = defined(cube, mean)
    over = known.T.astype(np.float64)
    if mean == "arithmetic":
        parts = np.where(known, cube.signed, 0.0)
        sums, sizes = parts @ over, np.abs(parts) @ over
        gaps = (sums - sums.transpose(0, 2, 1)).reshape(len(parts), -1)
        noise = NOISE * _through(np.maximum(sizes, sizes.transpose(0, 2, 1)).max(axis=0), cases)
        for weighting in weights:
            yield _through((weighting @ gaps).reshape(cases.shape), cases), noise
        return
    usable = known & ~zero
    inverse = mean == "harmonic"
    with np.errstate(over="ignore"):
        pieces = [np.where(usable, values, 1.0) for values in cube.values]
        turned = np.array([1.0 / piece if inverse else np.log(piece) for piece in pieces]).reshape(len(pieces), -1)
    for weighting in weights:
        yield _compared(_turned_back(weighting @ turned, usable, inverse=inverse), over, cases)


def _turned_back(mixed: Numbers, usable: Flags, *, inverse: bool) -> Numbers:
    mixed = mixed.reshape(usable.shape)
    return np.where(usable, 1.0 / mixed if inverse else np.exp(mixed), 0.0)


def _compared(values: Numbers, over: Numbers, cases: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """Differences of means of values of 0 and more."""
    if over.all() and over.size:
        means = values.mean(axis=1)
        return means[:, None] - means, NOISE * np.maximum(means[:, None], means)
    sums = values @ over
    return _through(sums - sums.T, cases), NOISE * _through(np.maximum(sums, sums.T), cases)


def _through(sums: Numbers, cases: NDArray[np.int64]) -> Numbers:
    return np.asarray(np.divide(sums, cases, out=np.full(sums.shape, np.nan), where=cases > 0))
