"""Measures that look at the ranks of judged items, on lists whose order is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.compute.computed import combined, finite, singles
from plumbline.schema import LIST, RANK, SHOWN
from plumbline.views.ranked import Ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.ranking import AlignedRankings
    from plumbline.metrics.measure import Measure, Single
    from plumbline.views.terms import Terms, Value


def measured(view: Ranked, measures: list[Measure]) -> pl.DataFrame:
    """Every measure, combinations after their parts."""
    parts = singles(measures)
    expressions = [expression(view, single) for single in parts]  # kernels add facts that the table then has
    made = view.table().group_by(LIST, maintain_order=True).agg(expressions)
    numbers = (finite(pl.col(single.name)) for single in parts if not single.metric.text)  # no formula is worked out twice
    return combined(made.with_columns(numbers), measures)


def view_of(aligned: AlignedRankings) -> Ranked:
    """The lists as they are ranked."""
    return view_of_rows(aligned, aligned.rows, np.arange(len(aligned.shown)))


def view_of_rows(aligned: AlignedRankings, rows: pl.DataFrame, sources: NDArray[np.int64], *, expanded: bool = False) -> Ranked:
    """The view of lists that come from these lists of the alignment, down to the depth."""
    depth = aligned.policy.depth
    kept = rows if depth is None else rows.filter(pl.col(RANK) <= depth)
    lengths = aligned.shown[sources] if depth is None else np.minimum(aligned.shown[sources], depth)
    return Ranked(kept, lengths, sources % len(aligned.cases), aligned.gold, expanded=expanded)


def expression(view: Ranked, single: Single) -> pl.Expr:
    """The score of a measure."""
    kernel = single.metric.apply(view, single.arguments)
    return where_defined(single, kernel, kernel.score())


def where_defined(single: Single, kernel: Terms | Value, score: pl.Expr) -> pl.Expr:
    """The score where the case allows one; an empty list gets the metric's value for it."""
    if single.metric.empty is not None:
        score = pl.when(pl.col(SHOWN).first() > 0).then(score).otherwise(single.metric.empty)
    return pl.when(kernel.defined()).then(score).alias(single.name)
