"""Extraction: counts of spans for each way of matching, then every measure as one expression over them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from plumbline.compute.averages import average_of, averaged, code_of_class, with_every_class
from plumbline.compute.computed import Computed, combined, finite, singles, worst_end
from plumbline.compute.floor import Floor
from plumbline.errors import BadUsage, Diagnostic, notices, slots, spans
from plumbline.metrics.registry import all_metrics
from plumbline.schema import CLASS, LIST
from plumbline.views.spans import SpanCounts, span_counts
from plumbline.views.terms import harmonic

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.align.extraction import AlignedSpans
    from plumbline.metrics.measure import Measure, Single
    from plumbline.views.matching import Match


class Matching(NamedTuple):
    """How spans are matched for a measure."""

    match: Match
    iou: float


def matching_of(single: Single) -> Matching:
    """How a measure matches spans."""
    arguments = dict(single.arguments)
    return Matching(arguments["match"], float(arguments["iou"]))


def compute_extraction(aligned: AlignedSpans, requested: list[Measure]) -> Computed:
    """The value of every measure on every list, of each type where it is not averaged; a missing case scores the worst."""
    measures = with_every_class(requested, aligned.classes)
    parts = singles(measures)
    counts = {matching: counts_for(aligned, matching, parts) for matching in dict.fromkeys(map(matching_of, parts))}
    values, skipped = values_of(counts, parts, aligned.classes, len(aligned.missing))
    if aligned.missing.any():
        values = _with_worst(aligned, counts, values, parts)
    return Computed(combined(values, measures), measures, tuple(_skipped(aligned, skipped, parts)))


def counts_for(aligned: AlignedSpans, matching: Matching, parts: list[Single]) -> pl.DataFrame:
    """The counts that the measures of one way of matching need."""
    _refuse_idle(matching, parts)
    _refuse_offsets(aligned.shape, matching, parts)
    if aligned.counts is not None:
        return aligned.counts[matching]
    return span_counts(aligned, *matching, muc=needs_verdicts(parts, matching))


def needs_verdicts(parts: list[Single], matching: Matching) -> bool:
    """Whether a measure of this way of matching looks at the verdict about each span."""
    return any(single.metric.needs == "verdicts" for single in parts if matching_of(single) == matching)


def _refuse_idle(matching: Matching, parts: list[Single]) -> None:
    """A threshold of overlap means nothing to other ways of matching, nor do verdicts about spans to positions."""
    of_it = [single for single in parts if matching_of(single) == matching]
    for single in of_it:
        parameter = single.metric.parameter("iou")
        if matching.match != "overlap" and parameter is not None and matching.iou != parameter.default:
            raise BadUsage(spans.idle_threshold(single.name, matching.match))
        if matching.match == "positions" and single.metric.needs == "verdicts":
            raise BadUsage(spans.no_verdicts(single.name))


def _refuse_offsets(shape: str, matching: Matching, parts: list[Single]) -> None:
    """Values of fields and relations have no positions."""
    if shape != "spans" and matching.match in {"overlap", "positions"}:
        name = next(single.name for single in parts if matching_of(single) == matching)
        raise BadUsage(slots.no_offsets(name, matching.match, shape, ["strict", "type", "partial"]))


def values_of(
    counts: dict[Matching, pl.DataFrame], parts: list[Single], classes: tuple[str, ...], lists: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`list` with a column for each single measure, and how many types each average left out."""
    every = pl.DataFrame({LIST: np.arange(lists)})
    values, skipped = every, every
    for matching, rows in counts.items():
        some = [single for single in parts if matching_of(single) == matching]
        grouped = every.join(rows, on=LIST, how="left", maintain_order="left").group_by(LIST, maintain_order=True)
        columns = [_expression(single, classes) for single in some]
        left_out = [_left_out(single).alias(single.name) for single in some if average_of(single) in {"macro", "weighted"}]
        values = values.with_columns(grouped.agg(columns).drop(LIST))
        skipped = skipped.with_columns(grouped.agg(left_out).drop(LIST)) if left_out else skipped
    return values, skipped


