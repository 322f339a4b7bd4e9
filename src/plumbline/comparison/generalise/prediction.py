"""Will a difference hold elsewhere? What one collection says about pairs of systems, against what holds in all.

Section 7 of Amigó et al. 2011: T is the set of pairs (a, b) such that a is better than b in every collection. From one, the
reference, each predictor accepts the pairs whose strength is above a threshold t. Precision is the share of accepted pairs that
are in T, recall the share of T that is accepted; a curve shows both for every t. The predictors of the paper are the difference
of F, UIR and parametric UIR (section 8).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import polars as pl

from plumbline.average import SAME, levels
from plumbline.comparison.combining import combined
from plumbline.comparison.unanimity.parametric import parametric
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.errors import BadUsage, usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Counts = NDArray[np.int64]

Predictor = Literal["F difference", "UIR", "parametric UIR"]
PREDICTORS: Final[tuple[Predictor, ...]] = get_args(Predictor)
"""Of one metric, F is the metric itself."""
RECALLS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
FEWEST: Final = 2


@dataclass(frozen=True, eq=False)
class Curve:
    """How well a predictor tells the pairs that hold, from the strictest threshold to the one that accepts every pair."""

    predictor: str
    collection: str
    """The reference."""
    strength: Numbers
    """The weakest pair that is accepted, falling."""
    accepted: Counts
    right: Counts
    """Accepted pairs that hold."""
    holding: int
    """All pairs that hold."""
    unknown: int
    """Pairs that never are accepted because the predictor has no value for them."""

    @property
    def threshold(self) -> Numbers:
        """The lowest t for which exactly these pairs have a strength above t; minus infinity for all pairs."""
        return np.append(self.strength[1:], -np.inf)[: len(self.strength)]

    @cached_property
    def precision(self) -> Numbers:
        """Share of the accepted pairs that hold."""
        return np.asarray(self.right / self.accepted)

    @cached_property
    def recall(self) -> Numbers:
        """Share of the pairs that hold that is accepted; not a number if none holds."""
        return self.right / self.holding if self.holding else np.full(len(self.right), np.nan)

    @cached_property
    def average_precision(self) -> float:
        """The area under the curve in steps: precision where recall grows; pairs without a value count as not found."""
        return float(np.diff(self.recall, prepend=0.0) @ self.precision) if self.holding else np.nan

    def at(self, recalls: Sequence[float] = RECALLS) -> Numbers:
        """The highest precision at each recall or more; 0 where the recall is not reached."""
        best = np.append(np.maximum.accumulate(self.precision[::-1])[::-1], 0.0)
        result = best[np.searchsorted(self.recall, np.asarray(recalls) - SAME)]
        return np.asarray(result if self.holding else np.full(len(result), np.nan))

    def beyond(self, threshold: float) -> tuple[int, int]:
        """How many pairs have a strength above the threshold, and how many of these hold."""
        above = int(np.searchsorted(-self.strength, -threshold, side="left"))
        return (int(self.accepted[above - 1]), int(self.right[above - 1])) if above else (0, 0)

    def table(self) -> pl.DataFrame:
        """`reference, predictor, threshold, accepted, right, precision, recall`, strictest first."""
        return pl.DataFrame(
            {
                "threshold": self.threshold,
                "accepted": self.accepted,
                "right": self.right,
                "precision": self.precision,
                "recall": pl.Series(self.recall, nan_to_null=True),
            }
        ).select(pl.lit(self.collection).alias("reference"), pl.lit(self.predictor).alias("predictor"), pl.all())


def curve(predictor: str, collection: str, strength: Numbers, holds: Flags) -> Curve:
    """The curve of a predictor that gives each ordered pair a strength `[a, b]`, against the pairs that hold `[a, b]`."""
    pairs = ~np.eye(len(strength), dtype=np.bool_)
    known = pairs & ~np.isnan(strength)
    values, truth = strength[known], holds[known]
    order = np.argsort(-values, kind="stable")
    values, truth, level = values[order], truth[order], levels(values, SAME)[order]
    ends = np.flatnonzero(np.append(level[1:] != level[:-1], np.ones(min(len(level), 1), dtype=np.bool_)))
    right = np.cumsum(truth)[ends].astype(np.int64)
    unknown = int((pairs & ~known).sum())
    return Curve(predictor, collection, values[ends], ends.astype(np.int64) + 1, right, int(holds[pairs].sum()), unknown)


def quality(cube: Cube, alpha: float = 0.5) -> Numbers:
    """What systems are compared by, `[system, case]`, higher is better: F of two metrics, or the only metric."""
    return combined(cube, alpha).values


def differences(values: Numbers) -> Numbers:
    """The mean of a minus the mean of b over the cases that both have, `[a, b]`; 0 if they differ by rounding only."""
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    if known.all() and values.shape[1]:
        means = np.broadcast_to(filled.mean(axis=1)[:, None], (len(values), len(values)))
    else:
        present = known.astype(np.float64)
        shared = present @ present.T
        means = np.divide(filled @ present.T, shared, out=np.full(shared.shape, np.nan), where=shared > 0)
    result = means - means.T
    result[np.abs(result) <= SAME * np.abs(filled).max(initial=0.0)] = 0.0
    return np.asarray(result)


def strengths(cube: Cube, alpha: float = 0.5, predictors: Sequence[Predictor] = PREDICTORS) -> dict[str, Numbers]:
    """What each predictor says about each ordered pair of systems, `[a, b]`."""
    result: dict[str, Numbers] = {}
    for predictor in predictors:
        if predictor == "F difference":
            result[predictor] = differences(quality(cube, alpha))
        elif predictor == "UIR":
            result[predictor] = unanimity(cube).uir
        elif predictor == "parametric UIR":
            result[predictor] = parametric(cube)
        else:
            raise BadUsage(usage.bad_option("predictor", predictor, list(PREDICTORS)))
    return result


@dataclass(frozen=True, eq=False)
class Prediction:
    """Pairs of systems that hold in all collections, and how well each collection tells them."""

    systems: tuple[str, ...]
    collections: tuple[str, ...]
    left_out: tuple[str, ...]
    """Systems that are not in all collections."""
    better: NDArray[np.int8]
    """1 where a is better than b, -1 where it is worse, 0 where they are equal or share no case: `[collection, a, b]`."""
    curves: tuple[Curve, ...]

    @cached_property
    def holds(self) -> Flags:
        """Whether a is better than b in all collections, `[a, b]`."""
        return np.asarray((self.better > 0).all(axis=0))

    @property
    def consistent(self) -> float:
        """The share of pairs of systems of which one is better in all collections."""
        pairs = len(self.systems) * (len(self.systems) - 1) / 2
        return float(self.holds.sum()) / pairs if pairs else np.nan

    def pairs(self) -> pl.DataFrame:
        """`a, b, a_better, b_better, equal, holds`: in how many collections; a is the one that is better more often."""
        wins = (self.better > 0).sum(axis=0)
        rows = []
        for one, other in combinations(range(len(self.systems)), 2):
            a, b = (one, other) if wins[one, other] >= wins[other, one] else (other, one)
            won, lost = int(wins[a, b]), int(wins[b, a])
            rows.append(
                (self.systems[a], self.systems[b], won, lost, len(self.collections) - won - lost, bool(self.holds[a, b]))
            )
        counts = dict.fromkeys(("a_better", "b_better", "equal"), pl.Int64)
        return pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String, **counts, "holds": pl.Boolean}, orient="row")

    def table(self) -> pl.DataFrame:
        """All points of all curves."""
        return pl.concat([curve.table() for curve in self.curves])

    def summary(self, recalls: Sequence[float] = RECALLS) -> pl.DataFrame:
        """`reference, predictor, average_precision` and the precision at some recalls, a row for each curve."""
        rows = [(one.collection, one.predictor, one.average_precision, *one.at(recalls).tolist()) for one in self.curves]
        levels = dict.fromkeys(("average_precision", *(f"at_{recall:g}" for recall in recalls)), pl.Float64)
        frame = pl.DataFrame(rows, schema={"reference": pl.String, "predictor": pl.String, **levels}, orient="row")
        return frame.with_columns(pl.col(pl.Float64).fill_nan(None))


def predicted(
    differences_: Mapping[str, Numbers],
    predictors: Mapping[str, Mapping[str, Numbers]],
    systems: Sequence[str],
    left_out: Sequence[str] = (),
) -> Prediction:
    """The experiment from tables: differences of each collection, and the strengths of each predictor in each, all `[a, b]`."""
    if len(differences_) < FEWEST:
        raise BadUsage(usage.bad_object("one collection", "two or more with the same systems; one can be split in halves"))
    better = np.array([np.sign(np.nan_to_num(result)) for result in differences_.values()], dtype=np.int8)
    holds = np.asarray((better > 0).all(axis=0))
    curves = tuple(
        curve(predictor, collection, strength, holds)
        for collection, result in predictors.items()
        for predictor, strength in result.items()
    )
    return Prediction(tuple(systems), tuple(differences_), tuple(left_out), better, curves)


def across(cubes: Mapping[str, Cube], alpha: float = 0.5, predictors: Sequence[Predictor] = PREDICTORS) -> Prediction:
    """The experiment for several collections with the same systems and the same metric or two metrics."""
    if not cubes:
        raise BadUsage(usage.bad_object("no collection", "two or more with the same systems"))
    first = next(iter(cubes.values()))
    every = dict.fromkeys(system for cube in cubes.values() for system in cube.systems)
    systems = [system for system in every if all(system in cube.systems for cube in cubes.values())]
    for name, cube in cubes.items():
        if missing := [metric for metric in first.metrics if metric not in cube.metrics]:
            advice = "the same metrics for all; AP=FILE names the metric of a file that has a column for each system"
            raise BadUsage(usage.bad_object(f"collection {name!r} without {missing[0]}", advice))
    if len(systems) < FEWEST:
        raise BadUsage(usage.bad_object("collections with fewer than two systems in common", "the same systems in all"))
    same = {name: cube.only(first.metrics, systems) for name, cube in cubes.items()}
    apart = {name: differences(quality(cube, alpha)) for name, cube in same.items()}
    result = {name: strengths(cube, alpha, predictors) for name, cube in same.items()}
    return predicted(apart, result, systems, [system for system in every if system not in systems])
