"""Ranking: all measures on all lists in one pass over each view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.compute.computed import Computed, combined, finite, singles
from plumbline.compute.reliability_sensitivity import needs_relations, relation_columns
from plumbline.errors import BadUsage, notices, usage
from plumbline.metrics.measure import Single
from plumbline.schema import GROUP, LIST, RANK, SHOWN
from plumbline.views.ranked import Ranked
from plumbline.views.tie_orders import MOST_ORDERS, by_grade, orders, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.ranking import AlignedRankings
    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Measure


def compute_ranking(aligned: AlignedRankings, measures: list[Measure]) -> Computed:
    """The value of every measure on every list, system by system and cases in gold order."""
    related = [measure for measure in measures if any(map(needs_relations, measure.parts))]
    if not related:
        return _by_rank(aligned, measures)
    plain = [part for part in singles(related) if not needs_relations(part)]
    by_rank = _by_rank(aligned, list(dict.fromkeys([*(one for one in measures if one not in related), *plain])))
    values = by_rank.values.with_columns(relation_columns(aligned, list(filter(needs_relations, singles(related)))))
    return Computed(combined(values, related), measures, by_rank.notices)


def _by_rank(aligned: AlignedRankings, measures: list[Measure]) -> Computed:
    """Measures that look at the ranks of judged items."""
    if aligned.policy.ties == "levels":
        _refuse_order(measures, cut=aligned.policy.depth is not None)
    if aligned.policy.ties == "average" and GROUP in aligned.rows.columns:
        return _averaged(aligned, measures)
    return Computed(_measured(view_of(aligned), measures), measures)


def _measured(view: Ranked, measures: list[Measure]) -> pl.DataFrame:
    """Every measure, combinations after their parts."""
    parts = singles(measures)
    expressions = [_expression(view, single) for single in parts]  # kernels add facts that the table then has
    made = view.table().group_by(LIST, maintain_order=True).agg(expressions)
    numbers = (finite(pl.col(single.name)) for single in parts if not single.metric.text)  # no formula is worked out twice
    return combined(made.with_columns(numbers), measures)


def _refuse_order(measures: list[Measure], *, cut: bool) -> None:
    """Equal scores kept as one level have no order, so a metric that looks at the order, or a cut list, has no value."""
    ordered = [single.name for single in singles(measures) if single.metric.ordered or cut]
    if ordered:
        raise BadUsage(usage.needs_order(ordered))


def _averaged(aligned: AlignedRankings, measures: list[Measure]) -> Computed:
    """The expectation over orders of equal scores: exact where a measure is a sum over items, else over the orders."""
    linear = [measure for measure in measures if isinstance(measure, Single) and _is_linear(measure, aligned)]
    others = [measure for measure in measures if measure not in linear]
    every = np.arange(len(aligned.shown))
    values = _measured(_view(aligned, spread(aligned.rows), every, expanded=True), list(linear))
    if not others:
        return Computed(values, measures)
    means, messages = _over_orders(aligned, others)
    return Computed(pl.concat([values, means], how="horizontal"), measures, tuple(messages))


def _is_linear(measure: Single, aligned: AlignedRankings) -> bool:
    return measure.metric.linear is True or (measure.metric.linear == "full lists" and aligned.policy.depth is None)


def view_of(aligned: AlignedRankings) -> Ranked:
    """The lists as they are ranked."""
    return _view(aligned, aligned.rows, np.arange(len(aligned.shown)))


def _view(aligned: AlignedRankings, rows: pl.DataFrame, sources: NDArray[np.int64], *, expanded: bool = False) -> Ranked:
    """The view of lists that come from these lists of the alignment, down to the depth."""
    depth = aligned.policy.depth
    kept = rows if depth is None else rows.filter(pl.col(RANK) <= depth)
    lengths = aligned.shown[sources] if depth is None else np.minimum(aligned.shown[sources], depth)
    return Ranked(kept, lengths, sources % len(aligned.cases), aligned.gold, expanded=expanded)


def _expression(view: Ranked, single: Single) -> pl.Expr:
    """The score where the case allows one; an empty list gets the metric's value for it."""
    kernel = single.metric.apply(view, single.arguments)
    score = kernel.score()
    if single.metric.empty is not None:
        score = pl.when(pl.col(SHOWN).first() > 0).then(score).otherwise(single.metric.empty)
    return pl.when(kernel.defined()).then(score).alias(single.name)


def _over_orders(aligned: AlignedRankings, measures: list[Measure]) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """The mean over all orders of equal scores, each order scored as a list of its own."""
    rows, origin, sampled = orders(by_grade(aligned.rows), aligned.policy.seed)
    absent = sorted(set(range(len(aligned.shown))) - set(origin))
    sources = np.array([*origin, *absent], dtype=np.int64)
    scored = _measured(_view(aligned, rows, sources), measures).with_columns(pl.Series(LIST, sources))
    means = scored.group_by(LIST).agg(
        pl.col(measure.name).first() if measure.parts[0].metric.text else pl.col(measure.name).mean() for measure in measures
    )
    messages = [notices.sampled_ties([measure.name for measure in measures], sampled, MOST_ORDERS)] if sampled else []
    return means.sort(LIST).drop(LIST), messages
