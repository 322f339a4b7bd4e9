"""Filtering: every metric is one formula over the counts or scores of all systems and cases."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from plumbline.align.filtering import OPEN_CELLS
from plumbline.compute.computed import Computed, combined_values, finite, series_of, singles, worst_end
from plumbline.errors import BadData, labelling
from plumbline.lazily import pl
from plumbline.schema import LIST, SCORE
from plumbline.views.confusion import Answers, Confusion
from plumbline.views.scored import Scored, in_order
from plumbline.views.scored_arrays import Cells

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from plumbline.align.filtering import AlignedFilters
    from plumbline.metrics.measure import Measure, Single
    from plumbline.views.scored_arrays import ScoredArrays

Numbers: TypeAlias = "Mapping[str, NDArray[np.float64]]"
"""A count, or a value, of each name for each list."""


def compute_filtering(aligned: AlignedFilters, measures: list[Measure]) -> Computed:
    """The value of every measure on every list; a case that a system lacks scores the worst."""
    parts = singles(measures)
    if all(part.metric.needs != "scores" for part in parts):
        values = count_values(aligned.cells, parts)
    else:
        values = _columns(values_of(aligned.counts, aligned.scored, measures))
    if aligned.missing.any():
        values = _with_worst(aligned, values, parts)
    return Computed.of(combined_values(values, measures), len(aligned.missing), measures)


def values_of(counts: pl.DataFrame, scored: pl.DataFrame, measures: list[Measure]) -> pl.DataFrame:
    """`list` and a column for each single measure; scores may be in order already."""
    parts = singles(measures)
    by_score = [single for single in parts if single.metric.needs == "scores"]
    by_count = count_values(_columns(counts), [single for single in parts if single not in by_score])
    values = pl.DataFrame([counts[LIST], *starmap(series_of, by_count.items())])
    if by_score:
        ordered = scored if "accepted_positives" in scored.columns else in_order(scored)
        values = values.join(_by_score(ordered, by_score), on=LIST, how="left", maintain_order="left")
        values = values.with_columns(finite(pl.col(single.name)) for single in by_score)
    return values


def _columns(table: pl.DataFrame) -> dict[str, NDArray[np.float64]]:
    return {column.name: column.to_numpy() for column in table.get_columns() if column.name != LIST}


def count_values(counts: Numbers, parts: list[Single]) -> dict[str, NDArray[np.float64]]:
    """The values of measures of counts, with a count of each name for each list; NaN where a measure is undefined."""
    views: dict[str, Answers | Confusion] = {}
    values = {}
    with np.errstate(all="ignore"):
        for single in parts:
            smooth = dict(single.arguments).get("smooth", "none")
            key = "answers" if single.metric.needs == "answers" else smooth
            if key not in views:
                views[key] = Answers(counts) if key == "answers" else Confusion(counts, smooth)
            value = single.metric.apply(views[key], single.arguments)
            values[single.name] = np.where(np.isfinite(value), value, np.nan)
    return values


def _by_score(scored: pl.DataFrame, parts: list[Single]) -> pl.DataFrame:
    views = [Scored() for _ in parts]
    expressions = [
        single.metric.apply(view, single.arguments).alias(single.name) for single, view in zip(parts, views, strict=True)
    ]
    wanting = [single.name for single, view in zip(parts, views, strict=True) if view.needs_probabilities]
    if wanting:
        _check_probabilities(scored[SCORE], wanting)
    return scored.group_by(LIST, maintain_order=True).agg(expressions)


def array_values(view: ScoredArrays, single: Single) -> NDArray[np.float64] | None:
    """The value of a metric of scores for each list of the view; none if its formula is not one of arrays."""
    view.needs_probabilities = False
    try:
        with np.errstate(all="ignore"):
            made = single.metric.apply(view, single.arguments)
    except (TypeError, AttributeError):
        return None
    if not isinstance(made, Cells) or made.array.ndim != 1:
        return None
    if view.needs_probabilities and ((view.scores < 0) | (view.scores > 1)).any():
        _check_probabilities(pl.Series(view.scores), [single.name])
    return made.array


def _check_probabilities(scores: pl.Series, wanting: list[str]) -> None:
    known = scores.filter(scores.is_finite())
    outside = known.filter((known < 0) | (known > 1))
    if len(outside):
        raise BadData(labelling.not_probabilities(wanting, float(outside.to_numpy().min())))


def _with_worst(aligned: AlignedFilters, values: Numbers, parts: list[Single]) -> dict[str, NDArray[np.float64]]:
    """The worst end of the range for a missing case, or the value of an output that is wrong on every item."""
    positives, negatives = aligned.cells["fn"] + aligned.cells["tp"], aligned.cells["fp"] + aligned.cells["tn"]
    none = np.zeros(len(positives))
    perfect = _of_counts({"tp": positives, "fp": none, "fn": none, "tn": negatives}, parts)
    wrong = _of_counts({"tp": none, "fp": negatives, "fn": positives, "tn": none}, parts)
    made = {}
    for single in parts:
        end, possible = worst_end(single), ~(np.isnan(perfect[single.name]) & np.isnan(wrong[single.name]))
        worst = wrong[single.name] if end is None else np.where(possible, float(end), wrong[single.name])
        made[single.name] = np.where(aligned.missing, worst, values[single.name])
    return made


def _of_counts(counts: Numbers, parts: list[Single]) -> dict[str, NDArray[np.float64]]:
    """The values of decisions without scores, all of which are answers."""
    every = {**counts, **dict.fromkeys(OPEN_CELLS, np.zeros(len(counts["tp"])))}
    if all(part.metric.needs != "scores" for part in parts):
        return count_values(every, parts)
    table = pl.DataFrame([pl.Series(LIST, np.arange(len(counts["tp"]))), *starmap(pl.Series, every.items())])
    return _columns(values_of(table, hard_scores(table), list(parts)))


def hard_scores(counts: pl.DataFrame) -> pl.DataFrame:
    """Decisions without scores, as scores 1 and 0."""
    accepted = counts.select(LIST, pl.lit(1.0).alias(SCORE), pl.col("tp").alias("positives"), pl.col("fp").alias("negatives"))
    discarded = counts.select(LIST, pl.lit(0.0).alias(SCORE), pl.col("fn").alias("positives"), pl.col("tn").alias("negatives"))
    both = pl.concat([accepted, discarded])
    return both.filter(pl.col("positives") + pl.col("negatives") > 0)
