"""Blocks of scores for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.cube import Cube

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


def cube_of(values: ArrayLike, lower: Sequence[bool] | None = None) -> Cube:
    """Values `[metric, system, case]` with made-up names."""
    block = np.asarray(values, dtype=np.float64)
    metrics, systems, cases = block.shape
    return Cube(
        tuple(f"m{at}" for at in range(metrics)),
        tuple(f"s{at}" for at in range(systems)),
        tuple(f"c{at}" for at in range(cases)),
        block,
        np.array([False] * metrics if lower is None else lower, dtype=np.bool_),
    )


def drawn(seed: int, shape: tuple[int, int, int], *, levels: int = 4, missing: float = 0.0) -> Cube:
    """Few different values, so that there are ties, and some missing ones; each second metric is better when lower."""
    generator = np.random.default_rng(seed)
    values = generator.integers(0, levels, shape) / levels
    values[generator.random(shape) < missing] = np.nan
    return cube_of(values, [bool(at % 2) for at in range(shape[0])])
