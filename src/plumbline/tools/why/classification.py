"""Classifiers: the counts of each class, and its own value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.schema import CLASS
from plumbline.views.classes import Counts

if TYPE_CHECKING:
    from plumbline.align.classification import AlignedLabels
    from plumbline.metrics.measure import Single
    from plumbline.tools.why.result import Why


def explain_classes(aligned: AlignedLabels, measure: Single, number: int, plain: Why, item: str | None) -> Why:  # noqa: ARG001 - of lists
    """Right, wrong and missed items of each class, with the metric of that class where it has one."""
    rows = aligned.by_class
    some = np.flatnonzero((rows.list == number) & (rows.class_ >= 0))
    names = [aligned.classes[code] for code in rows.class_[some].tolist()]
    of_list = Counts(rows.tp[some], rows.fp[some], rows.fn[some])
    columns = {"tp": of_list.tp, "fp": of_list.fp, "fn": of_list.fn}
    counts = pl.DataFrame({CLASS: names, **{name: column.astype(np.int64) for name, column in columns.items()}})
    if any(parameter.name == "average" for parameter in measure.metric.parameters):
        values = measure.metric.apply(of_list, measure.arguments)
        counts = counts.with_columns(pl.Series(measure.metric.name, values, nan_to_null=True))
    return replace(plain, rows=counts)
