"""Reliability and Sensitivity of clusterings: precision and recall of "shares a cluster"."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from plumbline.metrics.clustering.settings import OVERLAPS
from plumbline.metrics.registry import metric
from plumbline.metrics.relation_parameters import PAPER, closed_form_parameters
from plumbline.views.contingency import Contingency, Numbers
from plumbline.views.neighbours import Side, as_often_as_gold, relations
from plumbline.views.relations import Over, Setting

RELATIONS: Final[dict[str, Any]] = {
    **OVERLAPS,
    **PAPER,
    "settings": closed_form_parameters("related"),
    "undefined": "over=priority asks for levels, and a clustering has one",
}


@metric("Rel", aliases={"Reliability": {}}, **RELATIONS, claims=("homogeneity", "rag bag"))
def reliability(v: Contingency, over: Over, setting: Setting) -> Numbers:
    r"""Reliability of relatedness: the share of asserted relations that the gold has, over all occurrences.

    $$Avg_o \, Avg_{o'} \frac{\min(n_G, n_X)}{n_X}$$

    An item in two clusters occurs twice. Without overlaps it is BCubed precision. In an `unlimited` collection the items of the
    gold are one level above a tail without end, whose weight `n`, `w`, `discount` and `weights` set; `over=priority` then asks
    whether they are there as often as in the gold.
    """
    return _closed(v, "cluster", over, setting)


@metric(
    "Sens",
    aliases={"Sensitivity": {}},
    **RELATIONS,
    claims=("completeness", "size versus quantity", "size versus quantity, overlapping"),
)
def sensitivity(v: Contingency, over: Over, setting: Setting) -> Numbers:
    r"""Sensitivity of relatedness: the share of the gold's relations that the output has, over all occurrences.

    $$Avg_o \, Avg_{o'} \frac{\min(n_G, n_X)}{n_G}$$

    Without overlaps it is BCubed recall. The parameters are those of Rel.
    """
    return _closed(v, "class", over, setting)


def _closed(v: Contingency, side: Side, over: Over, setting: Setting) -> Numbers:
    """The sums over relations, where all occurrences are in one level and so weigh the same."""
    curve = setting.curve
    if setting.finite:
        return relations(v, side) if over == "related" else np.full(len(v.items), np.nan)
    tail = curve.left(v.side(side).total)
    if over == "related":
        return (1.0 - tail) * relations(v, side) + tail
    return (1.0 - tail) + tail * as_often_as_gold(v, side) if setting.tail_credit == "true" else as_often_as_gold(v, side)
