"""Means over cases: what is undefined is counted, not turned into 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

if TYPE_CHECKING:
    from plumbline.metrics.registry import Average

LEAST_FOR_GEOMETRIC: Final = 0.00001
"""The floor of the geometric mean, so that one 0 does not make the whole mean 0 (trec_eval's)."""


def summary(value: pl.Expr, kind: Average) -> pl.Expr:
    """One value from the defined values of all cases; null where there is none."""
    if kind == "geometric":
        return value.clip(lower_bound=LEAST_FOR_GEOMETRIC).log().mean().exp()
    if kind == "sum":
        return pl.when(value.is_not_null().any()).then(value.sum())
    return value.mean()


def harmonic(first: pl.Expr, second: pl.Expr, alpha: float) -> pl.Expr:
    """F of two values: 0 as soon as one is 0, undefined if one is undefined and the other is not 0.

    A part of weight 0 has no say.
    """
    if alpha in (0.0, 1.0):
        return first if alpha == 1.0 else second
    zero = (first == 0).fill_null(value=False) | (second == 0).fill_null(value=False)
    return pl.when(zero).then(0.0).otherwise(1.0 / (alpha / first + (1.0 - alpha) / second))
