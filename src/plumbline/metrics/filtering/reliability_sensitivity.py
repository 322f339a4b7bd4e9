"""Reliability and Sensitivity of a filter: both classes must be right."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from plumbline.metrics.filtering.settings import COUNTS, SMOOTHED
from plumbline.metrics.registry import metric
from plumbline.metrics.relation_parameters import PAPER, closed_form_parameters
from plumbline.views.confusion import Confusion, Numbers
from plumbline.views.relations import Over, Setting

RELATIONS: Final[dict[str, Any]] = {**COUNTS, **PAPER, "settings": (*closed_form_parameters("priority"), *SMOOTHED)}


@metric(
    "Rel",
    undefined="the output has one class only",
    aliases={"Reliability": {}},
    elsewhere={"PyEvALL": "Pri-Rel"},
    **RELATIONS,
)
def reliability(t: Confusion, over: Over, setting: Setting) -> Numbers:
    r"""Reliability: the precision of the positive class times that of the negative class.

    $$P(G|S) \, P(\neg G|\neg S)$$

    Of the pairs that the filter puts in an order, the share that the gold puts in the same order, in closed form. In an
    `unlimited` collection the discarded items are a tail without end of weight t, and Rel is 1 - t + t P(G|S), or P(G|S) with
    `tail_credit=false`. `over=related` is 1 in a finite collection, where every item is alone on both sides. `n`, `w`,
    `discount` and `weights` set the weight of an unlimited tail.
    """
    return _closed(over, setting, t.G_if_S, t.not_G_if_not_S, setting.curve.left(t.tp + t.fp))


@metric(
    "Sens",
    undefined="the gold has one class only",
    aliases={"Sensitivity": {}},
    elsewhere={"PyEvALL": "Pri-Sen"},
    **RELATIONS,
    claims=("definiteness",),
)
def sensitivity(t: Confusion, over: Over, setting: Setting) -> Numbers:
    r"""Sensitivity: the recall of the positive class times that of the negative class.

    $$P(S|G) \, P(\neg S|\neg G)$$

    In an `unlimited` collection it is 1 - t + t P(S|G); the parameters are those of Rel.
    """
    return _closed(over, setting, t.S_if_G, t.not_S_if_not_G, setting.curve.left(t.tp + t.fn))


def _closed(over: Over, setting: Setting, positive: Numbers, negative: Numbers, tail: Numbers) -> Numbers:
    """The sums over relations, where there are two levels of single items, or one level and a tail."""
    if setting.finite:
        return positive * negative if over == "priority" else np.ones_like(tail)
    if over == "related":
        return (1.0 - tail) * positive + tail
    return (1.0 - tail) + tail * positive if setting.tail_credit == "true" else positive
