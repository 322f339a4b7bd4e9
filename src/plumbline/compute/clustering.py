"""Clustering: every metric is an expression over facts about lists, and facts are made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.compute.internal import internal_columns
from plumbline.compute.result import Computed, combined, finite, singles, worst_end
from plumbline.errors import BadData, clusterings
from plumbline.schema import LIST
from plumbline.views.contingency import Contingency

if TYPE_CHECKING:
    from plumbline.align.clustered import Clustered
    from plumbline.metrics.measure import Measure, Single


def compute_clustering(aligned: Clustered, measures: list[Measure]) -> Computed:
    """The value of every measure on every list; a case that a system lacks scores the worst."""
    asked = singles(measures)
    _refuse_overlaps(aligned, asked)
    values = clustering_values(aligned, asked)
    if aligned.missing.any():
        values = _with_worst(aligned, values, asked)
    return Computed(combined(values, measures))


def clustering_values(aligned: Clustered, asked: list[Single]) -> pl.DataFrame:
    """`list` and a column for each single measure."""
    view = Contingency(aligned)
    internal = [single for single in asked if single.metric.internal]
    external = [single for single in asked if not single.metric.internal]
    columns = [single.metric.kernel(view, **single.metric.own(single.arguments)).alias(single.name) for single in external]
    made = view.table().select(LIST, *columns)
    values = made.with_columns(finite(pl.col(single.name)) for single in external).collect()  # no formula is worked out twice
    return values.with_columns(internal_columns(aligned, internal)) if internal else values


def _refuse_overlaps(aligned: Clustered, asked: list[Single]) -> None:
    wrong = [single.name for single in asked if single.metric.single_label]
    witness = next((found for found in aligned.witnesses if found[0]), None)
    if wrong and witness is not None:
        raise BadData(clusterings.needs_partition(wrong, *witness))


def _with_worst(aligned: Clustered, values: pl.DataFrame, asked: list[Single]) -> pl.DataFrame:
    """The worst end of the range for a missing case, or what the policy for missing items gives where that end is open."""
    absent = pl.Series(aligned.missing)
    columns = []
    for single in asked:
        end = worst_end(single)
        if end is not None:
            worst = pl.Series(np.full(len(values), float(end)))
            columns.append(values[single.name].zip_with(~absent, worst).alias(single.name))
    return values.with_columns(columns)
