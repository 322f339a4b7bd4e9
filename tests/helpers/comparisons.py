"""Comparisons of a few made-up systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from plumbline import Comparison
from plumbline.comparison.combining import combined
from plumbline.comparison.cube import Cube
from tests.helpers.score_cubes import cube_of


def of(values: Any, names: tuple[str, ...] = (), lower: list[bool] | None = None, **options: Any) -> Comparison:
    cube = cube_of(values, lower)
    cube = Cube(cube.metrics, names or cube.systems, cube.cases, cube.values, cube.lower)
    return Comparison(cube, combined(cube), **options)


def ladder(systems: int, metrics: int = 2) -> Any:
    """Each system is better than the next one by every metric in every case, though not by the same amount."""
    system, case = np.arange(systems)[:, None], np.arange(24)
    waves = np.cos(2 * np.pi * (1 + system % 7) * case / 24 + system)
    steps = np.linspace(0.9, 0.1, systems)[:, None] + np.linspace(0, 0.05, 24) + 0.2 / systems * waves
    return np.broadcast_to(steps, (metrics, systems, 24))
