"""Ranking: all measures on all lists in one pass over each view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.compute.by_rank import measured, view_of
from plumbline.compute.computed import Computed, combined, singles
from plumbline.compute.reliability_sensitivity import needs_relations, relation_columns
from plumbline.compute.tied_rankings import mean_over_orders
from plumbline.errors import BadUsage, usage

if TYPE_CHECKING:
    from plumbline.align.ranking import AlignedRankings
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
    if aligned.policy.ties == "average" and aligned.rows.group is not None:
        return mean_over_orders(aligned, measures)
    return Computed.of(measured(view_of(aligned), measures), len(aligned.shown), measures)


def _refuse_order(measures: list[Measure], *, cut: bool) -> None:
    """Equal scores kept as one level have no order, so a metric that looks at the order, or a cut list, has no value."""
    ordered = [single.name for single in singles(measures) if single.metric.ordered or cut]
    if ordered:
        raise BadUsage(usage.needs_order(ordered))
