"""Reliability and Sensitivity: precision and recall of relations between documents."""

from __future__ import annotations

from typing import Any, Final, get_args

from plumbline.metrics.registry import metric
from plumbline.metrics.relation_parameters import ABSENT, PAPER, relation_parameters
from plumbline.views.relations import Numbers, OverAny, Relations, Setting

RELATIONS: Final[dict[str, Any]] = {
    **PAPER,
    "task": "organization",
    "needs": "relations",
    "settings": (*relation_parameters("both", kinds=get_args(OverAny)), ABSENT),
}


@metric(
    "Rel",
    undefined="the output has no relation there",
    aliases={"Reliability": {}},
    **RELATIONS,
    claims=(
        "priority",
        "deepness",
        "deepness threshold",
        "closeness threshold",
        "confidence",
        "definiteness",
        "strong definiteness",
        "homogeneity",
        "rag bag",
    ),
)
def reliability(relations: Relations, over: OverAny, setting: Setting) -> Numbers:
    r"""Reliability: of the relations that the output asserts, the weighted share that the gold has.

    $$\sum_{r(d,d') \in X} P(r(d,d') \in G) \, \frac{w_X(d) \, w_X(d')}{W_{X,d}}$$

    `over=priority` looks at what is above what, `over=related` at what shares a cluster, `both` is their harmonic mean.
    `joint` is one sum over both, in which a document shares its weight among all its relations.
    The first `n` positions carry `w` of the weight, spread by `discount`; the rest is that of the tail, the documents that were
    not prioritised. A document counts as rightly above the tail when seen from the document, or with `tail_credit=false` only
    if the other side has it. A document that the other side lacks has no relation there, or with `absent=tail` lies in its
    tail. In a `finite` collection there is no tail, and every occurrence weighs the same.
    """
    return relations.value("Rel", over, setting)


@metric(
    "Sens",
    undefined="the gold has no relation there",
    aliases={"Sensitivity": {}},
    **RELATIONS,
    claims=(
        "closeness threshold",
        "definiteness",
        "strong definiteness",
        "completeness",
        "size versus quantity",
        "size versus quantity, overlapping",
    ),
)
def sensitivity(relations: Relations, over: OverAny, setting: Setting) -> Numbers:
    r"""Sensitivity: of the relations that the gold has, the weighted share that the output asserts.

    $$\sum_{r(d,d') \in G} P(r(d,d') \in X) \, \frac{w_G(d) \, w_G(d')}{W_{G,d}}$$

    Reliability with output and gold exchanged; the parameters are the same.
    """
    return relations.value("Sens", over, setting)
