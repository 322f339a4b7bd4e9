"""G: gain discounted by what an ideal list would have gained."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.ranking.cumulated_gain import NO_GAIN
from plumbline.metrics.ranking.gains import gain_of_item
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Level
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms


@metric(
    "binG",
    range=(0, 1),
    paper="treceval",
    elsewhere={"trec_eval": "binG"},
    claims=("priority", "deepness", "closeness threshold"),
)
def binary_gain(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Relevant items, each discounted by the items above it that are not relevant.

    $$\frac{1}{R} \sum_i \frac{rel_i}{\log_2(2 + i - hits_i)}$$

    An experimental measure of trec_eval.
    """
    other = lists.rank - lists.so_far(lists.relevant(rel))
    return Terms(lists.relevant(rel) / np.log2(2.0 + other), over=lists.R(rel))


@metric(
    "G",
    range=(0, 1),
    paper="treceval",
    undefined=NO_GAIN,
    elsewhere={"trec_eval": "G"},
    claims=("priority", "deepness", "closeness threshold"),
)
def graded_gain(lists: Ranked) -> Terms:
    r"""Gains, each discounted by how far the list is behind the ideal one.

    $$\frac{1}{cg^*} \sum_i \frac{g_i}{\log_2(2 + cost_i - cg_i)}$$

    The cost of a place is the gain of the ideal list there, at least 1. An experimental measure of trec_eval.
    """
    gained = gain_of_item(lists, "linear")
    ideal = lists.ideal_at_rank(lambda grades: lists.ideal.running(np.maximum(grades, 1.0)))
    cost = ideal + np.maximum(lists.rank - lists.each(lists.gained_items()), 0.0)
    total = lists.ideal_total("gain", lambda grades: grades, np.ones_like, None)
    term = np.where(gained > 0, gained / np.log2(2.0 + cost - lists.running_sum(gained)), 0.0)
    return Terms(term, over=total)
