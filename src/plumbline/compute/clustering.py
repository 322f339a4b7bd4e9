"""Clustering: every metric is an expression over facts about lists, and facts are made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.align.clustering import made_of
from plumbline.align.item_features import ItemFeatures
from plumbline.compute.computed import Computed, combined, finite, singles, worst_end
from plumbline.compute.floor import Floor
from plumbline.errors import BadData, clusterings
from plumbline.schema import LIST, NUMBER
from plumbline.views.contingency import Contingency
from plumbline.views.geometry import Geometry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.align.clustering import AlignedClusters
    from plumbline.metrics.measure import Measure, Single


def compute_clustering(aligned: AlignedClusters, measures: list[Measure]) -> Computed:
    """The value of every measure on every list; a case that a system lacks scores the worst."""
    parts = singles(measures)
    _refuse_overlaps(aligned, parts)
    values = _values(aligned, parts)
    if aligned.missing.any():
        values = _with_worst(aligned, values, parts)
    return Computed(combined(values, measures), measures)


def _values(aligned: AlignedClusters, parts: list[Single]) -> pl.DataFrame:
    """`list` and a column for each single measure."""
    view = Contingency(aligned)
    internal = [single for single in parts if single.metric.internal]
    external = [single for single in parts if not single.metric.internal]
    columns = [single.metric.apply(view, single.arguments).alias(single.name) for single in external]
    made = view.table().select(LIST, *columns)
    values = made.with_columns(finite(pl.col(single.name)) for single in external).collect()  # no formula is worked out twice
    return values.with_columns(_internal_columns(aligned, internal)) if internal else values


def _refuse_overlaps(aligned: AlignedClusters, parts: list[Single]) -> None:
    wrong = [single.name for single in parts if single.metric.single_label]
    witness = next((witness for witness in aligned.witnesses if witness[0]), None)
    if wrong and witness is not None:
        raise BadData(clusterings.needs_partition(wrong, *witness))


def _with_worst(aligned: AlignedClusters, values: pl.DataFrame, parts: list[Single]) -> pl.DataFrame:
    """The worst end of the range for a missing case, or what the policy for missing items gives where that end is open."""
    absent = pl.Series(aligned.missing)
    columns = []
    for single in parts:
        end = worst_end(single)
        if end is not None:
            worst = pl.Series(np.full(len(values), float(end)))
            columns.append(values[single.name].zip_with(~absent, worst).alias(single.name))
    return values.with_columns(columns)


def _internal_columns(aligned: AlignedClusters, parts: list[Single]) -> list[pl.Series]:
    """A column for each internal criterion and a row for each list."""
    rows = [[single.metric.apply(space, single.arguments) for single in parts] for space in _spaces(aligned)]
    return [pl.Series(single.name, [row[at] for row in rows], dtype=pl.Float64) for at, single in enumerate(parts)]


def _spaces(aligned: AlignedClusters) -> Iterator[Geometry]:
    """Each list in the order of lists."""
    for members in aligned.memberships:
        order = np.argsort(members.number, kind="stable")
        order = order[members.number[order] < len(aligned.gold.case)]
        items, clusters = members.number[order], members.codes[order]
        cases = aligned.gold.case[items]
        for case in range(len(aligned.cases)):
            in_case = cases == case
            yield Geometry(clusters[in_case], items[in_case], aligned.item_features or ItemFeatures())


def clustering_floor(aligned: AlignedClusters, measures: list[Measure], _rate: float) -> Floor:
    """Clusterings that ignore the gold: everything in one cluster, everything alone, and both at once.

    Metrics of partitions are undefined for the one that overlaps.
    """
    items = aligned.gold.items
    together, alone = pl.zeros(len(items), dtype=pl.Int64, eager=True), items[NUMBER].cast(pl.Int64) + 1
    return Floor(
        {
            "one-cluster": _baseline(made_of(aligned, together), measures, overlapping=False),
            "singletons": _baseline(made_of(aligned, alone), measures, overlapping=False),
            "combined": _baseline(made_of(aligned, [together, alone]), measures, overlapping=True),
        }
    )


def _baseline(made: AlignedClusters, measures: list[Measure], *, overlapping: bool) -> pl.DataFrame:
    parts = singles(measures)
    possible = [single for single in parts if not (overlapping and single.metric.single_label)]
    values = _values(made, possible)
    undefined = [pl.lit(None, dtype=pl.Float64).alias(single.name) for single in parts if single not in possible]
    return combined(values.with_columns(undefined), measures).select(LIST, *(measure.name for measure in measures))
