"""F: the weighted harmonic mean."""

from __future__ import annotations

import polars as pl


def harmonic(first: pl.Expr, second: pl.Expr, alpha: float) -> pl.Expr:
    """F of two values: 0 as soon as one is 0, undefined if one is undefined and the other is not 0, or if one is below 0.

    A part of weight 0 has no say.
    """
    if alpha in (0.0, 1.0):
        return first if alpha == 1.0 else second
    zero = (first == 0).fill_null(value=False) | (second == 0).fill_null(value=False)
    mean = 1.0 / (alpha / first + (1.0 - alpha) / second)
    return pl.when(zero).then(0.0).when((first >= 0) & (second >= 0)).then(mean)
