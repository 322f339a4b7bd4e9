"""Reliability and Sensitivity of a ranking: precision and recall of "is above"."""

from __future__ import annotations

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Level, Part
from plumbline.views.discount import DiscountName
from plumbline.views.priority import Absent
from plumbline.views.relations import Collection, Numbers, Over, Relations, Setting, YesOrNo


@metric("Rel", needs="relations", range=(0, 1), paper="amigo2013", empty=0.0, ordered=False, aliases={"Reliability": {}})
def reliability(  # noqa: PLR0913 - one for each parameter
    relations: Relations,
    *,
    n: Cutoff = 30,
    w: Part = 0.8,
    over: Over = "priority",
    collection: Collection = "unlimited",
    discount: DiscountName = "inverse_square",
    weights: str | None = None,
    tail_credit: YesOrNo = "false",
    absent: Absent = "tail",
    rel: Level | None = None,
) -> Numbers:
    r"""Reliability: of the priorities that the list states, the weighted share that the gold has.

    $$\sum_{r(d,d') \in X} P(r(d,d') \in G) \, \frac{w_X(d) \, w_X(d')}{W_{X,d}}$$

    A relation r is "above" or "below". The first `n` positions carry `w` of the weight; the rest is that of all documents
    that were not retrieved. Every grade of the gold above 0 is a level of its own, or every one from `rel` on. Equal scores
    are one level, whatever the tie rule.
    """
    setting = Setting(collection, n, w, discount, weights, tail_credit, absent, rel)
    return relations.value("Rel", over, setting)


@metric("Sens", needs="relations", range=(0, 1), paper="amigo2013", empty=0.0, ordered=False, aliases={"Sensitivity": {}})
def sensitivity(  # noqa: PLR0913 - one for each parameter
    relations: Relations,
    *,
    n: Cutoff = 30,
    w: Part = 0.8,
    over: Over = "priority",
    collection: Collection = "unlimited",
    discount: DiscountName = "inverse_square",
    weights: str | None = None,
    tail_credit: YesOrNo = "false",
    absent: Absent = "tail",
    rel: Level | None = None,
) -> Numbers:
    r"""Sensitivity: of the priorities that the gold states, the weighted share that the list has.

    $$\sum_{r(d,d') \in G} P(r(d,d') \in X) \, \frac{w_G(d) \, w_G(d')}{W_{G,d}}$$

    Reliability with list and gold exchanged; the parameters are the same.
    """
    setting = Setting(collection, n, w, discount, weights, tail_credit, absent, rel)
    return relations.value("Sens", over, setting)
