"""Counts: their summary over cases is the sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import Level
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms, Value

COUNT: dict[str, Any] = {
    "range": (0, None),
    "better": "neither",
    "average": "sum",
    "linear": True,
    "ordered": False,
    "undefined": NEVER,
}


@metric("NumQ", paper="treceval", aliases={"num_q": {}}, elsewhere={"trec_eval": "num_q", "ir_measures": "NumQ"}, **COUNT)
def number_of_cases(lists: Ranked) -> Value:
    """Number of cases: 1 for every case that is counted."""
    return Value(np.ones_like(lists.shown))


@metric(
    "NumRet", paper="treceval", aliases={"num_ret": {}}, elsewhere={"trec_eval": "num_ret", "ir_measures": "NumRet"}, **COUNT
)
def number_shown(lists: Ranked) -> Value:
    """Number of items shown."""
    return Value(lists.shown)


@metric(
    "NumRel", paper="treceval", aliases={"num_rel": {}}, elsewhere={"trec_eval": "num_rel", "ir_measures": "NumRel"}, **COUNT
)
def number_relevant(lists: Ranked, *, rel: Level = 1.0) -> Value:
    """Number of relevant items in the gold."""
    return Value(lists.count(rel))


@metric(
    "NumRelRet",
    paper="treceval",
    aliases={"num_rel_ret": {}},
    elsewhere={"trec_eval": "num_rel_ret", "ir_measures": "NumRet(rel=1)"},
    **COUNT,
)
def number_relevant_shown(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    """Number of relevant items shown."""
    return Terms(lists.relevant(rel))


@metric(
    "NumNonRelJudgedRet",
    paper="treceval",
    aliases={"num_nonrel_judged_ret": {}},
    elsewhere={"trec_eval": "num_nonrel_judged_ret"},
    **COUNT,
)
def number_irrelevant_shown(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    """Number of judged irrelevant items shown."""
    return Terms(lists.nonrelevant(rel))
