"""Unanimity within each repeat of a cross-validation: another repeat tests the same items again, and is no further evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.comparison.unanimity.unanimity import unanimity

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube


def uir_by_repeat(cube: Cube, repeats: int, eps: float = 0.0) -> pl.DataFrame:
    """The UIR of every ordered pair over the folds of each repeat.

    Args:
        cube: Scores whose cases are folds, repeat by repeat, as many in each.
        repeats: How many repeats there are; one if folds were drawn once, or cases are not folds.
        eps: Differences up to this count as equal.

    Returns:
        `a, b, repeat, uir, folds`: repeats are counted from 1; folds without a value of both are not counted.
    """
    repeat = np.arange(len(cube.cases)) // max(len(cube.cases) // repeats, 1)
    parts = [
        unanimity(cube.on_cases(repeat == number), eps)
        .table()
        .select("a", "b", pl.lit(number + 1).alias("repeat"), "uir", pl.col("cases").alias("folds"))
        for number in range(repeats)
    ]
    return pl.concat(parts).sort("a", "b", "repeat", maintain_order=True)
