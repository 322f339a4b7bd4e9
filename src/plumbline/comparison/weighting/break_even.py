"""break_even(): where on a curve recall is as high as precision, or a given number of times as high.

A curve is a series of points (precision, recall), as cut-offs or thresholds give them. Between two neighbouring points it is
taken as the straight line, which flatters a little (Davis and Goadrich 2006); `BreakEven.how` says whether the point was met
or lies between two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.errors.base import plural
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.render.grid import Cell, Grid, number
from plumbline.render.result import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Points = Sequence[tuple[float, float]] | Numbers

How = Literal["point", "between", "none"]
_PLACES: Final[dict[str, str]] = {"point": "at a point", "between": "between two points", "none": "nowhere"}
_COLUMNS: Final = ["system", "precision", "recall"]


@dataclass(frozen=True, repr=False)
class BreakEven(Result):
    """Where one curve meets the line recall = ratio * precision.

    Example:
        >>> import plumbline
        >>> (point,) = plumbline.break_even({"a": [(1.0, 0.2), (0.8, 0.6), (0.4, 1.0)]})
        >>> (round(point.precision, 3), round(point.recall, 3), point.how)
        (0.7, 0.7, 'between')
    """

    system: str
    ratio: float
    precision: float | None
    """The precision at the meeting point with the highest recall; None if there is no such point."""
    recall: float | None
    """The recall there. A bad start often meets the line at 0 as well, which is rarely meant."""
    how: How
    """Whether it is a point of the curve, lies between two points, or is not there."""
    all: tuple[tuple[float, float], ...]
    """Every meeting point as (precision, recall), by growing recall."""
    points: int
    """How many points the curve has."""
    left_out: int
    """Points without a precision or a recall, which were left out."""

    def to_polars(self) -> pl.DataFrame:
        """`system, ratio, precision, recall, how, points, left_out`, one row."""
        columns = {"precision": pl.Float64, "recall": pl.Float64}
        names = ("system", "ratio", "precision", "recall", "how", "points", "left_out")
        return pl.DataFrame([{name: getattr(self, name) for name in names}], schema_overrides=columns)

    def grid(self) -> Grid:
        """The same for people."""
        cells = (self.system, f"{self.ratio:g}", number(self.precision), number(self.recall), _PLACES[self.how])
        heading = ("system", "recall / precision", "precision", "recall", "where")
        return Grid(heading, (tuple(map(Cell, cells)),), f"break-even of {plural(self.points, 'point')}")

    def to_dict(self) -> dict[str, Any]:
        """Everything, with all meeting points."""
        return {one.name: getattr(self, one.name) for one in fields(self)} | {"notices": []}


def break_even(curves: Any, ratio: float = 1.0) -> list[BreakEven]:  # noqa: ANN401 - a dict, or a table of any library
    """Find the break-even point of each system's curve.

    Args:
        curves: A dict `{system: [(precision, recall), ...]}`, or a data frame of any library with the columns system,
            precision and recall. Points are in the order of the curve, along which recall may rise or fall. If it does
            neither, the points are sorted by recall, and by falling precision where recall is equal.
        ratio: How many times as high as precision recall should be, such as 2 if recall is worth twice as much.

    Returns:
        A break-even point for each system, in the order of the systems.

    Raises:
        BadUsage: If a curve is not made of pairs of numbers, or the ratio is not positive.

    Example:
        >>> import plumbline
        >>> plumbline.break_even({"a": [(1.0, 0.2), (0.5, 0.5), (0.3, 0.8)]})[0].recall
        0.5
    """
    _check_ratio(ratio)
    given = {system: _points(system, points) for system, points in _by_system(curves).items()}
    return [meeting(system, _along(points), float(ratio)) for system, points in given.items()]


def _by_system(curves: Any) -> Mapping[str, Points]:  # noqa: ANN401 - a dict, or a table of any library
    if isinstance(curves, Mapping):
        return curves
    table = polars_frame(curves, "curves") if is_frame(curves) else None
    if table is None or not set(_COLUMNS) <= set(table.columns):
        expected = "{system: [(precision, recall), ...]} or a table with the columns system, precision, recall"
        raise BadUsage(usage.bad_object(f"curves from {type(curves).__name__}", expected))
    groups = table.select(_COLUMNS).partition_by("system", as_dict=True, include_key=False, maintain_order=True)
    return {str(name): rows.to_numpy() for (name,), rows in groups.items()}


def _points(system: str, given: Points) -> Numbers:
    try:
        points = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BadUsage(usage.bad_object(f"the curve of {system}", "pairs of numbers (precision, recall)")) from error
    points = points.reshape(0, 2) if points.size == 0 else points
    if points.ndim != 2 or points.shape[1] != 2 or np.isinf(points).any() or (points < 0).any():  # noqa: PLR2004 - pairs
        raise BadUsage(usage.bad_object(f"the curve of {system}", "pairs of numbers (precision, recall) of 0 and more"))
    return points


def meeting(system: str, given: Numbers, ratio: float = 1.0) -> BreakEven:
    """Where a curve meets the line, its points as they follow each other; what has no value is left out."""
    _check_ratio(ratio)
    points = given[~np.isnan(given).any(axis=1)]
    left_out = len(given) - len(points)
    height = points[:, 1] - ratio * points[:, 0]
    on = np.abs(height) <= 4 * np.finfo(np.float64).eps * np.abs(points[:, 1])
    cut = np.flatnonzero((np.sign(height[:-1]) * np.sign(height[1:]) < 0) & ~on[:-1] & ~on[1:])
    way = (height[cut] / (height[cut] - height[cut + 1]))[:, None]
    between = points[cut] + way * (points[cut + 1] - points[cut])
    met = np.concatenate([points[on], between])
    if not len(met):
        return BreakEven(system, ratio, None, None, "none", (), len(points), left_out)
    best = int(np.argmax(met[:, 1]))
    every = sorted({(float(precision), float(recall)) for precision, recall in met}, key=lambda point: (point[1], point[0]))
    how: How = "point" if best < int(on.sum()) else "between"
    return BreakEven(system, ratio, float(met[best, 0]), float(met[best, 1]), how, tuple(every), len(points), left_out)


def _check_ratio(ratio: float) -> None:
    if not (np.isfinite(ratio) and ratio > 0):
        raise BadUsage(usage.bad_parameter("break_even", "ratio", str(ratio), "a number above 0"))


def _along(points: Numbers) -> Numbers:
    """The points in the order of rising recall."""
    steps = np.diff(points[~np.isnan(points).any(axis=1), 1])
    if (steps >= 0).all():
        return points
    if (steps <= 0).all():
        return points[::-1]
    return points[np.lexsort((-points[:, 0], points[:, 1]))]
