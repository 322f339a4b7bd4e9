"""Clusterings that ignore the gold: everything in one cluster, everything alone, and both at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.align.clustered import made_of
from plumbline.compute.clustering import clustering_values
from plumbline.compute.result import combined, singles
from plumbline.schema import LIST, NUMBER

if TYPE_CHECKING:
    from plumbline.align.clustered import Clustered
    from plumbline.metrics.measure import Measure


def cluster_floor(aligned: Clustered, measures: list[Measure]) -> dict[str, pl.DataFrame]:
    """The values of each baseline in every case; metrics of partitions are undefined for the one that overlaps."""
    items = aligned.gold.items
    together, alone = pl.zeros(len(items), dtype=pl.Int64, eager=True), items[NUMBER].cast(pl.Int64) + 1
    return {
        "one-cluster": _scored(made_of(aligned, together), measures, overlapping=False),
        "singletons": _scored(made_of(aligned, alone), measures, overlapping=False),
        "combined": _scored(made_of(aligned, [together, alone]), measures, overlapping=True),
    }


def _scored(made: Clustered, measures: list[Measure], *, overlapping: bool) -> pl.DataFrame:
    asked = singles(measures)
    possible = [single for single in asked if not (overlapping and single.metric.single_label)]
    values = clustering_values(made, possible)
    nothing = [pl.lit(None, dtype=pl.Float64).alias(single.name) for single in asked if single not in possible]
    return combined(values.with_columns(nothing), measures).select(LIST, *(measure.name for measure in measures))
