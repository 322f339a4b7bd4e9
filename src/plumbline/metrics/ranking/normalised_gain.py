"""G: gain discounted by what an ideal list would have gained."""

from __future__ import annotations

import numpy as np
import polars as pl

from plumbline.metrics.ranking.cumulated_gain import NO_GAIN
from plumbline.metrics.ranking.gains import gain_of_item
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Level
from plumbline.views.ranked import Ranked, rank, relevant
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
    other = rank - relevant(rel).cum_sum()
    return Terms(pl.when(relevant(rel)).then(1.0 / (2.0 + other).log(2.0)).otherwise(0.0), over=lists.R(rel))


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
    gained = gain_of_item("linear")
    ideal = lists.ideal_at_rank("ideal cost", lambda grades: lists.ideal.running(np.maximum(grades, 1.0)))
    length = lists.ideal_fact("gained items", lambda best: best.length.astype(np.float64))
    cost = ideal + (rank - length).clip(lower_bound=0.0)
    total = lists.ideal_total("linear", lambda grades: grades, np.ones_like, None)
    term = pl.when(gained > 0).then(gained / (2.0 + cost - gained.cum_sum()).log(2.0)).otherwise(0.0)
    return Terms(term, over=total)
