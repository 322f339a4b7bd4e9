"""Inferred average precision."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Level
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms

EPSILON = 0.00001


@metric(
    "infAP",
    range=(0, 1),
    paper="yilmaz2006",
    elsewhere={"trec_eval": "infAP", "ir_measures": "infAP"},
    claims=("priority", "closeness threshold"),
    ideal_below_best="its epsilon keeps it just below 1",
    ideal_can_be_beaten="its estimate rewards items that are pooled but not judged above a relevant one",
)
def inferred_average_precision(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Average precision estimated from a judged sample of the pool.

    $$\frac{1}{R} \sum_i rel_i \Big( \frac{1}{i} + \frac{i - 1}{i} \cdot \frac{pool_i}{i - 1}
      \cdot \frac{rel^<_i + \epsilon}{rel^<_i + nonrel^<_i + 2 \epsilon} \Big)$$

    A negative grade means in the pool but not judged. With the whole pool judged it is AP, but for the small epsilon.
    """
    above_relevant = lists.so_far(lists.relevant(rel)) - 1
    above_irrelevant = lists.so_far(lists.nonrelevant(rel))
    pooled = above_relevant + above_irrelevant + lists.so_far(lists.grade < 0)
    expected = (above_relevant + EPSILON) / (above_relevant + above_irrelevant + 2 * EPSILON)
    precision = np.where(lists.rank == 1, 1.0, (1.0 + pooled * expected) / lists.rank)
    return Terms(np.where(lists.relevant(rel), precision, 0.0), over=lists.R(rel))
