"""Repeated runs of a system, such as seeds: how much of the spread of scores is due to cases, to runs, and to both together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadUsage, usage

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

_AXES: Final = 3
_FEWEST: Final = 2


@dataclass(frozen=True, eq=False)
class Components:
    """For each system the parts of the variance of its scores, a number each; NaN where it cannot be estimated."""

    mean: Numbers
    """Over the cases that all runs have."""
    over_runs: Numbers
    """The standard deviation of the runs' means: what another seed changes."""
    over_cases: Numbers
    """The standard deviation of the cases' means: what other cases change."""
    case: Numbers
    """The variance component of cases: how much cases differ, whatever the run."""
    run: Numbers
    """The variance component of runs: how much runs differ on all cases alike."""
    rest: Numbers
    """What cases and runs leave unexplained: a run is better on some cases and worse on others."""
    runs: NDArray[np.int64]
    """How many runs have a score."""
    cases: NDArray[np.int64]
    """On how many cases all of these runs have a score."""


def components(values: ArrayLike) -> Components:
    """Variance components of `values[system, run, case]`, from the mean squares of a two-way analysis, case + run.

    Scores are mean + case + run + rest. A component that comes out negative, as it can by chance, is 0. Each system is looked
    at alone, on the cases that all of its runs have; runs without any score do not count.
    """
    given = np.asarray(values, dtype=np.float64)
    if given.ndim != _AXES:
        raise BadUsage(usage.bad_object(f"scores with {given.ndim} dimensions", "one row per system, run and case"))
    known = ~np.isnan(given)
    ran = np.asarray(known.any(axis=2))
    kept = np.asarray((known | ~ran[:, :, None]).all(axis=1) & ran.any(axis=1, keepdims=True))
    runs, cases = ran.sum(axis=1), kept.sum(axis=1)
    used = ran[:, :, None] & kept[:, None, :]
    scores = np.where(used, given, 0.0)
    of_runs, of_cases = _shares(scores.sum(axis=2), cases[:, None]), _shares(scores.sum(axis=1), runs[:, None])
    mean = _shares(scores.sum(axis=(1, 2)), runs * cases)
    off_runs = np.where(ran, of_runs - mean[:, None], 0.0)
    off_cases = np.where(kept, of_cases - mean[:, None], 0.0)
    unexplained = np.where(used, scores - of_runs[:, :, None] - of_cases[:, None, :] + mean[:, None, None], 0.0)
    several = np.where(runs >= _FEWEST, runs, 0), np.where(cases >= _FEWEST, cases, 0)
    run_square = _shares((off_runs**2).sum(axis=1), np.maximum(several[0] - 1, 0))
    case_square = _shares((off_cases**2).sum(axis=1), np.maximum(several[1] - 1, 0))
    freedom = np.maximum(several[0] - 1, 0) * np.maximum(several[1] - 1, 0)
    rest = _shares((unexplained**2).sum(axis=(1, 2)), freedom)
    return Components(
        mean,
        np.sqrt(run_square),
        np.sqrt(case_square),
        np.maximum(case_square - _shares(rest, runs), 0.0),
        np.maximum(run_square - _shares(rest, cases), 0.0),
        rest,
        runs,
        cases,
    )


def _shares(sums: Numbers, by: NDArray[np.int64]) -> Numbers:
    by = np.broadcast_to(by, sums.shape)
    return np.asarray(np.divide(sums, by, out=np.full(sums.shape, np.nan), where=by > 0))
