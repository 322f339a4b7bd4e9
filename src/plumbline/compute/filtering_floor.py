"""Filters that ignore the gold: all, nothing, and items drawn at random, whose exact expectation is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.filtering import CELLS, OPEN_CELLS
from plumbline.compute.computed import combined
from plumbline.compute.filtering import hard_scores, values_of
from plumbline.compute.floor import Floor
from plumbline.schema import LIST
from plumbline.views.sums import summed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.filtering import AlignedFilters
    from plumbline.metrics.measure import Measure

SPREAD: Final = 7.5
"""Standard deviations around the mean that are summed: what lies beyond has a probability below 1e-12."""
MOST_TOGETHER: Final = 1_000_000
"""Outcomes that are scored together."""


def filtering_floor(aligned: AlignedFilters, measures: list[Measure], rate: float) -> Floor:
    """The values of each baseline in every case; `rate` is the probability at which the random one accepts an item."""
    of_gold = aligned.counts.head(len(aligned.cases))
    positives = (of_gold["tp"] + of_gold["fn"]).to_numpy().astype(np.int64)
    negatives = (of_gold["fp"] + of_gold["tn"]).to_numpy().astype(np.int64)
    none = np.zeros(len(positives))
    prior = positives / (positives + negatives)
    return Floor(
        {
            "placebo": _scored(_table(np.arange(len(none)), positives, negatives, none, none), measures),
            "zero": _scored(_table(np.arange(len(none)), none, none, positives, negatives), measures),
            f"random {rate:g}": _expected(positives, negatives, np.full(len(none), rate), measures),
            "prior": _expected(positives, negatives, prior, measures),
        }
    )


def _table(number: NDArray[np.int64], tp: object, fp: object, fn: object, tn: object) -> pl.DataFrame:
    cells = {
        name: np.asarray(count, dtype=np.float64)
        for name, count in zip(("tp", "fp", "fn", "tn"), (tp, fp, fn, tn), strict=True)
    }
    decided = pl.DataFrame({LIST: number, **{name: cells[name] for name in CELLS}})
    return decided.with_columns(pl.lit(0.0).alias(name) for name in OPEN_CELLS)


def _scored(counts: pl.DataFrame, measures: list[Measure]) -> pl.DataFrame:
    return combined(values_of(counts, hard_scores(counts), measures), measures)


def _expected(
    positives: NDArray[np.int64], negatives: NDArray[np.int64], rate: NDArray[np.float64], measures: list[Measure]
) -> pl.DataFrame:
    """The mean over all outcomes of accepting each item with a probability, weighted by how probable each outcome is.

    Outcomes in which a measure is undefined are left out of its mean, as cases are.
    """
    names = [measure.name for measure in measures]
    weight = pl.col("weight")
    terms = [(pl.col(name) * weight).alias(name) for name in names]
    shares = [pl.when(pl.col(name).is_not_null()).then(weight).alias(f"share of {name}") for name in names]
    parts = []
    for case, outcomes in _outcomes(positives, negatives, rate):
        scored = _scored(outcomes, measures).with_columns(outcomes["weight"], case)
        parts.append(summed(scored.select("case", *terms, *shares), "case"))
    total = summed(pl.concat(parts), "case")
    means = (
        pl.when(pl.col(f"share of {name}") > 0).then(pl.col(name) / pl.col(f"share of {name}")).alias(name) for name in names
    )
    return total.select(pl.col("case").alias(LIST), *means)


def _outcomes(
    positives: NDArray[np.int64], negatives: NDArray[np.int64], rate: NDArray[np.float64]
) -> Iterator[tuple[pl.Series, pl.DataFrame]]:
    """Counts of every outcome that matters with its probability, in portions; another column has the case of each."""
    waiting: list[tuple[int, pl.DataFrame]] = []
    for case, (yes, no, p) in enumerate(zip(positives.tolist(), negatives.tolist(), rate.tolist(), strict=True)):
        tps, tp_chance = _binomial(yes, p)
        fps, fp_chance = _binomial(no, p)
        rows = max(1, MOST_TOGETHER // len(fps))
        for start in range(0, len(tps), rows):
            tp = np.repeat(tps[start : start + rows], len(fps))
            fp = np.tile(fps, len(tp) // len(fps))
            chance = np.outer(tp_chance[start : start + rows], fp_chance).ravel()
            waiting.append(
                (case, _table(np.arange(len(tp)), tp, fp, yes - tp, no - fp).with_columns(pl.Series("weight", chance)))
            )
            if sum(len(outcomes) for _, outcomes in waiting) >= MOST_TOGETHER:
                yield _joined(waiting)
                waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(waiting: list[tuple[int, pl.DataFrame]]) -> tuple[pl.Series, pl.DataFrame]:
    cases = np.repeat([case for case, _ in waiting], [len(outcomes) for _, outcomes in waiting])
    outcomes = pl.concat([outcomes for _, outcomes in waiting])
    return pl.Series("case", cases), outcomes.with_columns(pl.int_range(pl.len()).alias(LIST))


def _binomial(size: int, p: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The numbers of accepted items that matter, each with its probability."""
    if size == 0 or p in (0.0, 1.0):
        return np.array([size if p == 1.0 else 0]), np.ones(1)
    middle, reach = size * p, SPREAD * (size * p * (1 - p)) ** 0.5 + SPREAD
    counts = np.arange(max(0, int(middle - reach)), min(size, int(middle + reach) + 1) + 1)
    factorials = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, size + 1)))))
    log_chance = factorials[size] - factorials[counts] - factorials[size - counts]
    chance = np.exp(log_chance + counts * np.log(p) + (size - counts) * np.log1p(-p))
    return counts, chance / chance.sum()
