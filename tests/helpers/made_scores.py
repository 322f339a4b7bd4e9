"""Made scores of systems on cases, for significance tests."""

from __future__ import annotations

from math import nan

import numpy as np


def scores(systems: int, cases: int, *, digits: int | None = None, missing: float = 0.0, seed: int = 0) -> np.ndarray:
    """Made scores; rounded to few digits they have ties and equal scores."""
    generator = np.random.default_rng(seed)
    values = generator.random((systems, cases)) * 0.5 + generator.random(cases) * 0.3 + np.linspace(0, 0.1, systems)[:, None]
    if digits is not None:
        values = np.round(values, digits)
    values[generator.random(values.shape) < missing] = nan
    return values


def both(values: np.ndarray, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    there = ~np.isnan(values[a]) & ~np.isnan(values[b])
    return values[a][there], values[b][there]


WORLDS = [(5, 8, 1), (5, 30, 2), (4, 60, None), (4, 45, None), (6, 13, None), (3, 120, 1)]
"""Systems, cases, and the digits to which scores are rounded, so that there are ties."""
