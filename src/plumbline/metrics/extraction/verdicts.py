"""The counts of MUC, and error rates made of them."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from plumbline.metrics.extraction.settings import VERDICTS
from plumbline.metrics.registry import NEVER, metric
from plumbline.views.spans import SpanCounts
from plumbline.views.terms import ratio

_COUNT: Final[dict[str, Any]] = {
    "range": (0, None),
    "paper": "chinchor1993",
    "average": "sum",
    "undefined": NEVER,
    "ideal_below_best": "a count has no best value",
    **VERDICTS,
}


@metric("COR", claims=("right type",), elsewhere={"nervaluate": "correct"}, **_COUNT)
def correct(c: SpanCounts) -> pl.Expr:
    """Number of pairs of spans that are right.

    The sum over documents is shown, not a mean.
    """
    return c.cor.fill_null(0.0)


@metric("INC", claims=("right type",), better="lower", elsewhere={"nervaluate": "incorrect"}, **_COUNT)
def incorrect(c: SpanCounts) -> pl.Expr:
    """Number of pairs of spans that overlap and are wrong."""
    return c.inc.fill_null(0.0)


@metric("PAR", better="neither", elsewhere={"nervaluate": "partial"}, **_COUNT)
def partial(c: SpanCounts) -> pl.Expr:
    """Number of pairs of spans that are right in part; only `match=partial` has any."""
    return c.par.fill_null(0.0)


@metric("MIS", claims=("nearly right",), better="lower", elsewhere={"nervaluate": "missed"}, **_COUNT)
def missing(c: SpanCounts) -> pl.Expr:
    """Number of spans of the gold that no span of the output answers."""
    return c.mis.fill_null(0.0)


@metric("SPU", claims=("spurious span",), better="lower", elsewhere={"nervaluate": "spurious"}, **_COUNT)
def spurious(c: SpanCounts) -> pl.Expr:
    """Number of spans of the output that answer no span of the gold."""
    return c.spu.fill_null(0.0)


@metric(
    "SER",
    range=(0, None),
    better="lower",
    paper="makhoul1999",
    claims=("right type", "spurious span"),
    undefined="the gold has no span of the type, or of any type that is averaged",
    **VERDICTS,
)
def slot_error_rate(c: SpanCounts) -> pl.Expr:
    r"""Errors over the number of spans of the gold: wrong, missing and spurious ones each count once.

    $$\frac{INC + 0.5 \, PAR + MIS + SPU}{COR + INC + PAR + MIS}$$

    Unlike in F, a span with a wrong boundary is one error, not two. More errors than spans make it larger than 1.
    """
    return ratio(c.inc + c.par * 0.5 + c.mis + c.spu, c.wanted)


@metric(
    "MUCError",
    range=(0, 1),
    better="lower",
    paper="chinchor1993",
    claims=("right type", "spurious span"),
    undefined="neither the gold nor the output has a span of the type",
    **VERDICTS,
)
def error_per_response(c: SpanCounts) -> pl.Expr:
    r"""Errors as a share of all verdicts, as MUC-5 counted them.

    $$\frac{INC + 0.5 \, PAR + MIS + SPU}{COR + INC + PAR + MIS + SPU}$$
    """
    return ratio(c.inc + c.par * 0.5 + c.mis + c.spu, c.cor + c.inc + c.par + c.mis + c.spu)
