"""Folds as the units of a comparison: their training sets overlap, and the test knows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.resampled_t import resampled_intervals, resampled_t
from plumbline.errors import BadUsage, units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.repeated import Repeated
    from plumbline.comparison.significance.effects import Intervals
    from plumbline.comparison.significance.result import SignificanceResult

_FEWEST: Final = 2


def by_folds(cube: Cube, repeated: Repeated) -> tuple[Cube, dict[str, tuple[SignificanceResult, Intervals]]]:
    """The scores of every fold of every run, and the corrected resampled t test of each metric.

    If folds were drawn repeatedly, each fold of each run is an observation, and the share of test items is that of one fold.
    """
    count = len(repeated.folds)
    if count < _FEWEST:
        raise BadUsage(units.no_units("there is one fold only"))
    of_folds = np.stack([_means(repeated.values[..., repeated.fold == fold]) for fold in range(count)], axis=3)
    names = tuple(
        f"{run} {fold}".strip() if len(repeated.runs) > 1 else fold for run in repeated.runs for fold in repeated.folds
    )
    made = replace(cube, cases=names, values=of_folds.reshape(*of_folds.shape[:2], -1))
    ratio = 1.0 / (count - 1)
    tests = {
        name: (resampled_t(values, ratio), resampled_intervals(values, ratio))
        for name, values in zip(made.metrics, made.signed, strict=True)
    }
    return made, tests


def _means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean over cases, `[metric, system, run]`; NaN without any."""
    known = ~np.isnan(values)
    sums = np.where(known, values, 0.0).sum(axis=3)
    counts = known.sum(axis=3)
    return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))
