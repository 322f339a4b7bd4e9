"""Would the verdicts hold on other cases? One collection is split in halves again and again, and the halves are compared.

A pair keeps its winner if the same system is better in both halves. A half has half of the cases, so that a collection of the
same size would agree somewhat better than that. How far the predictors can be trusted is told by the same experiment as for
several collections (`prediction`): one half is the reference, and what holds in both halves is true.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.generalise.prediction import PREDICTORS, RECALLS, curve, differences, quality, strengths
from plumbline.comparison.unanimity.unanimity import THRESHOLD
from plumbline.errors import BadUsage, usage
from plumbline.options.option import MOST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.generalise.prediction import Predictor

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

SPLITS: Final = 1000
CURVES: Final = 20
"""Splits on which the predictors are tried."""
FEWEST: Final = 2


@dataclass(frozen=True, eq=False)
class Forecast:
    """What became of each pair when the cases were split, as shares of the splits, `[a, b]`."""

    systems: tuple[str, ...]
    cases: int
    splits: int
    seed: int
    overall: Numbers
    """The difference on all cases."""
    keeps: Numbers
    """a was better than b in both halves."""
    swaps: Numbers
    """One was better in one half, the other one in the other half. The rest: equal in a half, or no shared case there."""
    predictors: pl.DataFrame
    """`predictor, splits, average_precision, deviation, at_0.1 ... at_1`: means over some splits.

    `accepted, precision`: how many pairs have a UIR above 0.25, and how many of these hold.
    """

    def table(self) -> pl.DataFrame:
        """`a, b, difference, keeps, turns, swaps, undecided`: a is better on all cases; `turns`: b was better in both."""
        rows = []
        for one, other in combinations(range(len(self.systems)), 2):
            a, b = (other, one) if self.overall[other, one] > 0 else (one, other)
            kept, turned, swapped = (float(results) for results in (self.keeps[a, b], self.keeps[b, a], self.swaps[a, b]))
            rest = max(1.0 - kept - turned - swapped, 0.0)
            rows.append((self.systems[a], self.systems[b], float(self.overall[a, b]), kept, turned, swapped, rest))
        columns = dict.fromkeys(("difference", "keeps", "turns", "swaps", "undecided"), pl.Float64)
        frame = pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String, **columns}, orient="row")
        return frame.with_columns(pl.col(pl.Float64).fill_nan(None))

    def curves(self) -> pl.DataFrame:
        """The mean precision at some recalls, in the columns of the curves of several collections."""
        levels = {f"at_{recall:g}": recall for recall in RECALLS}
        long = self.predictors.select("predictor", *levels).unpivot(index="predictor", value_name="precision")
        count = pl.lit(None, pl.Int64)
        return long.sort("predictor", maintain_order=True).select(
            pl.lit("one half").alias("reference"),
            "predictor",
            pl.lit(None, pl.Float64).alias("threshold"),
            count.alias("accepted"),
            count.alias("right"),
            "precision",
            pl.col("variable").replace_strict(levels, return_dtype=pl.Float64).alias("recall"),
        )


def forecast(
    cube: Cube,
    alpha: float = 0.5,
    *,
    splits: int = SPLITS,
    seed: int = 0,
    curves: int = CURVES,
    predictors: Sequence[Predictor] = PREDICTORS,
) -> Forecast:
    """Split the cases in random halves `splits` times; try the predictors on the first `curves` of them (0: not at all)."""
    if not 1 <= splits <= MOST:
        raise BadUsage(usage.bad_parameter("forecast", "splits", str(splits), f"a whole number from 1 to {MOST:,}"))
    if len(cube.cases) < FEWEST:
        raise BadUsage(
            usage.bad_object(f"a collection of {len(cube.cases)} case", "two cases or more, so that it can be split")
        )
    values, count = quality(cube, alpha), len(cube.systems)
    keeps, swaps = np.zeros((count, count)), np.zeros((count, count))
    results: dict[str, list[list[float]]] = {predictor: [] for predictor in predictors}
    for number, half in enumerate(halves(len(cube.cases), splits, seed)):
        first, second = differences(values[:, half]), differences(values[:, ~half])
        with np.errstate(invalid="ignore"):
            holds = (first > 0) & (second > 0)
            keeps += holds
            swaps += first * second < 0
        if number < curves:
            reference = replace(cube, cases=tuple(np.array(cube.cases)[half].tolist()), values=cube.values[:, :, half])
            for predictor, strength in strengths(reference, alpha, predictors).items():
                results[predictor].append(_numbers_of_trial(predictor, strength, holds))
    table = _summary(results)
    return Forecast(cube.systems, len(cube.cases), splits, seed, differences(values), keeps / splits, swaps / splits, table)


def halves(cases: int, splits: int, seed: int) -> list[Flags]:
    """Which cases are in the first half of each split; of an odd number of cases it is the smaller one."""
    rng = np.random.default_rng(seed)
    half = np.arange(cases) < cases // 2
    return [rng.permutation(half) for _ in range(splits)]


def _numbers_of_trial(predictor: str, strength: Numbers, holds: Flags) -> list[float]:
    results = curve(predictor, "half", strength, holds)
    accepted, right = results.beyond(THRESHOLD) if predictor != "F difference" else (0, 0)
    return [results.average_precision, *results.at().tolist(), accepted, right / accepted if accepted else np.nan]


def _summary(results: dict[str, list[list[float]]]) -> pl.DataFrame:
    rows = []
    for predictor, trials in results.items():
        values = np.array(trials, dtype=np.float64).reshape(-1, len(RECALLS) + 3)
        means = [_mean(column) for column in values.T]
        known = values[~np.isnan(values[:, 0]), 0]
        deviation = float(known.std(ddof=1)) if len(known) > 1 else np.nan
        counts = means[-2:] if predictor != "F difference" else [np.nan, np.nan]
        rows.append((predictor, len(values), means[0], deviation, *means[1:-2], *counts))
    names = ("average_precision", "deviation", *(f"at_{recall:g}" for recall in RECALLS), "accepted", "precision")
    schema = {"predictor": pl.String, "splits": pl.Int64} | dict.fromkeys(names, pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(pl.Float64).fill_nan(None))


def _mean(values: Numbers) -> float:
    """Of the splits that have a value."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan
