"""Measures that look at the ranks of judged items, on lists whose order is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.compute.computed import combined_values, singles
from plumbline.views.ranked import Ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.judged_rows import JudgedRows
    from plumbline.align.ranking import AlignedRankings
    from plumbline.metrics.measure import Measure, Single
    from plumbline.views.terms import Terms, Value


@np.errstate(all="ignore")  # where a formula divides by 0 there is no value, and no warning
def measured(view: Ranked, measures: list[Measure]) -> dict[str, NDArray[Any]]:
    """The values of every measure, combinations after their parts."""
    parts = {}
    for single in singles(measures):
        kernel: Terms | Value = single.metric.apply(view, single.arguments)
        parts[single.name] = where_defined(view, single, kernel, kernel.score(view))
    return combined_values(parts, measures)


@np.errstate(all="ignore")
def applied(view: Ranked, single: Single) -> Terms | Value:
    """What the kernel of a measure returns."""
    kernel: Terms | Value = single.metric.apply(view, single.arguments)
    return kernel


def view_of(aligned: AlignedRankings) -> Ranked:
    """The lists as they are ranked."""
    return view_of_rows(aligned, aligned.rows, np.arange(len(aligned.shown)))


def view_of_rows(aligned: AlignedRankings, rows: JudgedRows, sources: NDArray[np.int64], *, expanded: bool = False) -> Ranked:
    """The view of lists that come from these lists of the alignment, down to the depth."""
    depth = aligned.policy.depth
    kept = rows if depth is None else rows.take(rows.rank <= depth)
    lengths = aligned.shown[sources] if depth is None else np.minimum(aligned.shown[sources], depth)
    return Ranked(kept, lengths, sources % len(aligned.cases), aligned.gold, expanded=expanded)


def where_defined(view: Ranked, single: Single, kernel: Terms | Value, score: NDArray[Any]) -> NDArray[Any]:
    """The score where the case allows one and it is finite, else NaN; an empty list gets the metric's value for it."""
    if single.metric.text:
        return score
    if single.metric.empty is not None:
        score = np.where(view.shown > 0, score, single.metric.empty)
    return np.where(kernel.defined() & np.isfinite(score), score, np.nan)
