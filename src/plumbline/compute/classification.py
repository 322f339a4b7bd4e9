"""Classification: metrics of classes, averaged as requested, and metrics of full lists in the same pass."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from plumbline.align.class_counts import ClassRows, ItemRows
from plumbline.align.classification import is_numeric
from plumbline.compute.averages import average_of, code_of_class, with_every_class
from plumbline.compute.computed import Computed, combined_values, singles, worst_end
from plumbline.errors import BadUsage, Diagnostic, notices, usage
from plumbline.metrics.registry import all_metrics
from plumbline.views.classes import Classes, Counts
from plumbline.views.segments import Segments
from plumbline.views.terms import harmonic_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.classification import AlignedLabels
    from plumbline.metrics.measure import Measure, Single

    Numbers = NDArray[np.float64]


def compute_classification(aligned: AlignedLabels, requested: list[Measure]) -> Computed:
    """The value of every measure on every list, of each class where it is not averaged; a missing case scores the worst."""
    measures = with_every_class(requested, aligned.classes)
    parts = singles(measures)
    _refuse_several(aligned, parts)
    view = Classes(aligned)
    values = _values(view, aligned, parts)
    if aligned.missing.any():
        values = _with_worst(aligned, values, parts)
    messages = _skipped(view, aligned, parts)
    if view.order_matters and not aligned.declared and not is_numeric(aligned.classes):
        messages.append(notices.alphabetical(list(aligned.classes)))
    return Computed.of(combined_values(values, measures), len(aligned.missing), measures, tuple(messages))


def _refuse_several(aligned: AlignedLabels, parts: list[Single]) -> None:
    wrong = [single.name for single in parts if single.metric.single_label]
    if aligned.several and wrong:
        raise BadUsage(usage.needs_single_labels(wrong))
    alone = [single.name for single in parts if dict(single.arguments).get("average") == "samples"]
    if not aligned.several and alone:
        raise BadUsage(usage.needs_several_labels(alone))


def _values(view: Classes, aligned: AlignedLabels, parts: list[Single]) -> dict[str, Numbers]:
    """A value for each list; NaN where a measure is undefined."""
    with np.errstate(all="ignore"):
        values = {single.name: _value(view, aligned, single) for single in parts}
    return {name: np.where(np.isfinite(value), value, np.nan) for name, value in values.items()}


def _value(view: Classes, aligned: AlignedLabels, single: Single) -> Numbers:
    metric, arguments = single.metric, dict(single.arguments)
    if not any(parameter.name == "average" for parameter in metric.parameters):
        value: Numbers = metric.apply(view, single.arguments)
        return value
    if metric.combines and arguments["of"] == "averages":
        kernels = (all_metrics(metric.task)[name].kernel for name in metric.combines)
        first, second = (_averaged(view, kernel, {}, aligned, single) for kernel in kernels)
        return harmonic_values(first, second, arguments["alpha"])
    return _averaged(view, metric.kernel, metric.kernel_arguments(single.arguments), aligned, single)


def _averaged(
    view: Classes, kernel: Callable[..., Numbers], arguments: dict[str, Any], aligned: AlignedLabels, single: Single
) -> Numbers:
    """The value of classes or items as one value of each list."""
    average = average_of(single)
    if average == "micro":
        return kernel(view.together(), **arguments)
    if average == "samples":
        items = aligned.by_item
        of_each = kernel(Counts.of(items), **arguments)
        weight = np.where(np.isnan(of_each), 0.0, items.items)
        lists = Segments(items.list, view.count_of_segments)
        return lists.sum(np.nan_to_num(of_each) * weight) / lists.sum(weight)
    of_each = kernel(Counts.of(view.rows), **arguments)
    if average == "class":
        return _of_class(view, of_each, code_of_class(aligned.classes, single))
    defined = view.is_class & ~np.isnan(of_each)
    weight = np.where(defined, view.wanted if average == "weighted" else 1.0, 0.0)
    return view.sum(np.where(defined, of_each, 0.0) * weight) / view.sum(weight)


def _of_class(view: Classes, of_each: Numbers, code: int) -> Numbers:
    """The value of one class in each list; NaN where the list does not have it."""
    values = np.full(view.count_of_segments, np.nan)
    rows = np.flatnonzero(view.rows.class_ == code)
    values[view.rows.list[rows]] = of_each[rows]
    return values


def _left_out(view: Classes, single: Single) -> Numbers:
    """How many classes of each list the average leaves out; the F of two averages leaves out what either of them does."""
    known, counts = all_metrics(single.metric.task), Counts.of(view.rows)
    if single.metric.combines and dict(single.arguments)["of"] == "averages":
        values = [known[name].kernel(counts) for name in single.metric.combines]
    else:
        values = [single.metric.apply(counts, single.arguments)]
    return view.over_classes(np.any(np.isnan(values), axis=0).astype(np.float64))


def _skipped(view: Classes, aligned: AlignedLabels, parts: list[Single]) -> list[Diagnostic]:
    """One notice for each set of measures that leave out the same classes."""
    groups: dict[tuple[str, int, int], list[str]] = {}
    for single in parts:
        if average_of(single) not in {"macro", "weighted"}:
            continue
        left_out = _left_out(view, single).reshape(len(aligned.systems), -1)
        for system, counts in zip(aligned.systems, left_out, strict=True):
            if counts.any():
                groups.setdefault((system, int(counts.sum()), int((counts > 0).sum())), []).append(single.name)
    return [notices.skipped_classes(names, *key) for key, names in groups.items()]


def _with_worst(aligned: AlignedLabels, values: dict[str, Numbers], parts: list[Single]) -> dict[str, Numbers]:
    """The worst end of the range for a missing case where a perfect output has a value, else what no answers give."""
    cells, classes, items = aligned.cells, aligned.by_class, aligned.by_item
    best = replace(aligned, cells=cells._replace(system=cells.gold), by_class=_all_right(classes), by_item=_all_right(items))
    perfect = _values(Classes(best), best, parts)
    worst = {}
    for single in parts:
        value, end = values[single.name], worst_end(single)
        possible = aligned.missing & ~np.isnan(perfect[single.name])
        worst[single.name] = value if end is None else np.where(possible, float(end), value)
    return worst


R = TypeVar("R", ClassRows, ItemRows)


def _all_right(rows: R) -> R:
    """The counts of an output that is as the gold."""
    none = np.zeros(len(rows.tp))
    return rows._replace(tp=rows.tp + rows.fn, fp=none, fn=none)
