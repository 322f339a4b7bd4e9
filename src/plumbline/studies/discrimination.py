"""How many pairs of systems does a metric tell apart? Discriminative power and the curve of significance levels.

Sakai 2006: every pair of systems is tested, without a correction for many pairs, and the share of pairs with p below a level
is the discriminative power. The p-values (achieved significance levels, ASL) from the highest to the lowest are the curve. A
metric that tells systems apart need not do so for a good reason: the length of the output does it as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.significance.draws import fewest_resamples
from plumbline.comparison.significance.registry import find_test

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube
    from plumbline.comparison.significance.result import SignificanceResult

DRAWS: Final = 1000
"""How often a test draws that does, unless the level needs more."""


def tests(cube: Cube, test: str, *, level: float, resamples: int | None, seed: int) -> dict[str, SignificanceResult]:
    """The test of all pairs of systems by each metric, all with the same draws."""
    draws = max(DRAWS, fewest_resamples(1, level)) if resamples is None else resamples
    values = zip(cube.metrics, cube.signed, strict=True)
    return {metric: find_test(test)(scores, resamples=draws, seed=seed) for metric, scores in values}


def power(tested: dict[str, SignificanceResult], level: float) -> pl.DataFrame:
    """A row for each metric: how many pairs there are with a p, how many of them are significant, and as a share."""
    rows = []
    for metric, result in tested.items():
        p = result.p[np.triu_indices(len(result.p), 1)]
        known = p[~np.isnan(p)]
        significant = int(np.count_nonzero(known < level))
        share = significant / len(known) if len(known) else None
        rows.append((metric, share, significant, len(known), len(p) - len(known), level, result.name, result.note))
    schema = {
        "metric": pl.String,
        "power": pl.Float64,
        "significant": pl.Int64,
        "pairs": pl.Int64,
        "pairs_without_p": pl.Int64,
        "level": pl.Float64,
        "test": pl.String,
        "note": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def asl(cube: Cube, tested: dict[str, SignificanceResult]) -> pl.DataFrame:
    """`metric, place, a, b, p`: the pairs of systems from the highest p to the lowest."""
    names = np.array(cube.systems, dtype=object)
    a, b = np.triu_indices(len(names), 1)
    frames = []
    for metric, result in tested.items():
        p = result.p[a, b]
        order = np.argsort(-np.where(np.isnan(p), -1.0, p), kind="stable")[: int(np.count_nonzero(~np.isnan(p)))]
        frames.append(
            pl.DataFrame(
                {
                    "metric": [metric] * len(order),
                    "place": np.arange(1, len(order) + 1),
                    "a": names[a[order]].tolist(),
                    "b": names[b[order]].tolist(),
                    "p": p[order],
                },
                schema_overrides={"metric": pl.String, "a": pl.String, "b": pl.String},
            )
        )
    return pl.concat(frames)
