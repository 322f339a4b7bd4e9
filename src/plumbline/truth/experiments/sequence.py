"""The effect day by day: what each look would have shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.truth.experiments.observed import tested

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.truth.experiments.metric import Metric
    from plumbline.truth.experiments.observed import Observed, Rules
    from plumbline.truth.experiments.units import UnitTable
    from plumbline.truth.experiments.verdicts import Measured

SCHEMA: Final[dict[str, Any]] = {
    "metric": pl.String,
    "arm": pl.String,
    "when": pl.String,
    "n": pl.Int64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "p": pl.Float64,
}


def sequence(observed: Observed, metrics: Sequence[Metric], column: str, rules: Rules) -> pl.DataFrame:
    """For each metric and arm the looks in order, each with all units so far; p is the smallest one so far."""
    rows = []
    for metric in metrics:
        sums = observed.sums[metric.name]
        when = sums.keys[observed.layout.key(column)]
        looks = when.drop_nulls().unique().sort()
        place = when.replace_strict(looks, np.arange(len(looks)), default=-1, return_dtype=pl.Int64).to_numpy()
        is_share = observed.is_share(metric)
        control, *arms = (
            sums.running(observed.groups(sums.keys, arm, {}) & (place >= 0), place, len(looks))
            for arm in (observed.control, *observed.arms)
        )
        for arm, treated in zip(observed.arms, arms, strict=True):
            smallest = 1.0
            for look, before, after in zip(looks.to_list(), control, treated, strict=True):
                effect = tested(metric, before, after, is_share, rules)
                smallest = smallest if np.isnan(effect.p) else min(smallest, effect.p)
                known = [None if np.isnan(one) else one for one in (effect.difference, effect.low, effect.high)]
                day = f"{look:g}" if isinstance(look, float) else str(look)
                rows.append((metric.name, arm, day, effect.n + effect.n_control, *known, smallest))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def with_smallest_p(measured: Sequence[Measured], looks: pl.DataFrame) -> list[Measured]:
    """Effects with the smallest p of all looks so far: what was shown once stays shown."""
    if looks.is_empty():
        return list(measured)
    smallest = {(metric, arm): p for metric, arm, p in looks.select("metric", "arm", "p").iter_rows()}
    return [
        one if np.isnan(one.effect.p) else replace(one, effect=replace(one.effect, p=smallest[one.metric.name, one.arm]))
        for one in measured
    ]


def still_growing(moments: pl.Series, counts: pl.Series) -> str | None:
    """Why an experiment seems to go on: about as many units came on the last day as on others; None if not."""
    frame = pl.DataFrame({"when": moments, "n": counts}).drop_nulls().group_by("when").agg(pl.col("n").sum()).sort("when")
    if len(frame) < FEWEST_DAYS:
        return None
    last, usual = int(frame["n"][-1]), float(frame["n"].median())  # type: ignore[arg-type]  # counts are numbers
    return f"{last:,} units came at {frame['when'][-1]}, the last of {len(frame):,} moments" if last >= usual / 2 else None


def growing_by_itself(table: UnitTable) -> str | None:
    """The same where nobody named a column: one that is called `when` tells it, if it has days and not moments."""
    if WHEN not in table.schema:
        return None
    if table.collected(table.rows.select(pl.col(WHEN).approx_n_unique())).item() > MOST_DAYS:
        return None
    counted = table.collected(table.rows.group_by(WHEN).agg(pl.len().alias("n")))
    return still_growing(counted[WHEN], counted["n"])


WHEN: Final = "when"
MOST_DAYS: Final = 1_000
FEWEST_DAYS: Final = 3
"""Moments from which the course of an experiment can be seen."""
