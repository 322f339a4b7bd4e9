"""The floor: outputs that ignore the gold, scored exactly wherever their expectation has a closed form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.filtered import Filtered
from plumbline.align.labelled import Labelled
from plumbline.compute.class_floor import class_floor
from plumbline.compute.cluster_floor import cluster_floor
from plumbline.compute.filter_floor import filter_floor
from plumbline.compute.result import Computed
from plumbline.errors import BadUsage, usage
from plumbline.schema import LIST

if TYPE_CHECKING:
    from plumbline.align import Evaluated
    from plumbline.align.clustered import Clustered
    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Measure

EVEN: Final = 0.5
"""The rate of a random filter, if none is told."""


def with_floor(
    aligned: Filtered | Labelled | Clustered, computed: Computed, measures: list[Measure], rate: float
) -> tuple[Evaluated, Computed, list[str]]:
    """The same with the baselines as further systems, and their names; `rate` is that of a random filter."""
    if not 0 <= rate <= 1:
        raise BadUsage(usage.bad_option("floor_rate", f"{rate:g}", ["a number between 0 and 1"]))
    said: tuple[Diagnostic, ...] = ()
    if isinstance(aligned, Filtered):
        floor = filter_floor(aligned, measures, rate)
    elif isinstance(aligned, Labelled):
        floor, said = class_floor(aligned, measures)
    else:
        floor = cluster_floor(aligned, measures)
    names = [f"[{name}]" for name in floor]
    first = len(aligned.systems)
    values = [
        values.with_columns(pl.col(LIST) + (first + number) * len(aligned.cases))
        for number, values in enumerate(floor.values())
    ]
    columns = [LIST, *(measure.name for measure in measures)]
    both = pl.concat([part.select(columns) for part in (computed.values, *values)], how="vertical_relaxed")
    extended = replace(
        aligned,
        systems=(*aligned.systems, *names),
        tags=(*aligned.tags, *(None for _ in names)),
        missing=np.concatenate([aligned.missing, np.zeros(len(names) * len(aligned.cases), dtype=np.bool_)]),
    )
    return extended, Computed(both, (*computed.notices, *said)), names
