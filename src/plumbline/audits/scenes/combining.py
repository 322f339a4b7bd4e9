"""Small outputs of combining functions: two scores, as fractions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.audits.constraints.combining import Point
from plumbline.audits.kinds import COMBINING
from plumbline.audits.scenes.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.audits.scenes.scene import Values
    from plumbline.metrics.measure import Measure


def values(_: Sequence[Point], __: list[Measure]) -> Values:
    """Nothing: no metric combines scores that are given, and functions are called."""
    return {}


def drawn(point: Point) -> str:
    """The two scores."""
    return f"{point.first}, {point.second}"


def arguments(point: Point) -> tuple[float, float]:
    """The two scores as numbers."""
    return float(point.first), float(point.second)


SCENE: Final = Scene(COMBINING, values, drawn, lambda _: "", arguments, Point._fields)
