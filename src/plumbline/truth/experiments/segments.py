"""Segments as cases: the effect in each, and whether the improvement is unanimous over metrics and segments (UIR)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.comparison.combining import combined
from plumbline.comparison.cube import Cube
from plumbline.comparison.unanimity.interval import interval
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.comparison.weighting.simplex import weightings
from plumbline.truth.experiments.verdicts import Measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from plumbline.truth.experiments.metric import Metric
    from plumbline.truth.experiments.observed import Observed, Rules

SMALL: Final = 30
"""Units of an arm below which a segment is called small."""
UNANIMITY: Final[dict[str, Any]] = {
    "by": pl.String,
    "arm": pl.String,
    "uir": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "better": pl.Int64,
    "worse": pl.Int64,
    "divided": pl.Int64,
    "segments": pl.Int64,
    "p": pl.Float64,
    "weightings": pl.Float64,
}


def segment_names(observed: Observed, metrics: Sequence[Metric], column: str) -> list[Any]:
    """The segments of a column, in order."""
    first = metrics[0]
    keys = observed.values[first.name] if first.quantile is not None else observed.sums[first.name].keys
    return keys[observed.layout.key(column)].drop_nulls().unique().sort().to_list()


def segment_effects(observed: Observed, metrics: Sequence[Metric], by: Sequence[str], rules: Rules) -> Iterator[Measured]:
    """The effect of every arm on every metric in every segment."""
    for column in by:
        for name in segment_names(observed, metrics, column):
            for metric in metrics:
                for arm in observed.arms:
                    yield Measured(metric, arm, observed.effect(metric, arm, rules, {column: name}), (column, str(name)))


def segment_cube(observed: Observed, metrics: Sequence[Metric], column: str) -> Cube:
    """The value of every metric, arm and segment: arms are the systems, and segments are the cases."""
    names = segment_names(observed, metrics, column)
    arms = (observed.control, *observed.arms)
    values = [[[observed.value(metric, arm, {column: name})[0] for name in names] for arm in arms] for metric in metrics]
    lower = np.array([metric.lower for metric in metrics], dtype=np.bool_)
    return Cube(tuple(one.name for one in metrics), arms, tuple(map(str, names)), np.array(values, dtype=np.float64), lower)


def unanimous(observed: Observed, metrics: Sequence[Metric], by: Sequence[str], rules: Rules) -> pl.DataFrame:
    """For each column of segments and each arm: UIR against the control, and the weightings by which it is better."""
    rows = []
    for column in by:
        cube = segment_cube(observed, metrics, column)
        counts = unanimity(cube)
        low, high = interval(counts, 1 - rules.level)
        won = None
        if len(metrics) > 1 and cube.known.any():
            scaled = _without_units(cube)
            won = weightings(scaled, combined(scaled).mean, seed=rules.seed).pairs
        for at, arm in enumerate(observed.arms, 1):
            rows.append(
                (
                    column,
                    arm,
                    *(_known(table[at, 0]) for table in (counts.uir, low, high)),
                    int(counts.a_ge_b[at, 0]),
                    int(counts.b_ge_a[at, 0]),
                    int(counts.biased[at, 0]),
                    int(counts.cases[at, 0]),
                    _known(counts.p[at, 0]),
                    None if won is None else _known(won[at, 0]),
                )
            )
    return pl.DataFrame(rows, schema=UNANIMITY, orient="row")


def _without_units(cube: Cube) -> Cube:
    """The values as multiples of the mean of the control, so that weights do not depend on what metrics are measured in."""
    scale = np.abs(cube.means[:, :1, None])
    return replace(cube, values=np.divide(cube.values, scale, out=cube.values.copy(), where=scale > 0))


def small_segments(measured: Sequence[Measured]) -> list[str]:
    """The segments with few units in an arm, each once."""
    small = (one.part[1] for one in measured if min(one.effect.n, one.effect.n_control) < SMALL)
    return list(dict.fromkeys(small))


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
