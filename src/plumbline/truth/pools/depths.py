"""How deep a pool was: what is judged of the first items of the systems, and what deeper ranks would still add."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.pools.places import Flags, Integers, Places

COMPLETE: Final = 0.99
"""The share of a pool that is judged down to its depth: a few items get lost."""
LEAST_DEPTH: Final = 10
"""Ranks that a curve is fitted to, at least."""
_DRAWS: Final = 2000


def by_depth(places: Places, contributing: Flags, level: float) -> pl.DataFrame:
    """`depth, pooled, judged, share, relevant, new`: the pool of the first items, for each depth; `new` relevant ones."""
    best = places.best_rank(contributing[places.system])
    longest = int(places.rank.max(initial=0))
    inside = best <= longest
    relevant = np.zeros(len(best), dtype=np.bool_)
    relevant[: len(places.grades)] = places.grades >= level
    pooled, judged, hits = (
        np.bincount(best[inside & flags], minlength=longest + 1)[1:].cumsum()
        for flags in (np.ones(len(best), dtype=np.bool_), places.doc_judged, relevant)
    )
    return pl.DataFrame(
        {
            "depth": np.arange(1, longest + 1),
            "pooled": pooled,
            "judged": judged,
            "share": judged / np.maximum(pooled, 1),
            "relevant": hits,
            "new": np.diff(hits, prepend=0),
        }
    )


def inferred_depth(depths: pl.DataFrame) -> int | None:
    """The largest depth down to which (almost) all of the pool is judged; None if not even the first items are."""
    complete = depths.filter(pl.col("share") >= COMPLETE)["depth"]
    return None if complete.is_empty() else int(complete.to_numpy().max())


@dataclass(frozen=True)
class Curve:
    """Zobel's curve: new relevant items at rank p are about C p^s - 1."""

    scale: float
    slope: float
    first: int
    last: int
    """The ranks that are still to come: down to twice the depth."""
    missing: float
    low: float
    high: float
    """How many relevant items they would add, with an interval of 95 %."""


def fitted_curve(new: NDArray[np.float64] | Integers, seed: int = 0) -> Curve:
    """Fit a line to ln(n + 1) and ln(p), n being the new relevant items at rank p; its errors are drawn for the interval."""
    depth = len(new)
    x, y = np.log(np.arange(1, depth + 1)), np.log(np.asarray(new, dtype=np.float64) + 1.0)
    design = np.stack([np.ones(depth), x], axis=1)
    coefficients, *_ = np.linalg.lstsq(design, y, rcond=None)
    variance = float(((y - design @ coefficients) ** 2).sum() / max(depth - 2, 1))
    spread = np.linalg.inv(design.T @ design) * variance
    drawn = np.random.default_rng(seed).multivariate_normal(coefficients, spread, size=_DRAWS)
    totals = np.array([_added(scale, slope, depth) for scale, slope in drawn])
    low, high = np.quantile(totals, [0.025, 0.975])
    return Curve(
        float(np.exp(coefficients[0])),
        float(coefficients[1]),
        depth + 1,
        2 * depth,
        _added(coefficients[0], coefficients[1], depth),
        float(low),
        float(high),
    )


def _added(intercept: float, slope: float, depth: int) -> float:
    ranks = np.arange(depth + 1, 2 * depth + 1)
    return float(np.maximum(np.exp(intercept) * ranks**slope - 1.0, 0.0).sum())
