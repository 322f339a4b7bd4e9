"""From values of sessions to a preference with its interval and its p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.scoring import Margins

_AT_ONCE: Final = 4_000_000


@dataclass(frozen=True)
class Evidence:
    """How far the first of two systems is preferred, from -1 to 1, and how certain that is."""

    preference: float
    low: float
    high: float
    p: float


def evidence(
    margins: Margins,
    units: NDArray[np.int64],
    *,
    by_credit: bool,
    alone: bool,
    confidence: float,
    resamples: int,
    rng: Generator,
) -> Evidence:
    """The mean of win minus loss, or the balance of credit; units are drawn with replacement for the interval.

    Args:
        margins: The value of each session.
        units: The user or session that each value belongs to, as numbers from 0.
        by_credit: Whether values are credits, whose sum is divided by the sum of their sizes.
        alone: Whether each session is a unit of its own.
        confidence: The confidence level of the interval.
        resamples: How often units are drawn.
        rng: Where the draws come from.
    """
    size = np.abs(margins.value) if by_credit else np.ones(len(margins.value))
    ahead: NDArray[np.float64] = np.bincount(units, margins.value).astype(np.float64)
    total: NDArray[np.float64] = np.bincount(units, size).astype(np.float64)
    rows, times = np.unique(np.stack([ahead, total], axis=1), axis=0, return_counts=True)
    everything = total.sum()
    if everything == 0:
        return Evidence(0.0, 0.0, 0.0, 1.0)
    drawn = _resampled(rows, times, resamples, rng)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    plain = alone and bool(np.isin(margins.value, (-1.0, 0.0, 1.0)).all())
    p = sign_test(margins) if plain else sign_flips(ahead, resamples, rng)
    return Evidence(float(ahead.sum() / everything), float(low), float(high), p)


def _resampled(rows: NDArray[np.float64], times: NDArray[np.int64], resamples: int, rng: Generator) -> NDArray[np.float64]:
    """The balance of each resample; units with the same values are drawn together."""
    share, units = times / times.sum(), int(times.sum())
    step = max(_AT_ONCE // len(rows), 1)
    sums = [rng.multinomial(units, share, size=min(step, resamples - begin)) @ rows for begin in range(0, resamples, step)]
    ahead, total = np.concatenate(sums).T
    return np.asarray(np.divide(ahead, total, out=np.zeros_like(ahead), where=total > 0))


def sign_test(margins: Margins) -> float:
    """The exact two-sided p of wins and losses, if both are equally likely; ties say nothing."""
    wins, losses = int(margins.win.sum()), int(margins.loss.sum())
    return min(1.0, 2 * float(special.bdtr(min(wins, losses), wins + losses, 0.5)))


def sign_flips(ahead: NDArray[np.float64], resamples: int, rng: Generator) -> float:
    """The share of random signs of the units that put one system as far ahead; equal sizes are drawn together."""
    sizes, times = np.unique(np.abs(ahead[ahead != 0]), return_counts=True)
    observed = abs(float(ahead.sum()))
    step = max(_AT_ONCE // max(len(sizes), 1), 1)
    reached = 0
    for begin in range(0, resamples, step):
        plus = rng.binomial(times, 0.5, size=(min(step, resamples - begin), len(times)))
        reached += int((np.abs((2 * plus - times) @ sizes) >= observed * (1 - 1e-12)).sum())
    return (1 + reached) / (1 + resamples)
