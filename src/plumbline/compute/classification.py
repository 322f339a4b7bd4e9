"""Classification: metrics of classes, averaged as requested, and metrics of full lists in the same pass."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.align.class_counts import ITEMS
from plumbline.align.classification import is_numeric
from plumbline.compute.averages import average_of, averaged, code_of_class, with_every_class
from plumbline.compute.computed import Computed, combined, finite, singles, worst_end
from plumbline.errors import BadUsage, Diagnostic, notices, usage
from plumbline.metrics.registry import all_metrics
from plumbline.schema import CLASS, LIST
from plumbline.views.classes import Classes, Counts, is_class
from plumbline.views.terms import harmonic

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.align.classification import AlignedLabels
    from plumbline.metrics.measure import Measure, Single


def compute_classification(aligned: AlignedLabels, requested: list[Measure]) -> Computed:
    """The value of every measure on every list, of each class where it is not averaged; a missing case scores the worst."""
    measures = with_every_class(requested, aligned.classes)
    parts = singles(measures)
    _refuse_several(aligned, parts)
    view = Classes(aligned)
    values, skipped = _values(view, aligned, parts)
    if aligned.missing.any():
        values = _with_worst(aligned, values, parts)
    messages = _skipped(aligned, skipped, parts)
    if view.order_matters and not aligned.declared and not is_numeric(aligned.classes):
        messages.append(notices.alphabetical(list(aligned.classes)))
    return Computed(combined(values, measures), measures, tuple(messages))


def _refuse_several(aligned: AlignedLabels, parts: list[Single]) -> None:
    wrong = [single.name for single in parts if single.metric.single_label]
    if aligned.several and wrong:
        raise BadUsage(usage.needs_single_labels(wrong))
    alone = [single.name for single in parts if dict(single.arguments).get("average") == "samples"]
    if not aligned.several and alone:
        raise BadUsage(usage.needs_several_labels(alone))


def _values(view: Classes, aligned: AlignedLabels, parts: list[Single]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`list` with a column for each measure, and how many classes each average left out."""
    columns = [_expression(view, aligned, single) for single in parts]
    left_out = [
        _is_undefined(single).filter(is_class).sum().alias(single.name)
        for single in parts
        if average_of(single) in {"macro", "weighted"}
    ]
    rows = view.table()
    plain = [column for column, single in zip(columns, parts, strict=True) if average_of(single) != "samples"]
    values = rows.group_by(LIST, maintain_order=True).agg(plain)
    for column, single in zip(columns, parts, strict=True):
        if average_of(single) == "samples":
            means = aligned.by_item.group_by(LIST, maintain_order=True).agg(column)
            values = values.join(means, on=LIST, how="left", maintain_order="left")
    skipped = rows.group_by(LIST, maintain_order=True).agg(left_out)
    return values.select(LIST, *(single.name for single in parts)), skipped


def _expression(view: Classes, aligned: AlignedLabels, single: Single) -> pl.Expr:
    if not any(parameter.name == "average" for parameter in single.metric.parameters):
        return finite(single.metric.apply(view, single.arguments)).alias(single.name)
    arguments = dict(single.arguments)
    if single.metric.combines and arguments["of"] == "averages":
        first, second = (
            _averaged(all_metrics(single.metric.task)[name].kernel, {}, aligned, single) for name in single.metric.combines
        )
        return finite(harmonic(first, second, arguments["alpha"])).alias(single.name)
    return finite(_averaged(single.metric.kernel, single.metric.kernel_arguments(single.arguments), aligned, single)).alias(
        single.name
    )


def _is_undefined(single: Single) -> pl.Expr:
    """Whether the average leaves a class out; the F of two averages leaves out what either of them does."""
    known = all_metrics(single.metric.task)
    if single.metric.combines and dict(single.arguments)["of"] == "averages":
        return pl.any_horizontal(known[name].kernel(Counts()).is_null() for name in single.metric.combines)
    return single.metric.apply(Counts(), single.arguments).is_null()  # type: ignore[no-any-return]  # a kernel


def _averaged(kernel: Callable[..., pl.Expr], arguments: dict[str, Any], aligned: AlignedLabels, single: Single) -> pl.Expr:
    average = average_of(single)
    of_each: pl.Expr = kernel(Counts(), **arguments)
    if average == "micro":
        return kernel(Counts(together=True), **arguments)
    if average == "samples":
        return (of_each * pl.col(ITEMS)).sum() / pl.col(ITEMS).filter(of_each.is_not_null()).sum()
    if average == "class":
        return of_each.filter(pl.col(CLASS) == code_of_class(aligned.classes, single)).first()
    return averaged(of_each, str(average), weight=Classes.wanted, among=is_class)


def _skipped(aligned: AlignedLabels, skipped: pl.DataFrame, parts: list[Single]) -> list[Diagnostic]:
    """One notice for each set of measures that leave out the same classes."""
    cases = len(aligned.cases)
    groups: dict[tuple[str, int, int], list[str]] = {}
    for single in parts:
        if single.name not in skipped.columns:
            continue
        for number, system in enumerate(aligned.systems):
            of_system = skipped[single.name][number * cases : (number + 1) * cases]
            if of_system.sum():
                groups.setdefault((system, int(of_system.sum()), int((of_system > 0).sum())), []).append(single.name)
    return [notices.skipped_classes(names, *key) for key, names in groups.items()]


def _with_worst(aligned: AlignedLabels, values: pl.DataFrame, parts: list[Single]) -> pl.DataFrame:
    """The worst end of the range for a missing case where a perfect output has a value, else what no answers give."""
    cells = aligned.cells.with_columns(pl.col("gold").alias("system"))
    classes = aligned.by_class.with_columns(tp=Classes.wanted, fp=pl.lit(0.0), fn=pl.lit(0.0))
    items = aligned.by_item.with_columns(tp=Classes.wanted, fp=pl.lit(0.0), fn=pl.lit(0.0))
    made = replace(aligned, cells=cells, by_class=classes, by_item=items)
    perfect, _ = _values(Classes(made), made, parts)
    absent = pl.Series(aligned.missing)
    columns = []
    for single in parts:
        end = worst_end(single)
        if end is not None:
            worst = pl.Series(np.full(len(values), float(end))).zip_with(
                perfect[single.name].is_not_null(), values[single.name]
            )
            columns.append(values[single.name].zip_with(~absent, worst).alias(single.name))
    return values.with_columns(columns)
