"""Means with the 95 % confidence interval over cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import best_first, ranks
from plumbline.figures.parts import listed
from plumbline.large import gathered
from plumbline.lazily import special
from plumbline.schema import METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.scores import Scores

LEVEL: Final = 0.95
FEWEST: Final = 2
"""The fewest cases that have an interval."""
CLOSE: Final = 1e-9
"""A value that differs by more from the mean of its cases is not their mean: it is a sum, or a geometric mean."""


@dataclass(frozen=True, eq=False)
class Means:
    """Means of all metrics and systems, `[metric, system]`; NaN where there is none."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    lower: NDArray[np.bool_]
    """Whether each metric is better when lower."""
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    """The interval by the t distribution; NaN with one case, or if cases are not averaged."""
    cases: NDArray[np.int64]
    scale: NDArray[np.float64]
    """The largest number behind each mean, without its sign."""
    neither: frozenset[str]
    """Metrics of which neither high nor low values are better: they give no ranks."""

    def ranks(self, metric: int, systems: Sequence[int] | None = None) -> list[int | None]:
        """The rank of some systems among each other by one metric, 1 for the best; of all systems unless some are given."""
        if systems is None:
            return self._ranks_of_all[metric]
        chosen = np.array(systems, dtype=np.intp)
        return ranks(self.value[metric, chosen], lower=bool(self.lower[metric]), scale=self.scale[metric, chosen])

    @cached_property
    def _ranks_of_all(self) -> list[list[int | None]]:
        return [self.ranks(metric, range(len(self.systems))) for metric in range(len(self.metrics))]

    def best_first(self, metric: int) -> list[int]:
        """The indices of the systems, best first by one metric; those without a value last."""
        return best_first(self.ranks(metric))

    def heading(self, metric: int) -> str:
        """The name of a metric, with a note if lower is better."""
        return f"{listed([self.metrics[metric]])}{' (lower is better)' if self.lower[metric] else ''}"


def means_of(cube: Cube, scores: Scores | None) -> Means:
    """The means of all metrics and systems, as the table of scores has them if there is one."""
    value = _means(cube, scores)
    tables = [_spread(values, means) for values, means in zip(cube.values, cube.means, strict=True)]
    counts, errors, largest = (np.array([table[at] for table in tables]).reshape(value.shape) for at in range(3))
    cases = counts.astype(np.int64)
    with np.errstate(over="ignore", invalid="ignore"):  # a mean that is too large for the machine has no interval
        averaged = np.isclose(value, cube.means, rtol=CLOSE, atol=CLOSE) & (cases >= FEWEST)
        half = np.where(averaged, special.stdtrit(np.maximum(cases - 1, 1), (1 + LEVEL) / 2) * errors, np.nan)
        half[~(np.isfinite(value - half) & np.isfinite(value + half))] = np.nan
    scale = np.fmax(largest, np.abs(value))
    return Means(cube.metrics, cube.systems, cube.lower, value, value - half, value + half, cases, scale, cube.neither)


def _spread(values: NDArray[np.float64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many cases each system has, the standard error of its mean, and its largest value without the sign: `[3, system]`."""

    def of_some(rows: slice) -> NDArray[np.float64]:
        some = values[rows]
        known = ~np.isnan(some)
        cases = known.sum(axis=1)
        with np.errstate(over="ignore", invalid="ignore"):
            spread = np.where(known, some - means[rows, None], 0.0)
            furthest = np.abs(spread).max(axis=1, initial=0.0)
            unit = np.where(furthest > 0, furthest, 1.0)  # squares of very large differences leave the range
            squares = ((spread / unit[:, None]) ** 2).sum(axis=1)
            error = np.sqrt(squares / np.maximum(cases - 1, 1) / np.maximum(cases, 1)) * unit
        return np.array([cases, error, np.abs(np.where(known, some, 0.0)).max(axis=1, initial=0.0)]).T

    return np.asarray(gathered(values.shape, of_some).T)


def _means(cube: Cube, scores: Scores | None) -> NDArray[np.float64]:
    """The means as in the table of scores: some metrics are summed, or have a geometric mean."""
    if scores is None:
        return cube.means
    means = {(metric, system): value for system, metric, value in scores.mean.select(SYSTEM, METRIC, VALUE).iter_rows()}
    return np.array([[means.get((metric, system)) for system in cube.systems] for metric in cube.metrics], dtype=np.float64)
