"""How much of a list is judged."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import Cutoff
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms, Value


@metric(
    "Judged",
    range=(0, 1),
    paper="macavaney2022",
    at="k",
    better="neither",
    linear=True,
    empty=0.0,
    undefined="the list is empty",
    elsewhere={"ir_measures": "Judged@k"},
)
def judged_share(lists: Ranked, *, k: Cutoff) -> Terms:
    r"""Share of the first k items that are judged.

    $$\frac{1}{\min(k, n)} \sum_{i \le k} judged_i$$

    A list shorter than k is judged by its own length n. Negative grades are not judgements.
    """
    return Terms(lists.judged & (lists.rank <= k), over=np.minimum(lists.shown, k))


@metric(
    "Unjudged",
    range=(0, 1),
    paper="treceval",
    at="k",
    better="neither",
    linear=True,
    undefined=NEVER,
    aliases={"unj_{k}": {}},
    elsewhere={"trec_eval": "unj_k"},
)
def unjudged_share(lists: Ranked, *, k: Cutoff) -> Value:
    r"""Unjudged items among the first k, divided by k.

    $$\frac{1}{k} \sum_{i \le k} (1 - judged_i)$$

    Empty places of a short list count as judged, as in trec_eval.
    """
    known = lists.total(lists.judged & (lists.rank <= k))
    return Value((np.minimum(lists.shown, k) - known) / k)
