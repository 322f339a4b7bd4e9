"""Precision and recall at a cutoff, and their relatives."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Level
from plumbline.views.cascade import Cascade
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms, Value


@metric(
    "P",
    range=(0, 1),
    paper="vanrijsbergen1979",
    at="k",
    linear=True,
    aliases={"Precision": {}, "P_{k}": {}},
    elsewhere={"trec_eval": "P_k", "ir_measures": "P@k", "ranx": "precision@k"},
    claims=("deepness threshold", "closeness threshold"),
    ideal_below_best="a case may have fewer than k relevant items",
)
def precision(lists: Ranked, *, k: Cutoff, rel: Level = 1.0) -> Terms:
    r"""Share of relevant items among the first k.

    $$P@k = \frac{1}{k} \sum_{i \le k} rel_i$$

    A list shorter than k is filled up with irrelevant items.
    """
    return Terms(lists.relevant(rel) & (lists.rank <= k), over=k, given=lists.some_relevant(rel))


@metric(
    "R",
    range=(0, 1),
    paper="vanrijsbergen1979",
    at="k",
    linear=True,
    aliases={"Recall": {}, "recall_{k}": {}},
    elsewhere={"trec_eval": "recall_k", "ir_measures": "R@k", "ranx": "recall@k"},
    claims=("deepness threshold", "closeness threshold"),
    ideal_below_best="k may be below R",
)
def recall(lists: Ranked, *, k: Cutoff, rel: Level = 1.0) -> Terms:
    r"""Share of the relevant items that are among the first k.

    $$R@k = \frac{1}{R} \sum_{i \le k} rel_i$$
    """
    return Terms(lists.relevant(rel) & (lists.rank <= k), over=lists.R(rel))


@metric(
    "RelativeP",
    range=(0, 1),
    paper="treceval",
    at="k",
    linear=True,
    aliases={"relative_P_{k}": {}},
    elsewhere={"trec_eval": "relative_P_k"},
    claims=("deepness threshold", "closeness threshold"),
)
def relative_precision(lists: Ranked, *, k: Cutoff, rel: Level = 1.0) -> Terms:
    r"""Precision at k as a share of the best precision that the case allows.

    $$\frac{1}{\min(k, R)} \sum_{i \le k} rel_i$$
    """
    return Terms(lists.relevant(rel) & (lists.rank <= k), over=np.minimum(lists.R(rel), k), given=lists.some_relevant(rel))


@metric(
    "Success",
    range=(0, 1),
    paper="craswell2003",
    at="k",
    linear="cascade",
    aliases={"success_{k}": {}, "HitRate": {}, "Hits": {}, "Hit": {}},
    elsewhere={"trec_eval": "success_k", "ir_measures": "Success@k", "ranx": "hit_rate@k"},
    claims=("deepness threshold",),
)
def success(lists: Ranked, *, k: Cutoff, rel: Level = 1.0) -> Value:
    r"""1 if a relevant item is among the first k, else 0.

    $$\max_{i \le k} rel_i$$
    """
    relevant_shown = lists.any(lists.relevant(rel) & (lists.rank <= k))
    cascade = Cascade(lists.relevant(rel), np.ones_like, k)
    return Value(relevant_shown.astype(np.float64), given=lists.some_relevant(rel), cascade=cascade)
