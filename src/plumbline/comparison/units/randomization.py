"""p of two systems by exchanging their answers: exact where all results can be looked at, drawn at random otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.units.means import means
from plumbline.comparison.units.swaps import MOST_EXACT, every_result, results_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.policy import Policy
    from plumbline.comparison.units.swaps import Swaps
    from plumbline.metrics.measure import Measure

    Numbers = NDArray[np.float64]
    Integers = NDArray[np.int64]

MOST_SUMS: Final = 2**20
"""Up to this many different sums, a linear measure is tested exactly."""
MOST_WEIGHED: Final = 4096
"""Of more groups than this, the weight of each is not computed."""


@dataclass(frozen=True, eq=False)
class Tested:
    """One pair tested by all measures; each array has a number for each measure."""

    difference: Numbers
    p: Numbers
    exact: NDArray[np.bool_]
    undefined: Integers
    """In how many results looked at the difference was undefined, which counts as extreme."""


def randomization(swaps: Swaps, policy: Policy, resamples: int, seed: int) -> Tested:
    """Test whether the difference is larger than if the answers were exchanged at random, two-sided."""
    measures = swaps.outcomes.measures
    observed, scale = _observed(swaps, policy)
    count = len(measures)
    p, exact, undefined = np.full(count, np.nan), np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int64)
    known = ~np.isnan(observed)
    if not len(swaps.sizes):
        return Tested(observed, np.where(known, 1.0, np.nan), known, undefined)
    limit = np.abs(observed) - SAME * scale
    if swaps.results <= MOST_EXACT:
        results, chance = swaps.every()
        differences = _differences(swaps, results, policy)
        reached = ~(np.abs(differences) < limit[:, None])
        return Tested(
            observed,
            np.where(known, np.minimum(reached @ chance, 1.0), np.nan),
            known,
            np.where(known, np.isnan(differences).sum(axis=1), 0),
        )
    for number in np.flatnonzero(known).tolist():
        if is_linear(measures[number]):
            exact_p = _of_sums(swaps, number, observed[number], scale[number], policy)
            p[number], exact[number] = (np.nan, False) if exact_p is None else (exact_p, True)
    rest = known & ~exact
    if rest.any():
        differences = _differences(swaps, swaps.drawn(resamples, seed), policy)
        reached = ~(np.abs(differences) < limit[:, None])
        p = np.where(rest, (reached.sum(axis=1) + 1) / (resamples + 1), p)
        undefined = np.where(rest, np.isnan(differences).sum(axis=1), 0)
    return Tested(observed, p, exact, undefined)


def is_linear(measure: Measure) -> bool:
    """Whether a measure is a sum over items while the gold is fixed."""
    single, *others = measure.parts
    weighted = dict(single.arguments).get("weights", "none") != "none"
    return not others and single.metric.linear is True and single.average == "mean" and not weighted


def _observed(swaps: Swaps, policy: Policy) -> tuple[Numbers, Numbers]:
    """The difference of every measure, and the larger one of the two values."""
    ((_, values),) = swaps.values(swaps.observed[None, :])
    both = means(values, swaps.outcomes.measures, policy)[:, :, 0]
    return both[:, 0] - both[:, 1], np.abs(np.nan_to_num(values)).max(axis=(1, 2, 3), initial=0.0)


def _differences(swaps: Swaps, exchanged: Integers, policy: Policy) -> Numbers:
    """`[measure, draw]`, a - b."""
    out = np.empty((len(swaps.outcomes.measures), len(exchanged)))
    for some, values in swaps.values(exchanged):
        both = means(values, swaps.outcomes.measures, policy)
        out[:, some] = both[:, 0] - both[:, 1]
    return out


def _of_sums(swaps: Swaps, number: int, observed: float, scale: float, policy: Policy) -> float | None:
    """The exact p of a measure to which each unit adds or takes away its own share; None if there are too many sums."""
    sizes = swaps.sizes
    if len(sizes) > MOST_WEIGHED:
        return None
    more = swaps.observed + np.eye(len(sizes), dtype=np.int64) * np.where(swaps.observed < sizes, 1, -1)
    ends = np.stack([np.zeros_like(sizes), sizes, sizes // 2])
    differences = _differences(swaps, np.concatenate([more, ends]), policy)[number]
    shares = np.abs(differences[: len(sizes)] - observed) / 2.0
    tolerance = SAME * scale * (1 + int(sizes.sum()))
    signed = (differences[: len(sizes)] - observed) * np.where(swaps.observed < sizes, 1, -1)
    if not np.allclose(observed + (ends - swaps.observed) @ signed, differences[len(sizes) :], rtol=0.0, atol=tolerance):
        return None
    order = np.argsort(shares)
    apart = np.concatenate(([0], np.cumsum(np.diff(shares[order]) > SAME * scale)))
    merged = np.bincount(apart, weights=sizes[order]).astype(np.int64)
    share = shares[order][np.flatnonzero(np.concatenate(([True], np.diff(apart) > 0)))]
    some = share > SAME * scale
    if results_of(merged[some]) > MOST_SUMS:
        return None
    results, chance = every_result(merged[some])
    sums = (2 * results - merged[some]) @ share[some]
    return float(min(chance[np.abs(sums) >= abs(observed) - tolerance].sum(), 1.0))
