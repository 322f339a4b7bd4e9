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
