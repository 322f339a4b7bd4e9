"""Where the curves of two systems over the weight alpha cross: exact alphas for all pairs at once.

Each pair is compared on the cases on which both systems are defined. Crossings and touches lie strictly between 0 and 1.
Differences below 1e-14 of the means are taken for rounding errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.comparison.weighting.blends import Mean, blend
from plumbline.comparison.weighting.roots import NOISE, roots

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.weighting.blends import Flags, Numbers, Rows


@dataclass(frozen=True, eq=False)
class Crossings:
    """Where the curves of two systems cross, for all pairs; `a` and `b` are numbers of systems, a before b."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    mean: Mean
    a: Rows
    b: Rows
    alpha: Numbers
    """Sorted by pair, then by alpha."""
    touch_a: Rows
    touch_b: Rows
    touch_alpha: Numbers
    """Where two curves meet and part again without crossing."""
    cases: NDArray[np.int64]
    """Cases on which both are defined, `[a, b]`."""
    left_out: NDArray[np.int64]
    """Cases that were left out, `[a, b]`."""
    same: Flags
    """Whether the two curves are identical but for rounding errors, `[a, b]`."""
    start: NDArray[np.int8]
    """`[a, b]`: 1 if a is better right after alpha = 0, -1 if b is, 0 if they are the same or share no case."""
    ends: NDArray[np.int8]
    """`[2, a, b]`: which one is better at alpha = 0 and at alpha = 1 themselves."""
    unsure: Flags
    """Whether two crossings very close to each other may have been missed: curves that run side by side, `[a, b]`."""

    def table(self) -> pl.DataFrame:
        """A row for each crossing and touch."""
        parts = [(self.a, self.b, self.alpha, "crossing"), (self.touch_a, self.touch_b, self.touch_alpha, "touch")]
        frames = [
            pl.DataFrame(
                {"a": self._named(a), "b": self._named(b), "alpha": alpha, "kind": [kind] * len(a)},
                schema={"a": pl.String, "b": pl.String, "alpha": pl.Float64, "kind": pl.String},
            )
            for a, b, alpha, kind in parts
        ]
        return pl.concat(frames)

    def _named(self, rows: Rows) -> list[str]:
        return [self.systems[row] for row in rows.tolist()]

    def of(self, a: str, b: str) -> list[float]:
        """The alphas at which two systems cross."""
        first, second = sorted((self.systems.index(a), self.systems.index(b)))
        return list(self.alpha[(self.a == first) & (self.b == second)].tolist())


def crossings(cube: Cube, mean: Mean = "harmonic") -> Crossings:
    """The alphas strictly between 0 and 1 where the mean curves of two systems cross, for all pairs."""
    curves = blend(cube, mean)
    count = len(cube.systems)
    cases = curves.shared
    a, b = np.nonzero(np.triu(cases, 1))
    solved = roots(curves, a, b)
    start, same, unsure = np.zeros((count, count), np.int8), cases > 0, np.zeros((count, count), np.bool_)
    start[a, b], start[b, a] = solved.start, -solved.start
    same[a, b] = same[b, a] = solved.start == 0
    unsure[a, b] = unsure[b, a] = solved.unsure
    return Crossings(
        cube.systems,
        cube.metrics,
        mean,
        a[solved.pair],
        b[solved.pair],
        solved.alpha,
        a[solved.touch_pair],
        b[solved.touch_pair],
        solved.touch_alpha,
        cases,
        len(cube.cases) - cases,
        same,
        start,
        np.array([_alone(cube.signed[1]), _alone(cube.signed[0])]),
        unsure,
    )


def _alone(values: Numbers) -> NDArray[np.int8]:
    """The sign of the difference of means by one metric, over the cases that both systems have."""
    known = ~np.isnan(values)
    present, values = known.astype(np.float64), np.where(known, values, 0.0)
    sums, sizes = values @ present.T, np.abs(values) @ present.T
    difference = sums - sums.T
    return np.where(np.abs(difference) > NOISE * np.maximum(sizes, sizes.T), np.sign(difference), 0.0).astype(np.int8)
