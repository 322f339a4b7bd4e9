"""Weighted means of two metrics on one case, as curves over the weight alpha of the first metric.

| mean | value | with a part 0 |
|---|---|---|
| harmonic (F) | 1 / (alpha / first + (1 - alpha) / second) | 0, even if the other part is undefined |
| geometric | first ** alpha * second ** (1 - alpha) | 0, even if the other part is undefined |
| arithmetic | alpha * first + (1 - alpha) * second | nothing special |

Any other case with an undefined part is undefined for every alpha and left out. On a case each of the three is convex in alpha.
The harmonic and the geometric mean need metrics of 0 and more that are better when higher. The arithmetic mean takes values of
any sign, turned where lower is better; a weight then means a rate of exchange between the units of the two metrics, and the
place of a crossing depends on these units.

The curves of this module are those of alpha between 0 and 1, continued to both ends. At alpha = 0 or 1 itself a part of weight
0 has no say and the mean is the other metric, as in `F(P,R,alpha=1)`; both agree unless a part is 0 or undefined.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from plumbline.comparison.shared import shared_cases
from plumbline.errors import BadUsage, usage
from plumbline.errors.comparisons import unfit_metrics
from plumbline.errors.faces import option
from plumbline.large import empty, gathered, made, portions

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Rows = NDArray[np.intp]

Mean = Literal["harmonic", "geometric", "arithmetic"]
MEANS: Final[tuple[Mean, ...]] = get_args(Mean)
SPOKEN: Final[dict[Mean, str]] = {
    "harmonic": "F (the harmonic mean)",
    "geometric": "the geometric mean",
    "arithmetic": "the arithmetic mean",
}


def fit(cube: Cube, mean: Mean, *, two: bool = False) -> None:
    """Make sure that the metrics can go into the mean; `two`: and that there are two of them."""
    if mean not in MEANS:
        raise BadUsage(usage.bad_option("mean", mean, list(MEANS)))
    what = SPOKEN[mean]
    if two and len(cube.metrics) != 2:  # noqa: PLR2004 - a curve over one weight
        names = ", ".join(cube.metrics) or "none"
        reason = f"a curve over one weight needs two metrics, there are {len(cube.metrics)} ({names})"
        raise BadUsage(
            unfit_metrics(what, reason, f"choose two with {option('metrics')}, or ask for the shares of all weightings")
        )
    if mean == "arithmetic":
        return
    advice = "choose the arithmetic mean, or leave the metric out"
    for metric, lower, values in zip(cube.metrics, cube.lower, cube.values, strict=True):
        if lower:
            raise BadUsage(unfit_metrics(what, f"{metric} is better when lower", advice))
        negative = _first_negative(values)
        if negative is not None:
            system, case = negative
            where = f"{values[system, case]:g} for {cube.systems[system]} on {cube.cases[case]}"
            raise BadUsage(unfit_metrics(what, f"{metric} is negative ({where})", advice))


def _first_negative(values: Numbers) -> tuple[int, int] | None:
    """The first system with a negative value, and the case; None without any."""
    for rows in portions(values.shape):
        places = np.argwhere(values[rows] < 0)
        if len(places):
            return rows.start + int(places[0, 0]), int(places[0, 1])
    return None


def defined(cube: Cube, mean: Mean) -> tuple[Flags, Flags]:
    """Where the mean of a case is 0 because a part is, and where it is defined: both `[system, case]`."""
    if mean == "arithmetic":
        return np.zeros(cube.known.shape, np.bool_), cube.known
    zero = made(cube.known.shape, lambda rows: (cube.values[:, rows] == 0).any(axis=0), np.bool_)
    return zero, made(zero.shape, lambda rows: zero[rows] | cube.known[rows], np.bool_)


@dataclass(frozen=True, eq=False)
class Blend:
    """The curves of all systems on all cases; arrays are `[system, case]`, and 0 where nothing is known."""

    mean: Mean
    base: Numbers
    """Harmonic: the smaller part; geometric and arithmetic: the second part."""
    bend: Numbers
    """Harmonic: the smaller part through the larger; geometric: log(first / second); arithmetic: first - second."""
    turned: Flags
    """Harmonic: whether the second part is the smaller one."""
    known: Flags

    @cached_property
    def complete(self) -> bool:
        """Whether every system has every case, so that the mean of a system is the same against all others."""
        return bool(self.known.all())

    @cached_property
    def shared(self) -> NDArray[np.int64]:
        """On how many cases both systems are defined, `[a, b]`."""
        return shared_cases(self.known)

    def values(self, alpha: Numbers | float, order: int = 0, rows: Rows | slice = slice(None)) -> Numbers:
        """The curves of the systems in `rows` at alpha, or their first or second derivative."""
        base, bend = self.base[rows], self.bend[rows]
        with np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore"):
            if self.mean == "harmonic":
                turned = self.turned[rows]
                slope = 1.0 - bend
                under = bend + np.where(turned, 1.0 - alpha, alpha) * slope
                if order == 0:
                    return np.asarray(base / under)
                if order == 1:
                    return np.asarray(np.where(turned, slope, -slope) * base / under**2)
                return np.asarray(2 * slope**2 * base / under**3)
            if self.mean == "geometric":
                return np.asarray(base * np.exp(alpha * bend) * bend**order)
            return np.asarray([base + alpha * bend, bend + 0.0 * alpha, 0.0 * (bend + alpha)][order])

    def only(self, systems: Rows) -> Blend:
        """The curves of some systems."""
        return Blend(self.mean, self.base[systems], self.bend[systems], self.turned[systems], self.known[systems])

    def means(self, alphas: Numbers, order: int = 0) -> Numbers:
        """The means of all systems at some alphas, `[alpha, system]`, where every system has every case."""

        def of_some(rows: slice) -> Numbers:
            return np.array([self.values(alpha, order, rows).mean(axis=1) for alpha in alphas.tolist()]).T

        return np.asarray(gathered(self.base.shape, of_some).T)

    def against(self, alpha: float, order: int = 0) -> Numbers:
        """The mean of a over the cases that it shares with b, `[a, b]`; not a number where there is none."""
        return self._pairwise(lambda rows: self.values(alpha, order, rows))

    def sizes(self) -> Numbers:
        """The largest size of a mean for any alpha, `[a, b]`: what rounding errors are measured by."""
        return self._pairwise(lambda rows: np.maximum(np.abs(self.values(0.0, 0, rows)), np.abs(self.values(1.0, 0, rows))))

    def _pairwise(self, curves: Callable[[slice], Numbers]) -> Numbers:
        """The means of a over the cases that it shares with b, some rows at a time: all curves take as much as all scores."""
        count = len(self.base)
        if self.complete and self.base.shape[1]:
            means = gathered(self.base.shape, lambda rows: curves(rows).mean(axis=1))
            return np.broadcast_to(means[:, None], (count, count))
        known = made(self.known.shape, lambda rows: self.known[rows].astype(np.float64)).T
        sums = gathered(self.base.shape, lambda rows: curves(rows) @ known)
        return np.asarray(np.divide(sums, self.shared, out=np.full(sums.shape, np.nan), where=self.shared > 0))

    def pairs(self, a: Rows, b: Rows, alpha: Numbers, orders: tuple[int, ...]) -> Numbers:
        """For each order the means of a and of b at an alpha of their own, over their shared cases: `[2 * orders, pairs]`."""
        result = np.empty((2 * len(orders), len(a)))
        if self.complete:
            steps, step = np.unique(alpha, return_inverse=True)
            if len(steps) * len(self.base) < len(a):
                for row, order in enumerate(orders):
                    means = self.means(steps, order)
                    result[2 * row], result[2 * row + 1] = means[step, a], means[step, b]
                return result
        for block in portions((len(a), self.base.shape[1])):
            both = None if self.complete else self.known[a[block]] & self.known[b[block]]
            count = self.shared[a[block], b[block]]
            for row, order in enumerate(orders):
                for side, rows in enumerate((a[block], b[block])):
                    values = self.values(alpha[block, None], order, rows)
                    result[2 * row + side, block] = (values if both is None else np.where(both, values, 0.0)).sum(
                        axis=1
                    ) / count
        return result


def blend(cube: Cube, mean: Mean) -> Blend:
    """The curves of a cube of two metrics that fit the mean."""
    fit(cube, mean, two=True)
    zero, known = defined(cube, mean)
    first, second = empty(known.shape), empty(known.shape)
    turned = empty(known.shape, np.bool_)
    for rows in portions(known.shape):
        some = known[rows] & ~zero[rows]
        first[rows], second[rows] = (np.where(some, values[rows], 0.0) for values in cube.signed)
        one, other = first[rows], second[rows]
        turned[rows] = other < one
        if mean == "harmonic":
            low, high = np.minimum(one, other), np.maximum(one, other)
            other[:] = low
            one[:] = np.divide(low, high, out=np.ones_like(low), where=some)
        elif mean == "geometric":
            logs = [np.log(values, out=np.zeros_like(values), where=some) for values in (one, other)]
            one[:] = logs[0] - logs[1]
        else:
            one -= other
    return Blend(mean, second, first, turned, known)
