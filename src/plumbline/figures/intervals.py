"""Means with the 95 % confidence interval over cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.parts import told
from plumbline.schema import METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.figures.subject import Subject

LEVEL: Final = 0.95
FEWEST: Final = 2
"""Cases without which there is no interval."""
SAME: Final = 1e-9
"""Means that differ by less are equal but for rounding."""


@dataclass(frozen=True, eq=False)
class Means:
    """Means of all metrics and systems, `[metric, system]`; not a number where there is none."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    lower: NDArray[np.bool_]
    """Whether each metric is better when lower."""
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    """The interval by the t distribution; none with one case, or where cases are not averaged."""
    cases: NDArray[np.int64]

    def best_first(self, metric: int) -> list[int]:
        """The numbers of the systems, best first by one metric; those without a value last."""
        signed = self.value[metric] if self.lower[metric] else -self.value[metric]
        return [int(at) for at in np.argsort(signed, kind="stable")]

    def heading(self, metric: int) -> str:
        """The name of a metric, which tells where low is good."""
        return f"{told([self.metrics[metric]])}{' (lower is better)' if self.lower[metric] else ''}"


def means_of(subject: Subject) -> Means:
    """The means of all metrics and systems of a subject."""
    from scipy.special import stdtrit  # noqa: PLC0415 - scipy is slow to import

    cube = subject.cube
    there = ~np.isnan(cube.values)
    cases, value = there.sum(axis=2), _told_means(subject)
    spread = np.where(there, cube.values - cube.means[:, :, None], 0.0)
    freedom = np.maximum(cases - 1, 1)
    error = np.sqrt((spread**2).sum(axis=2) / freedom / np.maximum(cases, 1))
    averaged = np.isclose(value, cube.means, rtol=SAME, atol=SAME) & (cases >= FEWEST)
    half = np.where(averaged, stdtrit(freedom, (1 + LEVEL) / 2) * error, np.nan)
    return Means(cube.metrics, cube.systems, cube.lower, value, value - half, value + half, cases)


def _told_means(subject: Subject) -> NDArray[np.float64]:
    """The means as the table of scores has them: some metrics are added up, or have a geometric mean."""
    cube, scores = subject.cube, subject.scores
    if scores is None:
        return cube.means
    found = {(metric, system): value for system, metric, value in scores.mean.select(SYSTEM, METRIC, VALUE).iter_rows()}
    told_means = [[found.get((metric, system)) for system in cube.systems] for metric in cube.metrics]
    return np.array(told_means, dtype=np.float64)
