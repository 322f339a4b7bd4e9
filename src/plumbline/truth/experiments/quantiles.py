"""Differences of quantiles by bootstrap over units.

A quantile of a sample drawn with replacement is one of the values, and its place follows a beta distribution. So a draw takes
one number instead of a new sample: drawing the places from it is the bootstrap, whatever the number of units.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.experiments.effect import TWO, Effect

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


def quantile_effect(
    control: Numbers, arm: Numbers, share: float, *, level: float, resamples: int, seed: int, margin: float | None
) -> Effect:
    """The difference of a quantile of both arms, its percentile interval, and p by the draws on the other side of 0."""
    method = f"bootstrap of {resamples:,} draws"
    values = [quantile(np.sort(some), share) if len(some) else float("nan") for some in (control, arm)]
    if min(len(control), len(arm)) < TWO:
        reason = "an arm has fewer than two units with a value"
        return Effect(values[0], values[1], len(control), len(arm), method=method, reason=reason)
    rng = np.random.default_rng(seed)
    drawn = [draws(np.sort(some), share, resamples, rng) for some in (control, arm)]
    differences = drawn[1] - drawn[0]
    low, high = np.quantile(differences, [level / 2, 1 - level / 2]).tolist()
    relative_low = relative_high = float("nan")
    if values[0] > 0 and (drawn[0] > 0).all():
        relative_low, relative_high = np.quantile(drawn[1] / drawn[0] - 1, [level / 2, 1 - level / 2]).tolist()
    within = float("nan") if margin is None else max(_share(differences >= margin), _share(differences <= -margin))
    return Effect(
        values[0],
        values[1],
        len(control),
        len(arm),
        low,
        high,
        relative_low,
        relative_high,
        p=min(1.0, 2 * min(_share(differences <= 0), _share(differences >= 0))),
        within=within,
        error=float(differences.std(ddof=1)),
        method=method,
    )


def quantile(ordered: Numbers, share: float) -> float:
    """The smallest value that at least this share of values does not exceed."""
    return float(ordered[_place(len(ordered), share) - 1])


def draws(ordered: Numbers, share: float, resamples: int, rng: Generator) -> Numbers:
    """The quantile of so many samples drawn with replacement."""
    n, place = len(ordered), _place(len(ordered), share)
    uniform = rng.beta(place, n - place + 1, size=resamples)
    return np.asarray(ordered[np.minimum((uniform * n).astype(np.int64), n - 1)])


def _place(n: int, share: float) -> int:
    return max(ceil(n * share - 1e-9), 1)


def _share(flags: NDArray[np.bool_]) -> float:
    """The share of draws, never 0: the observed sample counts as one of them."""
    return (int(flags.sum()) + 1) / (len(flags) + 1)
