"""How much of a list is judged."""

from __future__ import annotations

import polars as pl

from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import Cutoff
from plumbline.schema import WEIGHT
from plumbline.views.ranked import Ranked, judged, rank, shown
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
def judged_share(_lists: Ranked, *, k: Cutoff) -> Terms:
    r"""Share of the first k items that are judged.

    $$\frac{1}{\min(k, n)} \sum_{i \le k} judged_i$$

    A list shorter than k is judged by its own length n. Negative grades are not judgements.
    """
    return Terms(judged & (rank <= k), over=pl.min_horizontal(shown, pl.lit(k)))


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
def unjudged_share(_lists: Ranked, *, k: Cutoff) -> Value:
    r"""Unjudged items among the first k, divided by k.

    $$\frac{1}{k} \sum_{i \le k} (1 - judged_i)$$

    Empty places of a short list count as judged, as in trec_eval.
    """
    known = pl.when(judged & (rank <= k)).then(pl.col(WEIGHT)).sum()
    return Value((pl.min_horizontal(shown, pl.lit(k)) - known) / k)
