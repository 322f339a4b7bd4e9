"""Clusterings that ignore the gold: everything in one cluster, everything alone, and both at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.align.clustered import NUMBER, made_of
from plumbline.compute.clustering import clustering_values
from plumbline.compute.result import combined, singles
from plumbline.schema import CASE, LIST

if TYPE_CHECKING:
    from plumbline.align.clustered import Clustered
    from plumbline.metrics.measure import Measure


def cluster_floor(aligned: Clustered, measures: list[Measure]) -> dict[str, pl.DataFrame]:
    """The values of each baseline in every case; metrics of partitions are undefined for the one that overlaps."""
    items = aligned.gold.items
    together = items.select(NUMBER, pl.col(CASE).cast(pl.Int64).alias("cluster"))
    alone = items.select(NUMBER, (-1 - pl.col(NUMBER)).alias("cluster"))
    return {
        "one-cluster": _scored(made_of(aligned, together, overlapping=False), measures, overlapping=False),
        "singletons": _scored(made_of(aligned, alone, overlapping=False), measures, overlapping=False),
        "combined": _scored(made_of(aligned, pl.concat([together, alone]), overlapping=True), measures, overlapping=True),
    }


def _scored(made: Clustered, measures: list[Measure], *, overlapping: bool) -> pl.DataFrame:
    asked = singles(measures)
    possible = [single for single in asked if not (overlapping and single.metric.single_label)]
    values = clustering_values(made, possible)
    nothing = [pl.lit(None, dtype=pl.Float64).alias(single.name) for single in asked if single not in possible]
    return combined(values.with_columns(nothing), measures).select(LIST, *(measure.name for measure in measures))
