"""What smoothing changes: every filtering metric with and without it, on every output.

Amigó, Gonzalo, Verdejo and Spina 2019, section 6.2 and figures 6 to 8.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.compute.computed import combined
from plumbline.compute.filtering import values_of
from plumbline.errors import BadUsage
from plumbline.metrics.measure import Combined
from plumbline.metrics.names import parse
from plumbline.schema import CASE, LIST, METRIC, SYSTEM
from plumbline.studies.agreement import pearson
from plumbline.studies.facts import INFORMATIVE
from plumbline.studies.filter_facts import CELLS
from plumbline.views.confusion import SMOOTHINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.metrics.measure import Measure
    from plumbline.studies.facts import Facts

SMOOTH: Final = "smooth"
PUBLISHED: Final = tuple(smooth for smooth in SMOOTHINGS if smooth != "cells")
"""Those that the paper compares."""
PLAIN, *SMOOTHED = PUBLISHED


def smoothable(names: Iterable[str]) -> dict[str, Measure]:
    """The metrics that know smoothing, without it, by their names; each once."""
    measures = {}
    for name in names:
        try:
            plain = with_smoothing(parse(name, None, "filtering"), PLAIN)
        except BadUsage:
            continue
        if plain is not None:
            measures[plain.name] = plain
    return measures


def with_smoothing(measure: Measure, smooth: str) -> Measure | None:
    """The same with another smoothing; none if a part of it knows none."""
    if isinstance(measure, Combined):
        first, second = (with_smoothing(part, smooth) for part in (measure.first, measure.second))
        return None if first is None or second is None else replace(measure, first=first, second=second)
    if measure.metric.parameter(SMOOTH) is None:
        return None
    return replace(measure, arguments=tuple((name, smooth if name == SMOOTH else value) for name, value in measure.arguments))


def smoothing(facts: Facts, names: Iterable[str]) -> pl.DataFrame:
    """`system, case, metric, none, laplace, noninformative, change, kind`, the greatest change first.

    Cases that a system lacks take no part. The change is the greatest distance from the value without smoothing; it is null
    where that is undefined, and such rows come last.
    """
    present = ~facts.aligned.missing
    counts = facts.aligned.counts.sort(LIST).select(LIST, *CELLS, pl.col("^open_.*$")).filter(pl.Series(present))
    frames = [_of_metric(name, plain, counts) for name, plain in smoothable(names).items()]
    lists, cases = counts[LIST].to_numpy(), len(facts.aligned.cases)
    whose = pl.DataFrame(
        {
            SYSTEM: pl.Series(facts.aligned.systems, dtype=pl.String).gather(lists // cases),
            CASE: pl.Series(facts.aligned.cases, dtype=pl.String).gather(lists % cases),
            "kind": pl.Series([kind or None for kind in _kinds(facts)[present]], dtype=pl.String),
        }
    )
    distance = pl.max_horizontal((pl.col(name) - pl.col(PLAIN)).abs() for name in SMOOTHED)
    columns = [SYSTEM, CASE, METRIC, *PUBLISHED, "change", "kind"]
    table = pl.concat([pl.concat([whose, frame], how="horizontal") for frame in frames]).with_columns(change=distance)
    return table.select(columns).sort(pl.col("change").round(12), descending=True, nulls_last=True, maintain_order=True)


def _kinds(facts: Facts) -> NDArray[np.object_]:
    return np.full(len(facts.aligned.missing), INFORMATIVE, dtype=object) if facts.kinds is None else facts.kinds


def _of_metric(name: str, plain: Measure, counts: pl.DataFrame) -> pl.DataFrame:
    made = {smooth: with_smoothing(plain, smooth) for smooth in PUBLISHED}
    measures = {smooth: measure for smooth, measure in made.items() if measure is not None}
    values = combined(values_of(counts, pl.DataFrame(), list(measures.values())), list(measures.values()))
    columns = {smooth: values[measure.name] for smooth, measure in measures.items()}
    return pl.DataFrame({METRIC: pl.Series([name] * len(values), dtype=pl.String), **columns})


def effects(table: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """A row for each metric and smoothing: how many outputs change, by how much, and the correlation with before."""
    rows = []
    for metric in smoothable(names):
        of_metric = table.filter(pl.col(METRIC) == metric)
        for smooth in SMOOTHED:
            known = of_metric.drop_nulls([PLAIN, smooth])
            change = (known[smooth] - known[PLAIN]).to_numpy()
            both = known.select(PLAIN, smooth).to_numpy().T
            correlated = float(pearson(both)[0, 1]) if len(known) > 1 else np.nan
            changed = int(np.count_nonzero(np.abs(change) > 10.0**-12))
            size = np.abs(change)
            mean, greatest = (float(size.mean()), float(size.max())) if len(size) else (None, None)
            rows.append((metric, smooth, len(known), len(of_metric) - len(known), changed, mean, greatest, correlated))
    counts = dict.fromkeys(("outputs", "undefined", "changed"), pl.Int64)
    numbers = dict.fromkeys(("mean_change", "greatest_change", "pearson"), pl.Float64)
    schema = {METRIC: pl.String, SMOOTH: pl.String, **counts, **numbers}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(pl.Float64).fill_nan(None))
