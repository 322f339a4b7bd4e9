"""Reliability and Sensitivity: precision and recall of relations between documents."""

from __future__ import annotations

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Part
from plumbline.views.discount import DiscountName
from plumbline.views.priority import Absent
from plumbline.views.relations import Collection, Numbers, OverBoth, Relations, Setting, YesOrNo


@metric(
    "Rel",
    task="organization",
    needs="relations",
    range=(0, 1),
    paper="amigo2013",
    undefined="the output has no relation there",
    aliases={"Reliability": {}},
)
def reliability(  # noqa: PLR0913 - one for each parameter
    relations: Relations,
    *,
    over: OverBoth = "both",
    collection: Collection = "unlimited",
    n: Cutoff = 30,
    w: Part = 0.8,
    discount: DiscountName = "inverse_square",
    weights: str | None = None,
    tail_credit: YesOrNo = "false",
    absent: Absent = "unknown",
) -> Numbers:
    r"""Reliability: of the relations that the output asserts, the weighted share that the gold has.

    $$\sum_{r(d,d') \in X} P(r(d,d') \in G) \, \frac{w_X(d) \, w_X(d')}{W_{X,d}}$$

    `over=priority` looks at what is above what, `over=related` at what shares a cluster, `both` is their harmonic mean.
    The first `n` positions carry `w` of the weight, spread by `discount`; the rest is that of the tail, the documents that were
    not prioritised. In a `finite` collection there is no tail, and every occurrence weighs the same.
    """
    setting = Setting(collection, n, w, discount, weights, tail_credit, absent)
    return relations.value("Rel", over, setting)


@metric(
    "Sens",
    task="organization",
    needs="relations",
    range=(0, 1),
    paper="amigo2013",
    undefined="the gold has no relation there",
    aliases={"Sensitivity": {}},
)
def sensitivity(  # noqa: PLR0913 - one for each parameter
    relations: Relations,
    *,
    over: OverBoth = "both",
    collection: Collection = "unlimited",
    n: Cutoff = 30,
    w: Part = 0.8,
    discount: DiscountName = "inverse_square",
    weights: str | None = None,
    tail_credit: YesOrNo = "false",
    absent: Absent = "unknown",
) -> Numbers:
    r"""Sensitivity: of the relations that the gold has, the weighted share that the output asserts.

    $$\sum_{r(d,d') \in G} P(r(d,d') \in X) \, \frac{w_G(d) \, w_G(d')}{W_{G,d}}$$

    Reliability with output and gold exchanged; the parameters are the same.
    """
    setting = Setting(collection, n, w, discount, weights, tail_credit, absent)
    return relations.value("Sens", over, setting)
