"""The Q-measure."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from plumbline.metrics.ranking.gains import gain_of_item
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import AtLeast, Level
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms


@metric(
    "Q",
    range=(0, 1),
    paper="sakai2007",
    claims=("priority", "closeness threshold"),
    ideal_below_best="the ideal list also shows items with a gain below rel",
)
def q_measure(lists: Ranked, *, rel: Level = 1.0, beta: Annotated[float, AtLeast(0)] = 1.0) -> Terms:
    r"""Average precision with graded gains: the blended ratio at each relevant item.

    $$Q = \frac{1}{R} \sum_i rel_i \frac{hits_i + \beta\, cg_i}{i + \beta\, cg^*_i}$$

    cg is the cumulated gain of the list, cg* that of the ideal list. With beta = 0 it is AP.
    """
    relevant = lists.relevant(rel)
    gained = lists.running_sum(np.where(relevant, gain_of_item(lists, "linear"), 0.0))
    ideal = lists.ideal_at_rank(lambda grades: lists.ideal.running(grades * (grades >= rel)))
    blended = (lists.so_far(relevant) + beta * gained) / (lists.rank + beta * ideal)
    return Terms(relevant * blended, over=lists.R(rel))
