"""Reliability and Sensitivity of a ranking: precision and recall of "is above"."""

from __future__ import annotations

from typing import Any, Final

from plumbline.metrics.registry import Parameter, metric
from plumbline.metrics.relation_parameters import ABSENT, PAPER, relation_parameters
from plumbline.metrics.rules import Positive
from plumbline.views.relations import Numbers, Over, Relations, Setting

RELATIONS: Final[dict[str, Any]] = {
    **PAPER,
    "needs": "relations",
    "empty": 0.0,
    "ordered": False,
    "settings": (
        *relation_parameters("priority"),
        ABSENT,
        Parameter("rel", float, None, rule=Positive()),
    ),
}


@metric(
    "Rel",
    aliases={"Reliability": {}},
    **RELATIONS,
    claims=("priority", "deepness", "deepness threshold", "closeness threshold", "confidence"),
    ideal_below_best="items of one grade have different ranks, which states an order that the gold does not",
    ideal_can_be_beaten="equal scores state less, so that less can be wrong",
)
def reliability(relations: Relations, over: Over, setting: Setting) -> Numbers:
    r"""Reliability: of the priorities that the list states, the weighted share that the gold has.

    $$\sum_{r(d,d') \in X} P(r(d,d') \in G) \, \frac{w_X(d) \, w_X(d')}{W_{X,d}}$$

    A relation r is "above" or "below". The first `n` positions carry `w` of the weight; the rest is that of all documents
    that were not retrieved. A document counts as rightly above them when seen from the document, or with `tail_credit=false`
    only if it is relevant. A document that the other side lacks has no relation there, or with `absent=tail` lies below all
    others. Every grade of the gold above 0 is a level of its own, or every one from `rel` on. Equal scores
    are one level, whatever the tie rule.
    """
    return relations.value("Rel", over, setting)


@metric("Sens", aliases={"Sensitivity": {}}, **RELATIONS, claims=("closeness threshold",))
def sensitivity(relations: Relations, over: Over, setting: Setting) -> Numbers:
    r"""Sensitivity: of the priorities that the gold states, the weighted share that the list has.

    $$\sum_{r(d,d') \in G} P(r(d,d') \in X) \, \frac{w_G(d) \, w_G(d')}{W_{G,d}}$$

    Reliability with list and gold exchanged; the parameters are the same.
    """
    return relations.value("Sens", over, setting)