def _expression(single: Single, classes: tuple[str, ...]) -> pl.Expr:
    arguments = dict(single.arguments)
    if single.metric.combines and arguments["of"] == "averages":
        first, second = (
            _averaged(all_metrics(single.metric.task)[name].kernel, {}, single, classes) for name in single.metric.combines
        )
        return finite(harmonic(first, second, arguments["alpha"])).alias(single.name)
    kernel_arguments = single.metric.kernel_arguments(single.arguments)
    return finite(_averaged(single.metric.kernel, kernel_arguments, single, classes)).alias(single.name)


def _averaged(kernel: Callable[..., pl.Expr], arguments: dict[str, Any], single: Single, classes: tuple[str, ...]) -> pl.Expr:
    average = average_of(single)
    if average == "micro":
        return kernel(SpanCounts(together=True), **arguments)
    of_each = kernel(SpanCounts(), **arguments)
    if average == "class":
        of_class = of_each.filter(pl.col(CLASS) == code_of_class(classes, single)).first()
        return of_class if single.metric.undefined else of_class.fill_null(0)  # where there are no spans, their count is 0
    return averaged(of_each, str(average), weight=pl.col("wanted"), among=pl.col(CLASS).is_not_null())


def _left_out(single: Single) -> pl.Expr:
    """How many types of a list have no value."""
    value: pl.Expr = single.metric.apply(SpanCounts(), single.arguments)
    return (value.is_null() & pl.col(CLASS).is_not_null()).sum()


def _skipped(aligned: AlignedSpans, skipped: pl.DataFrame, parts: list[Single]) -> list[Diagnostic]:
    """One notice for each set of measures that leave out the same types."""
    cases = len(aligned.cases)
    groups: dict[tuple[str, int, int], list[str]] = {}
    for single in parts:
        if single.name in skipped.columns:
            for number, system in enumerate(aligned.systems):
                of_system = skipped[single.name][number * cases : (number + 1) * cases]
                if of_system.sum():
                    groups.setdefault((system, int(of_system.sum()), int((of_system > 0).sum())), []).append(single.name)
    return [notices.skipped_classes(names, *key) for key, names in groups.items()]


def _with_worst(
    aligned: AlignedSpans, counts: dict[Matching, pl.DataFrame], values: pl.DataFrame, parts: list[Single]
) -> pl.DataFrame:
    """The worst end of the range for a missing case where a perfect output has a value, else what no spans give."""
    right = {name: pl.col("wanted") for name in ("given", "right_wanted", "right_given", "cor")}
    none = {name: pl.lit(0.0) for name in ("inc", "par", "mis", "spu")}
    ideal = {matching: rows.with_columns(**right, **none) for matching, rows in counts.items()}
    perfect, _ = values_of(ideal, parts, aligned.classes, len(values))
    absent = pl.Series(aligned.missing)
    columns = []
    for single in parts:
        end = worst_end(single)
        if end is not None and single.average == "mean":
            worst = pl.Series(np.full(len(values), float(end))).zip_with(
                perfect[single.name].is_not_null(), values[single.name]
            )
            columns.append(values[single.name].zip_with(~absent, worst).alias(single.name))
    return values.with_columns(columns)


def extraction_floor(aligned: AlignedSpans, measures: list[Measure], _rate: float) -> Floor:
    """Extractors that do not look at the text: no spans at all, and the spans of the document before, wherever they fall.

    Places of values and relations are about one document, so that those of another one say nothing.
    """
    wanted, count = aligned.wanted, len(aligned.gold.documents)
    sides = {"nothing": wanted.take(np.zeros(len(wanted), dtype=np.bool_))}
    if count > 1 and aligned.shape == "spans":
        shifted = replace(wanted, document=(wanted.document + 1) % count)
        sides["document before"] = shifted.take(np.lexsort((shifted.start, shifted.document)))
    nobody = np.zeros(len(aligned.cases), dtype=np.bool_)
    names = [LIST, *(measure.name for measure in measures)]
    plain = replace(aligned, missing=nobody, counts=None)
    made = {name: replace(plain, systems=(name,), given=(side,)) for name, side in sides.items()}
    return Floor({name: compute_extraction(one, measures).values.select(names) for name, one in made.items()})
