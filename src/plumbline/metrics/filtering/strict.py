"""Reliability and Sensitivity of a filter: both classes must be right."""

from __future__ import annotations

import polars as pl

from plumbline.metrics.filtering.settings import COUNTS
from plumbline.metrics.registry import metric
from plumbline.views.confusion import Confusion


@metric(
    "Rel",
    range=(0, 1),
    paper="amigo2013",
    undefined="the output has one class only",
    aliases={"Reliability": {}},
    elsewhere={"PyEvALL": "Pri-Rel"},
    **COUNTS,
)
def reliability(t: Confusion) -> pl.Expr:
    r"""Reliability: the precision of the positive class times that of the negative class.

    $$P(G|S) \, P(\neg G|\neg S)$$

    Of the pairs that the filter puts in an order, the share that the gold puts in the same order, in closed form.
    """
    return t.G_if_S * t.not_G_if_not_S


@metric(
    "Sens",
    range=(0, 1),
    paper="amigo2013",
    undefined="the gold has one class only",
    aliases={"Sensitivity": {}},
    elsewhere={"PyEvALL": "Pri-Sen"},
    **COUNTS,
)
def sensitivity(t: Confusion) -> pl.Expr:
    r"""Sensitivity: the recall of the positive class times that of the negative class.

    $$P(S|G) \, P(\neg S|\neg G)$$
    """
    return t.S_if_G * t.not_S_if_not_G
