"""Clustering: every metric is a formula over arrays with a value for each list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.align.clustering import made_of
from plumbline.compute.computed import Computed, combined_values, singles, worst_end
from plumbline.compute.floor import Floor
from plumbline.errors import BadData, clusterings
from plumbline.lazily import pl
from plumbline.schema import NUMBER
from plumbline.views.contingency import Contingency
from plumbline.views.geometry import Geometry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.clustering import AlignedClusters
    from plumbline.metrics.measure import Measure, Single


def compute_clustering(aligned: AlignedClusters, measures: list[Measure]) -> Computed:
    """The value of every measure on every list; a case that a system lacks scores the worst."""
    parts = singles(measures)
    _refuse_overlaps(aligned, parts)
    values = _values(aligned, parts)
    if aligned.missing.any():
        values = _with_worst(aligned, values, parts)
    return Computed.of(combined_values(values, measures), len(aligned.missing), measures)


def _values(aligned: AlignedClusters, parts: list[Single]) -> dict[str, NDArray[np.float64]]:
    """The values of every single measure, NaN where it is undefined."""
    view = Contingency(aligned)
    internal = [single for single in parts if single.metric.internal]
    made = _internal_values(aligned, internal) if internal else {}
    with np.errstate(all="ignore"):
        for single in parts:
            if not single.metric.internal:
                value = single.metric.apply(view, single.arguments)
                made[single.name] = np.where(np.isfinite(value), value, np.nan)
    return made


def _refuse_overlaps(aligned: AlignedClusters, parts: list[Single]) -> None:
    wrong = [single.name for single in parts if single.metric.single_label]
    witness = next((witness for witness in aligned.witnesses if witness[0]), None)
    if wrong and witness is not None:
        raise BadData(clusterings.needs_partition(wrong, *witness))


def _with_worst(
    aligned: AlignedClusters, values: dict[str, NDArray[np.float64]], parts: list[Single]
) -> dict[str, NDArray[np.float64]]:
    """The worst end of the range for a missing case, or what the policy for missing items gives where that end is open."""
    scored = dict(values)
    for single in parts:
        end = worst_end(single)
        if end is not None:
            scored[single.name] = np.where(aligned.missing, end, values[single.name])
    return scored


def _internal_values(aligned: AlignedClusters, parts: list[Single]) -> dict[str, NDArray[np.float64]]:
    """The values of each internal criterion, list by list."""
    rows = [[single.metric.apply(space, single.arguments) for single in parts] for space in _spaces(aligned)]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(parts))
    return {single.name: table[:, at] for at, single in enumerate(parts)}


def _spaces(aligned: AlignedClusters) -> Iterator[Geometry]:
    """Each list in the order of lists."""
    from plumbline.align.item_features import ItemFeatures  # noqa: PLC0415 - lazy border: internal criteria only

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
    nothing = np.full(len(made.items), np.nan)
    values = {**{single.name: nothing for single in parts}, **_values(made, possible)}
    every = combined_values(values, measures)
    chosen = {measure.name: every[measure.name] for measure in measures}
    return Computed.of(chosen, len(made.items), measures).values
