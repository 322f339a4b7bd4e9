"""Precision, recall and F of spans, by any way of matching."""

from __future__ import annotations

import polars as pl

from plumbline.metrics.extraction.settings import AVERAGED, MATCHED, PER_TYPE
from plumbline.metrics.registry import Parameter, metric
from plumbline.metrics.rules import Share
from plumbline.views.spans import SpanCounts
from plumbline.views.terms import harmonic, ratio


@metric(
    "P",
    range=(0, 1),
    paper="segura2013",
    claims=("right type", "spurious span"),
    undefined="the output has no span of the type, or of any type that is averaged",
    aliases={"Precision": {}},
    elsewhere={"seqeval": "precision_score", "nervaluate": "precision"},
    **PER_TYPE,
)
def precision(c: SpanCounts) -> pl.Expr:
    r"""Credit of the spans of the output over their number.

    $$\frac{COR + 0.5 \, PAR}{COR + INC + PAR + SPU}$$

    `match` says which spans are right: `strict` the same place and the same type, `boundary` the same place, `type` the same
    type and any overlap, `partial` the same place, and half of it for any overlap, `overlap` the same type and an intersection
    over union of at least `iou`, `positions` every token or character by itself. Each span answers one of the gold at most,
    and spans are paired so that the credit is as large as possible.
    """
    return ratio(c.right_given, c.given)


@metric(
    "R",
    range=(0, 1),
    paper="segura2013",
    claims=("right type",),
    undefined="the gold has no span of the type, or of any type that is averaged",
    aliases={"Recall": {}},
    elsewhere={"seqeval": "recall_score", "nervaluate": "recall"},
    **PER_TYPE,
)
def recall(c: SpanCounts) -> pl.Expr:
    r"""Credit of the spans of the gold over their number.

    $$\frac{COR + 0.5 \, PAR}{COR + INC + PAR + MIS}$$
    """
    return ratio(c.right_wanted, c.wanted)


@metric(
    "F",
    range=(0, 1),
    paper="chinchor1993",
    combines=("P", "R"),
    claims=("right type", "spurious span"),
    undefined="neither the gold nor the output has a span of the type",
    elsewhere={"seqeval": "f1_score", "nervaluate": "f1"},
    **{**PER_TYPE, "settings": (Parameter("of", str, "classes", choices=("classes", "averages")), *MATCHED, *AVERAGED)},
)
def f_of_spans(c: SpanCounts, *, alpha: Share = 0.5) -> pl.Expr:
    r"""Weighted harmonic mean of precision and recall of spans.

    $$\frac{1}{\alpha / P + (1 - \alpha) / R}$$

    The default is `match=strict` over all types together, which seqeval and conlleval print. A span with a wrong boundary
    lowers both precision and recall, so that it costs more than no span at all; with `match=partial` and `match=overlap` it
    need not.
    """
    return harmonic(precision(c), recall(c), alpha)
