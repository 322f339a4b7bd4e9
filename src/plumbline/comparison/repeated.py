"""Repeated runs of systems and folds of the data, told apart by columns of a table of scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.average import mean_of_known
from plumbline.io.scores.scored import Scored
from plumbline.io.scores.tables import joined
from plumbline.schema import CASE, FOLD, RUN, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.io.scores.forms import ScoreTable

    Numbers = NDArray[np.float64]

_FEWEST: Final = 2
"""Runs from which on they have a spread."""


@dataclass(frozen=True, eq=False)
class Repeated:
    """The scores of every run of every system; not a number where there is none."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    runs: tuple[str, ...]
    """The names of runs, of all systems together; one without a name where runs are not told apart."""
    cases: tuple[str, ...]
    folds: tuple[str, ...]
    """The names of folds; empty where folds are not told apart."""
    values: Numbers
    """`[metric, system, run, case]`, as they were given."""
    fold: NDArray[np.int64]
    """The fold of each case."""

    @property
    def means(self) -> Numbers:
        """The mean over the runs of each system, `[metric, system, case]`."""
        return mean_of_known(self.values, axis=2)

    @property
    def of_runs(self) -> Numbers:
        """The mean over the cases of each run, `[metric, system, run]`."""
        return mean_of_known(self.values, axis=3)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many runs of each system have a value, `[metric, system]`."""
        return np.asarray((~np.isnan(self.of_runs)).sum(axis=2))

    @property
    def spread(self) -> Numbers:
        """The standard deviation of a system's runs, `[metric, system]`; not a number with fewer than two."""
        of_runs = self.of_runs
        known = ~np.isnan(of_runs)
        off = np.where(known, of_runs - mean_of_known(of_runs, axis=2)[:, :, None], 0.0)
        count = known.sum(axis=2)
        squares = (off**2).sum(axis=2)
        variance = np.divide(squares, count - 1, out=np.full(squares.shape, np.nan), where=count >= _FEWEST)
        return np.asarray(np.sqrt(variance))

    @property
    def of_folds(self) -> Numbers:
        """The mean over the cases of each fold, and over runs, `[metric, system, fold]`."""
        means = self.means
        parts = [mean_of_known(means[:, :, self.fold == number], axis=2) for number in range(len(self.folds))]
        return np.stack(parts, axis=2) if parts else np.empty((*means.shape[:2], 0))

    def like(self, cube: Cube) -> Repeated:
        """The same for the metrics, systems and cases of a cube, in its order."""
        kept = [self.cases.index(name) for name in cube.cases]
        chosen = np.ix_(
            [self.metrics.index(name) for name in cube.metrics],
            [self.systems.index(name) for name in cube.systems],
            range(len(self.runs)),
            kept,
        )
        return Repeated(cube.metrics, cube.systems, self.runs, cube.cases, self.folds, self.values[chosen], self.fold[kept])


def joined_runs(tables: Sequence[ScoreTable], metrics: Sequence[str]) -> tuple[Scored, Repeated]:
    """The scores of all tables as means over runs, and those of every run."""
    frames = [_with_folds(table.frame) for table in tables]
    names: dict[str, tuple[str, str]] = {}
    for frame in frames:
        for system, run in frame.select(pl.col(SYSTEM).cast(pl.String), _run(frame)).unique(maintain_order=True).iter_rows():
            names.setdefault(f"{system}, run {run}" if run else system, (system, run))
    alone = [
        replace(table, frame=frame.with_columns(_as_systems(frame)).drop(RUN, FOLD, strict=False))
        for table, frame in zip(tables, frames, strict=True)
    ]
    scored = joined(alone, metrics)
    pairs = [names[name] for name in scored.systems]
    systems, runs = (tuple(dict.fromkeys(pair[at] for pair in pairs)) for at in (0, 1))
    values = np.full((len(metrics), len(systems), len(runs), len(scored.cases)), np.nan)
    present = np.zeros((len(metrics), len(systems), len(scored.cases)), dtype=np.bool_)
    for at, (system, run) in enumerate(pairs):
        place = systems.index(system)
        values[:, place, runs.index(run)] = scored.values[:, at]
        present[:, place] |= scored.present[:, at]
    folds, fold = _folds(frames, scored.cases)
    repeated = Repeated(tuple(metrics), systems, runs, scored.cases, folds, values, fold)
    return Scored(scored.metrics, systems, scored.cases, repeated.means, present, scored.notices), repeated


def _run(frame: pl.DataFrame) -> pl.Expr:
    return (pl.col(RUN) if RUN in frame.columns else pl.lit("")).alias(RUN)


def _as_systems(frame: pl.DataFrame) -> pl.Expr:
    """Every run as a system of its own, under a name that people understand in a message."""
    run = _run(frame)
    name = pl.concat_str(pl.col(SYSTEM).cast(pl.String), pl.lit(", run "), run)
    return pl.when(run == "").then(pl.col(SYSTEM).cast(pl.String)).otherwise(name).cast(pl.Categorical).alias(SYSTEM)


def _with_folds(frame: pl.DataFrame) -> pl.DataFrame:
    """Each case lies in one fold: a case that occurs in several folds is a case in each of them."""
    if FOLD not in frame.columns or frame.select(pl.col(FOLD).n_unique().over(CASE).max()).item() == 1:
        return frame
    name = pl.concat_str(pl.col(CASE).cast(pl.String), pl.lit(", fold "), pl.col(FOLD))
    return frame.with_columns(name.cast(pl.Categorical).alias(CASE))


def _folds(frames: Sequence[pl.DataFrame], cases: tuple[str, ...]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The names of folds, and the fold of each case."""
    known = [frame.select(pl.col(CASE).cast(pl.String), FOLD) for frame in frames if FOLD in frame.columns]
    of_case = dict(pl.concat(known).unique(maintain_order=True).iter_rows()) if known else {}
    folds = tuple(dict.fromkeys(of_case.values()))
    return folds, np.array([folds.index(of_case[case]) if case in of_case else -1 for case in cases], dtype=np.int64)
