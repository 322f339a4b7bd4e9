"""The expectation over all orders of equal scores: exact where a formula allows it, else over the orders themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.compute.by_rank import measured, view_of_rows, where_defined
from plumbline.compute.computed import Computed
from plumbline.errors import BadUsage, notices, usage
from plumbline.metrics.measure import Single
from plumbline.schema import LIST, OFFSET, SIZE
from plumbline.views.cascade import STOPS, expected_worth
from plumbline.views.ranked import Ranked
from plumbline.views.sums import averaged
from plumbline.views.tie_orders import LONGEST, MOST_ORDERS, longest_list, merged, orders, spread

if TYPE_CHECKING:
    from plumbline.align.ranking import AlignedRankings
    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Measure


def mean_over_orders(aligned: AlignedRankings, measures: list[Measure]) -> Computed:
    """The mean of every measure over all orders, on every list."""
    linear = [measure for measure in measures if isinstance(measure, Single) and _is_linear(measure, aligned)]
    cascades = [measure for measure in measures if isinstance(measure, Single) and measure.metric.linear == "cascade"]
    others = [measure for measure in measures if measure not in linear and measure not in cascades]
    frames = [_linear(aligned, list(linear))] if linear else [pl.DataFrame({LIST: np.arange(len(aligned.shown))})]
    if cascades:
        frames.append(_of_cascades(aligned, cascades))
    messages: list[Diagnostic] = []
    if others:
        means, messages = _over_orders(aligned, others)
        frames.append(means)
    return Computed(pl.concat(frames, how="horizontal"), measures, tuple(messages))


def _is_linear(measure: Single, aligned: AlignedRankings) -> bool:
    return measure.metric.linear is True or (measure.metric.linear == "full lists" and aligned.policy.depth is None)


def _linear(aligned: AlignedRankings, measures: list[Measure]) -> pl.DataFrame:
    """Measures that are sums over items: every rank that an item may have counts with its probability."""
    rows = merged(aligned.rows)
    if longest_list(rows) > LONGEST:
        raise BadUsage(usage.too_many_ranks(longest_list(rows)))
    parts = [
        measured(view_of_rows(aligned, block.rows, block.sources, expanded=True), measures).drop(LIST)
        for block in spread(rows, len(aligned.shown))
    ]
    return pl.concat(parts).insert_column(0, pl.Series(LIST, np.arange(len(aligned.shown))))


def _of_cascades(aligned: AlignedRankings, measures: list[Single]) -> pl.DataFrame:
    """Measures of a reader who stops somewhere, by a recursion over groups of equal scores."""
    count = len(aligned.shown)
    view = Ranked(aligned.rows, aligned.shown, np.arange(count) % len(aligned.cases), aligned.gold)
    kernels = {single: single.metric.apply(view, single.arguments) for single in measures}
    table, columns = view.table(), []
    for single, kernel in kernels.items():
        rows = table.select(LIST, OFFSET, SIZE, kernel.cascade.stops.cast(pl.Float64).fill_null(0.0).alias(STOPS))
        worth = expected_worth(rows, count, kernel.cascade.down_to(aligned.policy.depth))
        scored = table.with_columns(pl.Series(single.name, worth).gather(table[LIST]))
        score = where_defined(single, kernel, pl.col(single.name).first())
        columns.append(scored.group_by(LIST, maintain_order=True).agg(score)[single.name])
    return pl.DataFrame(columns)


def _over_orders(aligned: AlignedRankings, measures: list[Measure]) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """The mean over all orders of equal scores, each order scored as a list of its own."""
    parts, sampled = [], 0
    by_item = aligned.gold.subtopics is not None or aligned.gold.sample is not None
    for block, drawn in orders(aligned.rows, aligned.policy.seed, aligned.cases, by_item=by_item):
        scored = measured(view_of_rows(aligned, block.rows, block.sources), measures)
        parts.append(scored.with_columns(pl.Series(LIST, block.sources)))
        sampled += drawn
    absent = np.setdiff1d(np.arange(len(aligned.shown)), aligned.rows[LIST].to_numpy())
    if len(absent):
        nothing = aligned.rows.clear()
        parts.append(measured(view_of_rows(aligned, nothing, absent), measures).with_columns(pl.Series(LIST, absent)))
    scored = pl.concat(parts)
    texts = [measure.name for measure in measures if measure.parts[0].metric.text]
    means = averaged(scored.drop(texts), LIST)
    firsts = scored.select(LIST, *texts).unique(LIST, keep="first").sort(LIST)
    messages = [notices.sampled_ties([measure.name for measure in measures], sampled, MOST_ORDERS)] if sampled else []
    return means.drop(LIST).hstack(firsts.drop(LIST)), messages
