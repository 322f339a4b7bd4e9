"""One number per system and case out of all metrics: what a leaderboard goes by, and what is tested."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import mean_of_known, ranks
from plumbline.comparison.weighting.blends import MEANS, blend, fit
from plumbline.errors import BadUsage, usage
from plumbline.large import largest_of_rows, made, portions
from plumbline.render.saving import saveable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.weighting.blends import Mean

TWO: Final = 2
HALF: Final = 0.5
"""The alpha by which both metrics weigh the same."""


@saveable
@dataclass(frozen=True, eq=False)
class Score:
    """The combined score of all systems on all cases, higher is better."""

    name: str
    values: NDArray[np.float64]
    """`[system, case]`, not a number where it is undefined."""
    mean: Mean
    """How metrics are combined, here and by any other weighting."""

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean over the cases of each system; not a number without any."""
        return mean_of_known(self.values)

    @cached_property
    def ranks(self) -> list[int | None]:
        """The rank of each system by its mean; none without any case."""
        return ranks(self.means, scale=largest_of_rows(self.values))


def combined(cube: Cube, alpha: float = HALF, mean: str | None = None) -> Score:
    """F of two metrics, one metric alone, or the mean of several; `mean` chooses another kind of mean.

    Of two metrics `alpha` weighs the first. Metrics that F cannot take (negative, or better when lower) are combined by the
    arithmetic mean of values whose sign is turned where lower is better, which the name of the score tells.
    """
    if mean is not None and mean not in MEANS:
        raise BadUsage(usage.bad_option("mean", mean, list(MEANS)))
    if not 0 <= alpha <= 1:
        raise BadUsage(usage.bad_option("alpha", f"{alpha:g}", ["a number between 0 and 1"]))
    chosen = _mean(cube, mean)
    if len(cube.metrics) == 1:
        return Score(cube.metrics[0], cube.signed[0], chosen)
    if len(cube.metrics) == TWO:
        first, second = (f"-{name}" if lower else name for name, lower in zip(cube.metrics, cube.lower, strict=True))
        weight = "" if alpha == HALF else f",alpha={alpha:g}"
        names = {"harmonic": f"F({first},{second}{weight})"}
        name = names.get(chosen, f"{chosen} mean({first},{second}{weight})")
        if alpha in (0, 1):  # a part of weight 0 has no say, as in F(P,R,alpha=1)
            return Score(name, cube.signed[0 if alpha else 1], chosen)
        curves = blend(cube, chosen)
        values = made(curves.known.shape, lambda rows: np.where(curves.known[rows], curves.values(alpha, 0, rows), np.nan))
        return Score(name, values, chosen)
    return Score(f"{chosen} mean of {len(cube.metrics)} metrics", _of_many(cube, chosen), chosen)


def _mean(cube: Cube, requested: str | None) -> Mean:
    """The mean that was asked for, else the harmonic one where it can be taken."""
    if requested is not None:
        fit(cube, requested)  # type: ignore[arg-type]  # checked by the caller
        return requested  # type: ignore[return-value]  # as above
    negative = any((values[rows] < 0).any() for values in cube.values for rows in portions(values.shape))
    return "arithmetic" if cube.lower.any() or negative else "harmonic"


def _of_many(cube: Cube, mean: Mean) -> NDArray[np.float64]:
    """All metrics with the same weight."""
    if mean == "arithmetic":
        return np.asarray(cube.signed.mean(axis=0))
    zero = (cube.signed == 0).any(axis=0)
    with np.errstate(divide="ignore"):
        if mean == "geometric":
            return np.where(zero, 0.0, np.exp(np.log(cube.signed).mean(axis=0)))
        return np.where(zero, 0.0, 1.0 / (1.0 / cube.signed).mean(axis=0))
