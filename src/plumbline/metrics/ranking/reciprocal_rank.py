"""Reciprocal rank."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Level
from plumbline.views.cascade import Cascade
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms


@metric(
    "RR",
    range=(0, 1),
    paper="kantor2000",
    at="k",
    linear="cascade",
    aliases={"MRR": {}, "recip_rank": {}, "mean_reciprocal_rank": {}},
    elsewhere={"trec_eval": "recip_rank", "ir_measures": "RR, RR@k", "ranx": "mrr, mrr@k"},
    claims=("deepness threshold",),
)
def reciprocal_rank(lists: Ranked, *, k: Cutoff | None = None, rel: Level = 1.0) -> Terms:
    r"""1 divided by the rank of the first relevant item, 0 if none is shown.

    $$RR = \frac{1}{\min \{ i : rel_i = 1 \}}$$
    """
    first = lists.relevant(rel) & (lists.hits(rel) == 1)
    shown = first if k is None else first & (lists.rank <= k)
    return Terms(shown / lists.rank, given=lists.some_relevant(rel), cascade=Cascade(lists.relevant(rel), np.reciprocal, k))
