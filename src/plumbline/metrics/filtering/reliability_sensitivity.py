"""Reliability and Sensitivity of a filter: both classes must be right."""

from __future__ import annotations

import polars as pl

from plumbline.metrics.filtering.settings import COUNTS
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Part
from plumbline.views.confusion import Confusion
from plumbline.views.discount import ByPosition, curve, tail_after
from plumbline.views.relations import Collection, Over, YesOrNo


@metric(
    "Rel",
    range=(0, 1),
    paper="amigo2013",
    undefined="the output has one class only",
    aliases={"Reliability": {}},
    elsewhere={"PyEvALL": "Pri-Rel"},
    **COUNTS,
)
def reliability(  # noqa: PLR0913 - one for each parameter
    t: Confusion,
    *,
    over: Over = "priority",
    collection: Collection = "finite",
    n: Cutoff = 30,
    w: Part = 0.8,
    discount: ByPosition = "inverse_square",
    weights: str | None = None,
    tail_credit: YesOrNo = "false",
) -> pl.Expr:
    r"""Reliability: the precision of the positive class times that of the negative class.

    $$P(G|S) \, P(\neg G|\neg S)$$

    Of the pairs that the filter puts in an order, the share that the gold puts in the same order, in closed form. In an
    `unlimited` collection the discarded items are a tail without end, and P(G|S) remains. `over=related` is 1 in a finite
    collection, where every item is alone on both sides. `n`, `w`, `discount` and `weights` tell what an unlimited tail weighs.
    """
    tail = tail_after(curve(discount, n, w, weights), t.tp + t.fp)
    return _closed(over, collection, tail_credit, t.G_if_S, t.not_G_if_not_S, tail)


@metric(
    "Sens",
    range=(0, 1),
    paper="amigo2013",
    undefined="the gold has one class only",
    aliases={"Sensitivity": {}},
    elsewhere={"PyEvALL": "Pri-Sen"},
    **COUNTS,
    claims=("definiteness",),
)
def sensitivity(  # noqa: PLR0913 - one for each parameter
    t: Confusion,
    *,
    over: Over = "priority",
    collection: Collection = "finite",
    n: Cutoff = 30,
    w: Part = 0.8,
    discount: ByPosition = "inverse_square",
    weights: str | None = None,
    tail_credit: YesOrNo = "false",
) -> pl.Expr:
    r"""Sensitivity: the recall of the positive class times that of the negative class.

    $$P(S|G) \, P(\neg S|\neg G)$$

    In an `unlimited` collection P(S|G) remains; the parameters are those of Rel.
    """
    tail = tail_after(curve(discount, n, w, weights), t.tp + t.fn)
    return _closed(over, collection, tail_credit, t.S_if_G, t.not_S_if_not_G, tail)


def _closed(
    over: Over, collection: Collection, credit: YesOrNo, positive: pl.Expr, negative: pl.Expr, tail: pl.Expr
) -> pl.Expr:
    """The sums over relations, where there are two levels of single items, or one level and a tail."""
    if collection == "finite":
        return positive * negative if over == "priority" else tail.is_not_null().cast(pl.Float64)
    if over == "related":
        return (1.0 - tail) * positive + tail
    return (1.0 - tail) + tail * positive if credit == "true" else positive
