"""Where the names of points stand so that they do not cover each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDE: Final = 0.3
"""The width of a name, as a share of the width of the chart."""
HIGH: Final = 0.042
"""Its height."""


def spread(points: Sequence[tuple[float, float]]) -> list[float]:
    """The height of the name of each point, on axes from 0 to 1: its own, or below the names of higher points."""
    placed: list[tuple[float, float]] = []
    heights = [0.0] * len(points)
    for at in sorted(range(len(points)), key=lambda number: (-points[number][1], points[number][0])):
        x, height = points[at]
        near = sorted((other for where, other in placed if abs(where - x) < WIDE), reverse=True)
        for other in near:
            if abs(other - height) < HIGH:
                height = other - HIGH
        placed.append((x, height))
        heights[at] = height
    return heights
