"""The expectation over all orders of equal scores: exact where a formula allows it, else over the orders themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.align.judged_rows import JudgedRows
from plumbline.compute.by_rank import applied, measured, view_of_rows, where_defined
from plumbline.compute.computed import Computed
from plumbline.errors import BadUsage, notices, usage
from plumbline.lazily import pl
from plumbline.metrics.measure import Single
from plumbline.schema import LIST, OFFSET, SIZE
from plumbline.views.cascade import STOPS, expected_worth
from plumbline.views.ranked import Ranked
from plumbline.views.tie_orders import LONGEST, MOST_ORDERS, longest_list, merged, orders, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.ranking import AlignedRankings
    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Measure


def mean_over_orders(aligned: AlignedRankings, measures: list[Measure]) -> Computed:
    """The mean of every measure over all orders, on every list."""
    linear = [measure for measure in measures if isinstance(measure, Single) and _is_linear(measure, aligned)]
    cascades = [measure for measure in measures if isinstance(measure, Single) and measure.metric.linear == "cascade"]
    others = [measure for measure in measures if measure not in linear and measure not in cascades]
    rows = aligned.rows.frame(aligned.gold)
    values: dict[str, NDArray[Any]] = {}
    if linear:
        values |= _linear(aligned, rows, list(linear))
    if cascades:
        values |= _of_cascades(aligned, cascades)
    messages: list[Diagnostic] = []
    if others:
        means, messages = _over_orders(aligned, rows, others)
        values |= means
    return Computed.of(values, len(aligned.shown), measures, tuple(messages))


def _is_linear(measure: Single, aligned: AlignedRankings) -> bool:
    return measure.metric.linear is True or (measure.metric.linear == "full lists" and aligned.policy.depth is None)


def _linear(aligned: AlignedRankings, rows: pl.DataFrame, measures: list[Measure]) -> dict[str, NDArray[Any]]:
    """Measures that are sums over items: every rank that an item may have counts with its probability."""
    rows = merged(rows)
    if longest_list(rows) > LONGEST:
        raise BadUsage(usage.too_many_ranks(longest_list(rows)))
    parts = [
        measured(view_of_rows(aligned, JudgedRows.of(block.rows), block.sources, expanded=True), measures)
        for block in spread(rows, len(aligned.shown))
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _of_cascades(aligned: AlignedRankings, measures: list[Single]) -> dict[str, NDArray[Any]]:
    """Measures of a reader who stops somewhere, by a recursion over groups of equal scores."""
    count = len(aligned.shown)
    view = Ranked(aligned.rows, aligned.shown, np.arange(count) % len(aligned.cases), aligned.gold)
    values = {}
    for single in measures:
        kernel = applied(view, single)
        if kernel.cascade is None:  # pragma: no cover - those that declare one return one
            continue
        columns = {LIST: view.of, OFFSET: view.rows.offset, SIZE: view.rows.size}
        rows = pl.DataFrame({**columns, STOPS: kernel.cascade.stops.astype(np.float64)})
        worth = expected_worth(rows, count, kernel.cascade.down_to(aligned.policy.depth))
        values[single.name] = where_defined(view, single, kernel, worth)
    return values


def _over_orders(
    aligned: AlignedRankings, rows: pl.DataFrame, measures: list[Measure]
) -> tuple[dict[str, NDArray[Any]], list[Diagnostic]]:
    """The mean over all orders of equal scores, each order scored as a list of its own."""
    parts, sources, sampled, count = [], [], 0, len(aligned.shown)
    by_item = aligned.gold.subtopics is not None or aligned.gold.sample is not None
    for block, drawn in orders(rows, aligned.policy.seed, aligned.cases, by_item=by_item):
        parts.append(measured(view_of_rows(aligned, JudgedRows.of(block.rows), block.sources), measures))
        sources.append(block.sources)
        sampled += drawn
    absent = np.setdiff1d(np.arange(count), aligned.rows.list)
    if len(absent):
        nothing = aligned.rows.take(np.empty(0, dtype=np.int64))
        parts.append(measured(view_of_rows(aligned, nothing, absent), measures))
        sources.append(absent)
    source = np.concatenate(sources)
    values = {name: _mean(np.concatenate([part[name] for part in parts]), source, count) for name in parts[0]}
    messages = [notices.sampled_ties([measure.name for measure in measures], sampled, MOST_ORDERS)] if sampled else []
    return values, messages


def _mean(values: NDArray[Any], source: NDArray[np.int64], count: int) -> NDArray[Any]:
    """The mean of the orders of each list that have a value; of texts, that of the first order."""
    if values.dtype.kind != "f":
        return values[np.unique(source, return_index=True)[1]]
    known = ~np.isnan(values)
    totals = np.bincount(source[known], weights=values[known], minlength=count)
    with np.errstate(invalid="ignore"):
        return totals / np.bincount(source[known], minlength=count)
