"""Classifiers: the counts of each class, and its own value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from plumbline.schema import CLASS, LIST
from plumbline.views.classes import Counts, is_class

if TYPE_CHECKING:
    from plumbline.align.classification import AlignedLabels
    from plumbline.metrics.measure import Single
    from plumbline.tools.why.result import Why


def explain_classes(aligned: AlignedLabels, measure: Single, number: int, plain: Why, item: str | None) -> Why:  # noqa: ARG001 - of lists
    """Right, wrong and missed items of each class, with the metric of that class where it has one."""
    rows_of_list = aligned.by_class.filter((pl.col(LIST) == number) & is_class)
    names = rows_of_list[CLASS].replace_strict(list(range(len(aligned.classes))), list(aligned.classes), return_dtype=pl.String)
    counts = rows_of_list.select(names.alias(CLASS), *(pl.col(name).cast(pl.Int64) for name in ("tp", "fp", "fn")))
    if any(parameter.name == "average" for parameter in measure.metric.parameters):
        kernel = measure.metric.apply(Counts(), measure.arguments)
        counts = counts.with_columns(rows_of_list.select(kernel.alias(measure.metric.name)).to_series())
    return replace(plain, rows=counts)
