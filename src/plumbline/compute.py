"""All measures on all lists in one pass over each view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.average import harmonic
from plumbline.errors import Diagnostic, notices
from plumbline.metrics.names import Combined
from plumbline.schema import GROUP, LIST, RANK, SHOWN
from plumbline.views.ranked import Ranked
from plumbline.views.tie_orders import MOST_ORDERS, by_grade, orders, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align import Aligned
    from plumbline.metrics.names import Measure, Single


@dataclass(frozen=True)
class Computed:
    """A column per measure and a row per list, null where undefined."""

    values: pl.DataFrame
    notices: tuple[Diagnostic, ...] = ()


def compute(aligned: Aligned, measures: list[Measure]) -> Computed:
    """The value of every measure on every list, system by system and cases in gold order."""
    singles = list(dict.fromkeys(part for measure in measures for part in measure.parts))
    said: list[Diagnostic] = []
    if aligned.policy.ties == "average" and GROUP in aligned.rows.columns:
        linear = [single for single in singles if single.metric.linear]
        others = [single for single in singles if not single.metric.linear]
        every = np.arange(len(aligned.shown))
        parts = [_scored(_view(aligned, spread(aligned.rows), every, expanded=True), linear)]
        if others:
            scored, said = _over_orders(aligned, others)
            parts.append(scored)
        values = pl.concat(parts, how="horizontal")
    else:
        values = _scored(view_of(aligned), singles)
    combined = [_f(measure) for measure in measures if isinstance(measure, Combined)]
    return Computed(values.with_columns(combined), tuple(said))


def view_of(aligned: Aligned) -> Ranked:
    """The lists as they are ranked."""
    return _view(aligned, aligned.rows, np.arange(len(aligned.shown)))


def _f(measure: Combined) -> pl.Expr:
    return harmonic(pl.col(measure.first.name), pl.col(measure.second.name), measure.alpha).alias(measure.name)


def _view(aligned: Aligned, rows: pl.DataFrame, sources: NDArray[np.int64], *, expanded: bool = False) -> Ranked:
    """The view of lists that come from these lists of the alignment, down to the depth."""
    depth = aligned.policy.depth
    kept = rows if depth is None else rows.filter(pl.col(RANK) <= depth)
    lengths = aligned.shown[sources] if depth is None else np.minimum(aligned.shown[sources], depth)
    return Ranked(kept, lengths, sources % len(aligned.cases), aligned.gold, expanded=expanded)


def _scored(view: Ranked, singles: list[Single]) -> pl.DataFrame:
    expressions = [_expression(view, single) for single in singles]
    return view.table().group_by(LIST, maintain_order=True).agg(expressions)


def _expression(view: Ranked, single: Single) -> pl.Expr:
    """The score where the case allows one; an empty list gets the metric's value for it."""
    kernel = single.metric.kernel(view, **dict(single.arguments))
    score = kernel.score()
    if not single.metric.text:
        score = score.cast(pl.Float64)
        score = pl.when(score.is_finite()).then(score)
    if single.metric.empty is not None:
        score = pl.when(pl.col(SHOWN).first() > 0).then(score).otherwise(single.metric.empty)
    return pl.when(kernel.defined()).then(score).alias(single.name)


def _over_orders(aligned: Aligned, singles: list[Single]) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """The mean over all orders of equal scores, each order scored as a list of its own."""
    rows, origin, sampled = orders(by_grade(aligned.rows), aligned.policy.seed)
    absent = sorted(set(range(len(aligned.shown))) - set(origin))
    sources = np.array([*origin, *absent], dtype=np.int64)
    scored = _scored(_view(aligned, rows, sources), singles).with_columns(pl.Series(LIST, sources))
    means = scored.group_by(LIST).agg(
        pl.col(single.name).first() if single.metric.text else pl.col(single.name).mean() for single in singles
    )
    said = [notices.sampled_ties([single.name for single in singles], sampled, MOST_ORDERS)] if sampled else []
    return means.sort(LIST).drop(LIST), said
