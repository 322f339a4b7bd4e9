"""Utility-based metrics: every decision has a fixed worth."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from plumbline.metrics.filtering.settings import COUNTS
from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import Below, Positive, Weight
from plumbline.views.confusion import Confusion, Numbers, ratio

WORTHS = dict.fromkeys(("tp", "tn", "fp", "fn"), (3.0, 0.25))
"""Gains and costs that the tests try; with a negative one, a wrong decision would be better than a right one."""


@metric(
    "Accuracy",
    linear=True,
    range=(0, 1),
    paper="amigo2019",
    undefined=NEVER,
    elsewhere={"sklearn": "accuracy_score"},
    **COUNTS,
    claims=("strict monotonicity", "definiteness", "strong definiteness"),
)
def accuracy(t: Confusion) -> Numbers:
    r"""Share of items that are decided correctly.

    $$P(S, G) + P(\neg S, \neg G)$$

    With few positive items, a filter that discards everything is nearly perfect.
    """
    return t.S_and_G + t.not_S_and_not_G


@metric(
    "ErrorRate",
    linear=True,
    range=(0, 1),
    paper="amigo2019",
    better="lower",
    undefined=NEVER,
    elsewhere={"sklearn": "zero_one_loss"},
    **COUNTS,
    claims=("strict monotonicity", "definiteness", "strong definiteness"),
)
def error_rate(t: Confusion) -> Numbers:
    r"""Share of items that are decided wrongly.

    $$P(\neg S, G) + P(S, \neg G)$$
    """
    return t.not_S_and_G + t.S_and_not_G


@metric(
    "WAcc",
    linear=True,
    range=(0, 1),
    paper="androutsopoulos2000",
    undefined=NEVER,
    **COUNTS,
    claims=("strict monotonicity", "definiteness", "strong definiteness", "absolute weighting"),
)
def weighted_accuracy(t: Confusion, *, lam: Annotated[float, Positive()]) -> Numbers:
    r"""Accuracy in which a positive item counts as much as lam negative ones.

    $$\frac{\lambda P(S, G) + P(\neg S, \neg G)}{\lambda P(G) + P(\neg G)}$$

    Accepting everything beats discarding everything where lam is above P(not G) / P(G).
    """
    return (lam * t.S_and_G + t.not_S_and_not_G) / (lam * t.G + t.not_G)


@metric(
    "Utility",
    linear=True,
    range=(None, None),
    paper="hull1998",
    samples=WORTHS,
    undefined=NEVER,
    **COUNTS,
    claims=("strict monotonicity", "definiteness", "strong definiteness", "absolute weighting"),
)
def utility(t: Confusion, *, tp: Weight = 2.0, tn: Weight = 0.0, fp: Weight = 1.0, fn: Weight = 0.0) -> Numbers:
    r"""What right decisions earn minus what wrong ones cost.

    $$tp \cdot TP + tn \cdot TN - fp \cdot FP - fn \cdot FN$$

    Costs are subtracted, so they are given as positive numbers; the default is the linear utility of TREC-11. Its size
    depends on the size of the case: see NUtility.
    """
    earned = tp * t.number("S_and_G") + tn * t.number("not_S_and_not_G")
    return earned - fp * t.number("S_and_not_G") - fn * t.number("not_S_and_G")


@metric(
    "NUtility",
    range=(0, 1),
    paper="robertson2002",
    samples=WORTHS,
    undefined="no output can earn anything there",
    **COUNTS,
    claims=("definiteness",),
)
def normalised_utility(
    t: Confusion,
    *,
    tp: Weight = 2.0,
    tn: Weight = 0.0,
    fp: Weight = 1.0,
    fn: Weight = 0.0,
    floor: Annotated[float, Below(1)] = -0.5,
    s: Annotated[float, Positive()] | None = None,
) -> Numbers:
    r"""Utility as a share of the best that the case allows, with a floor under the worst.

    $$\frac{\max(U / U_{best}, floor) - floor}{1 - floor}$$

    The default is TREC-11's T11SU: an output without any item scores 1/3. `s` uses TREC-7's floor instead, the utility of an
    output of s wrong items: then the score of an empty output depends on how much there is to earn.
    """
    best = tp * (t.tp + t.fn) + tn * (t.fp + t.tn)
    share = np.where(best > 0, ratio(utility(t, tp=tp, tn=tn, fp=fp, fn=fn), best), np.nan)
    lowest = floor if s is None else -fp * s / best
    return (np.maximum(share, lowest) - lowest) / (1.0 - lowest)
