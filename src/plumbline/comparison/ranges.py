"""How far two scores of a metric can lie apart at all."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import BadUsage
from plumbline.large import extent, portions
from plumbline.metrics.names import describe
from plumbline.tasks import task_names

if TYPE_CHECKING:
    from numpy.typing import NDArray


def largest_difference(name: str, values: NDArray[np.float64]) -> float:
    """The width of a metric's range; infinite if it is open, unknown, or not that of these values, such as per cent.

    Values may have their sign turned.
    """
    least, most = extent(values)
    if least > most:
        return np.inf
    widths = []
    for low, high in _ranges(name):
        if low is None or high is None or not (low <= least <= most <= high or low <= -most <= -least <= high):
            return np.inf
        widths.append(high - low)
    return max(widths, default=np.inf)


def largest_visible(name: str, values: NDArray[np.float64]) -> float:
    """The same, but 1 if all values are 0 or 1, also where the range is not known: these are successes and failures."""
    known = largest_difference(name, values)
    if np.isfinite(known):
        return known
    parts = (values[rows] for rows in portions(values.shape))
    return 1.0 if all(bool((np.isnan(part) | (part == 0) | (part == 1)).all()) for part in parts) else np.inf


@cache
def _ranges(name: str) -> tuple[tuple[float | None, float | None], ...]:
    """The ranges that tasks give to a metric of this name; none where no task has it."""
    bounds = []
    for task in task_names():
        try:
            bounds.append(describe(name, task).range)
        except BadUsage:
            continue
    return tuple(dict.fromkeys(bounds))
