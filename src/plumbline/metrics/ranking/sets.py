"""The list taken as a set: what was shown, whatever the order."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import AtLeast, Between, Level, Weight
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms, Value

EMPTY_OR_NOTHING = "the list is empty or the gold has no relevant item there"


@metric(
    "SetP",
    ordered=False,
    range=(0, 1),
    paper="vanrijsbergen1979",
    empty=0.0,
    linear=True,
    aliases={"set_P": {}},
    undefined=EMPTY_OR_NOTHING,
    elsewhere={"trec_eval": "set_P", "ir_measures": "SetP"},
    claims=("closeness threshold", "confidence"),
    ideal_below_best="the ideal list also shows items with a gain below rel",
)
def set_precision(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Share of relevant items among all items shown.

    $$\frac{hits}{n}$$
    """
    return Terms(lists.relevant(rel), over=lists.shown, given=lists.some_relevant(rel))


@metric(
    "SetR",
    ordered=False,
    range=(0, 1),
    paper="vanrijsbergen1979",
    linear=True,
    aliases={"set_recall": {}},
    elsewhere={"trec_eval": "set_recall", "ir_measures": "SetR"},
    claims=("closeness threshold",),
)
def set_recall(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Share of the relevant items that are shown.

    $$\frac{hits}{R}$$
    """
    return Terms(lists.relevant(rel), over=lists.R(rel))


@metric(
    "SetF",
    ordered=False,
    range=(0, 1),
    paper="vanrijsbergen1979",
    empty=0.0,
    linear=True,
    aliases={"set_F": {}},
    elsewhere={"trec_eval": "set_F", "ir_measures": "SetF"},
    claims=("closeness threshold", "confidence"),
    ideal_below_best="the ideal list also shows items with a gain below rel",
)
def set_f(lists: Ranked, *, rel: Level = 1.0, beta: Annotated[float, Between(0, 1000)] = 1.0) -> Terms:
    r"""Harmonic mean of set precision and set recall.

    $$F_\beta = \frac{(1 + \beta^2)\, hits}{n + \beta^2 R}$$

    The parameter of trec_eval's set_F, which ir_measures passes on as beta, is beta squared here.
    """
    return Terms(
        (1.0 + beta**2) * lists.relevant(rel), over=lists.shown + beta**2 * lists.R(rel), given=lists.some_relevant(rel)
    )


@metric(
    "SetAP",
    ordered=False,
    range=(0, 1),
    paper="treceval",
    empty=0.0,
    aliases={"set_map": {}},
    undefined=EMPTY_OR_NOTHING,
    elsewhere={"trec_eval": "set_map"},
    claims=("closeness threshold", "confidence"),
    ideal_below_best="the ideal list also shows items with a gain below rel",
)
def set_average_precision(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Set precision times set recall.

    $$\frac{hits^2}{n R}$$
    """
    hits = lists.each(lists.sum(lists.relevant(rel)))
    return Terms(lists.relevant(rel) * hits, over=lists.shown * lists.R(rel), given=lists.some_relevant(rel))


@metric(
    "SetRelativeP",
    ordered=False,
    range=(0, 1),
    paper="treceval",
    empty=0.0,
    linear=True,
    aliases={"set_relative_P": {}},
    undefined=EMPTY_OR_NOTHING,
    elsewhere={"trec_eval": "set_relative_P"},
    claims=("closeness threshold",),
    ideal_below_best="the ideal list also shows items with a gain below rel",
)
def set_relative_precision(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Set precision as a share of the best that the length of the list allows.

    $$\frac{hits}{\min(n, R)}$$
    """
    return Terms(lists.relevant(rel), over=np.minimum(lists.shown, lists.R(rel)), given=lists.some_relevant(rel))


@metric(
    "Utility",
    ordered=False,
    range=(None, None),
    paper="treceval",
    undefined=NEVER,
    linear=True,
    aliases={"utility": {}},
    elsewhere={"trec_eval": "utility"},
    claims=("closeness threshold", "confidence"),
    ideal_can_be_beaten="its weights are free, so that showing less can be worth more",
)
def utility(
    lists: Ranked,
    *,
    tp: Weight = 1.0,
    fp: Weight = -1.0,
    fn: Weight = 0.0,
    tn: Weight = 0.0,
    docs: Annotated[float, AtLeast(0)] = 0.0,
    rel: Level = 1.0,
) -> Value:
    r"""Weighted sum of what was shown and what was not.

    $$tp \cdot hits + fp \cdot (n - hits) + fn \cdot (R - hits) + tn \cdot (docs - n - R + hits)$$

    A weight on true negatives needs `docs`, the size of the collection.
    """
    hits, shown, R = lists.total(lists.relevant(rel)), lists.shown, lists.count(rel)
    return Value(tp * hits + fp * (shown - hits) + fn * (R - hits) + tn * (docs + hits - shown - R))
