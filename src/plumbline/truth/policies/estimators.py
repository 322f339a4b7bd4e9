"""Estimates of a policy's value from weighted rewards, with intervals by drawing sessions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

MOST_UNITS: Final = 20_000
"""More sessions are put into so many groups at random, and groups are drawn."""


@dataclass(frozen=True, eq=False)
class Weighted:
    """Rewards with the weights of the new policy.

    `weight` and `reward` have a row for each session and a column for each position; single actions have one column. NaN is a
    position that a session does not have. `expected` and `predicted` are what a model says: the reward of the new policy, and
    that of the logged action.
    """

    weight: NDArray[np.float64]
    reward: NDArray[np.float64]
    logged: NDArray[np.float64]
    """What each session earned under the policy that was logged."""
    expected: NDArray[np.float64] | None = None
    predicted: NDArray[np.float64] | None = None
    units: NDArray[np.int64] | None = None
    """The session of each row, where rows are actions and several may belong to one session."""
    normalised: bool = True
    """Whether weights have the mean 1, so that dividing by their sum makes sense."""


@dataclass(frozen=True, eq=False)
class Terms:
    """An estimate as sums over sessions: the sum over columns of Σ above / Σ below, each with a row for each session."""

    above: NDArray[np.float64]
    below: NDArray[np.float64]
    effective: float
    """How many observations of equal weight would be as certain; infinite where nothing is weighed."""
    largest: float = field(default=float("nan"))


def effective_sample(weight: NDArray[np.float64]) -> float:
    """(Σw)² / Σw² of the position at which it is smallest."""
    totals = np.nansum(weight, axis=0)
    squares = np.nansum(weight**2, axis=0)
    sizes = np.divide(totals**2, squares, out=np.zeros_like(totals), where=squares > 0)
    return float(sizes.min()) if len(sizes) else 0.0


def _mean(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A mean over sessions as two sums."""
    return values[:, None], np.ones((len(values), 1))


def ips(data: Weighted, clip: float) -> Terms:
    """The mean of weighted rewards."""
    return Terms(
        *_mean(np.nansum(data.weight * data.reward, axis=1)), effective_sample(data.weight), float(np.nanmax(data.weight))
    )


def snips(data: Weighted, clip: float) -> Terms:
    """Weighted rewards through the sum of weights, position by position."""
    known = ~np.isnan(data.weight)
    share = known.mean(axis=0)
    above = np.where(known, data.weight * data.reward, 0.0) * share
    return Terms(above, np.where(known, data.weight, 0.0), effective_sample(data.weight), float(np.nanmax(data.weight)))


def clipped(data: Weighted, clip: float) -> Terms:
    """The mean of rewards with weights of at most the clip."""
    weight = np.minimum(data.weight, clip)
    return Terms(*_mean(np.nansum(weight * data.reward, axis=1)), effective_sample(weight), float(np.nanmax(weight)))


def direct(data: Weighted, clip: float) -> Terms:
    """The mean reward that the model expects of the new policy; nothing is weighed."""
    assert data.expected is not None  # noqa: S101 - checked before
    return Terms(*_mean(np.nansum(data.expected, axis=1)), float("inf"))


def doubly_robust(data: Weighted, clip: float) -> Terms:
    """What the model expects, and the weighted mistakes that it makes about what was done."""
    assert data.expected is not None  # noqa: S101 - checked before
    assert data.predicted is not None  # noqa: S101 - as above
    corrected = data.expected + data.weight * (data.reward - data.predicted)
    return Terms(*_mean(np.nansum(corrected, axis=1)), effective_sample(data.weight), float(np.nanmax(data.weight)))


ESTIMATORS: Final = {"ips": ips, "snips": snips, "clipped": clipped, "direct": direct, "dr": doubly_robust}
BY_MODEL: Final = ("direct", "dr")


def value(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum over positions of one ratio each; the last axis has the positions."""
    return np.asarray(np.divide(above, below, out=np.zeros_like(above), where=below > 0).sum(axis=-1))


@dataclass(frozen=True)
class Estimated:
    """An estimate with its interval, and its difference from what was logged."""

    value: float
    low: float
    high: float
    error: float
    difference: float
    difference_low: float
    difference_high: float


def estimated(
    terms: Terms, data: Weighted, confidence: float, resamples: int, rng: Generator
) -> tuple[Estimated, tuple[float, float]]:
    """The estimate, and the interval of the logged mean; sessions are drawn with replacement, for both at once."""
    positions = terms.above.shape[1]
    logged = data.logged
    rows = np.hstack([terms.above, terms.below, logged[:, None], np.ones((len(logged), 1))])
    sums = _grouped(rows if data.units is None else _summed(rows, data.units), rng)
    units = len(sums)
    drawn = np.stack([np.bincount(rng.integers(0, units, units), minlength=units) @ sums for _ in range(resamples)])
    values = value(drawn[:, :positions], drawn[:, positions : 2 * positions])
    before = drawn[:, -2] / drawn[:, -1]
    ends = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(values, ends)
    lower, upper = np.quantile(values - before, ends)
    estimate = float(value(terms.above.sum(axis=0), terms.below.sum(axis=0)))
    point = Estimated(
        estimate,
        float(low),
        float(high),
        float(values.std(ddof=1)),
        estimate - float(logged.mean()),
        float(lower),
        float(upper),
    )
    of_logged = np.quantile(before, ends)
    return point, (float(of_logged[0]), float(of_logged[1]))


def _grouped(rows: NDArray[np.float64], rng: Generator) -> NDArray[np.float64]:
    """The rows, or sums of random groups of them where there are many."""
    if len(rows) <= MOST_UNITS:
        return rows
    group = rng.permutation(len(rows)) % MOST_UNITS
    return _summed(rows, group)


def _summed(rows: NDArray[np.float64], group: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.stack([np.bincount(group, column) for column in rows.T], axis=1)
