"""Rankings: the terms that add up to a score."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.compute.by_rank import applied, view_of
from plumbline.compute.reliability_sensitivity import needs_relations
from plumbline.errors.base import plural
from plumbline.schema import GRADE, ITEM, RANK
from plumbline.tools.why.relations import explain_relations
from plumbline.views.terms import Terms

if TYPE_CHECKING:
    from plumbline.align.ranking import AlignedRankings
    from plumbline.metrics.measure import Single
    from plumbline.tools.why.result import Why

TERM: Final = "term"
SUM: Final = "sum"


def explain_ranking(aligned: AlignedRankings, measure: Single, number: int, plain: Why, item: str | None) -> Why:
    """The judged items shown, with their terms where the score is a sum over them, or the relations that were lost."""
    if needs_relations(measure):
        return explain_relations(aligned, measure, number, plain, item)
    view = view_of(aligned)
    kernel = applied(view, measure)
    of_list = np.flatnonzero(view.of == number)
    shown = view.rows.take(of_list).frame(aligned.gold).select(pl.col(RANK).cast(pl.Int64), ITEM, GRADE)
    if not isinstance(kernel, Terms):
        return _narrowed(replace(plain, rows=shown), measure, item)
    total, divisor = view.total(kernel.each)[number], np.broadcast_to(kernel.over, view.shown.shape)[number]
    if not shown.is_empty():
        term = pl.Series(TERM, kernel.each[of_list].astype(np.float64))
        shown = shown.with_columns(term, term.cum_sum().alias(SUM))
    over = None if np.isnan(divisor) else float(divisor)
    return _narrowed(replace(plain, rows=shown, total=float(total), divisor=over), measure, item)


def _narrowed(why: Why, measure: Single, item: str | None) -> Why:
    """The rows that count, or the row of one item; those after the cut-off are only counted."""
    if item is not None:
        alone = why.rows.filter(pl.col(ITEM) == item)
        remark = "" if len(alone) else f"{item} adds nothing: it is not judged, or not in the list"
        return replace(why, rows=alone, remark=remark)
    cutoff = dict(measure.arguments).get("k") if measure.metric.at == "k" else None
    if not isinstance(cutoff, int):
        return why
    counted = why.rows.filter(pl.col(RANK) <= cutoff)
    after = len(why.rows) - len(counted)
    remark = f"{plural(after, 'judged item')} after rank {cutoff} {'does' if after == 1 else 'do'} not count" if after else ""
    return replace(why, rows=counted, remark=remark)
