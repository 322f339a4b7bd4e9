"""Means with the 95 % confidence interval over cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import best_first, ranks
from plumbline.figures.parts import told
from plumbline.schema import METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.figures.subject import Subject

LEVEL: Final = 0.95
FEWEST: Final = 2
"""Cases without which there is no interval."""
CLOSE: Final = 1e-9
"""A mean that differs by more from that of the cases is no mean: they are added up, or it is geometric."""


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
    scale: NDArray[np.float64]
    """The largest number behind each mean, without its sign."""
    neither: frozenset[str]
    """Metrics that are neither good nor bad when they are high: they rank nobody."""

    def ranks(self, metric: int, systems: Sequence[int] | None = None) -> list[int | None]:
        """The rank of some systems among each other by one metric, 1 for the best; all systems if none are named."""
        chosen = np.arange(len(self.systems)) if systems is None else np.array(systems, dtype=np.intp)
        return ranks(self.value[metric, chosen], lower=bool(self.lower[metric]), scale=self.scale[metric, chosen])

    def best_first(self, metric: int) -> list[int]:
        """The numbers of the systems, best first by one metric; those without a value last."""
        return best_first(self.ranks(metric))

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
    averaged = np.isclose(value, cube.means, rtol=CLOSE, atol=CLOSE) & (cases >= FEWEST)
    half = np.where(averaged, stdtrit(freedom, (1 + LEVEL) / 2) * error, np.nan)
    scale = np.fmax(np.abs(np.where(there, cube.values, 0.0)).max(axis=2, initial=0.0), np.abs(value))
    return Means(cube.metrics, cube.systems, cube.lower, value, value - half, value + half, cases, scale, cube.neither)


def _told_means(subject: Subject) -> NDArray[np.float64]:
    """The means as the table of scores has them: some metrics are added up, or have a geometric mean."""
    cube, scores = subject.cube, subject.scores
    if scores is None:
        return cube.means
    found = {(metric, system): value for system, metric, value in scores.mean.select(SYSTEM, METRIC, VALUE).iter_rows()}
    told_means = [[found.get((metric, system)) for system in cube.systems] for metric in cube.metrics]
    return np.array(told_means, dtype=np.float64)
