"""Metrics that know the right not to answer: an item that is missing, or has a score of exactly 0.5, is left open."""

from __future__ import annotations

from plumbline.metrics.filtering.settings import SCORES
from plumbline.metrics.registry import NEVER, metric
from plumbline.views.confusion import Answers, Numbers, ratio

OPEN = {**SCORES, "needs": "answers"}


@metric(
    "c1",
    range=(0, 1),
    paper="penas2011",
    undefined=NEVER,
    aliases={"c@1": {}},
    **OPEN,
    claims=("strict monotonicity", "definiteness", "strong definiteness"),
)
def c_at_1(a: Answers) -> Numbers:
    r"""Accuracy in which an open item earns the share of right answers among all items.

    $$\frac{1}{n} \Big( n_{right} + n_{open} \frac{n_{right}}{n} \Big)$$
    """
    return (a.right + a.open * a.right / a.n) / a.n


@metric(
    "F05u",
    range=(0, 1),
    paper="bevendorff2019",
    undefined="there is no positive item, no accepted item and no open item",
    **OPEN,
    claims=("definiteness", "growing quality"),
)
def f_half_unanswered(a: Answers) -> Numbers:
    r"""F with twice the weight on precision, in which every open item counts as missed.

    $$\frac{1.25\,TP}{1.25\,TP + 0.25\,(FN + n_{open}) + FP}$$
    """
    return ratio(1.25 * a.tp, 1.25 * a.tp + 0.25 * (a.fn + a.open) + a.fp)
