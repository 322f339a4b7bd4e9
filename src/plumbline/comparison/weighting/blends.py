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

from plumbline.errors import BadUsage, usage
from plumbline.errors.comparisons import unfit_metrics
from plumbline.errors.faces import option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
_BLOCK: Final = 1 << 21
"""How many numbers are worked on at a time."""


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
        negative = np.argwhere(values < 0)
        if len(negative):
            system, case = negative[0]
            where = f"{values[system, case]:g} for {cube.systems[system]} on {cube.cases[case]}"
            raise BadUsage(unfit_metrics(what, f"{metric} is negative ({where})", advice))


def defined(cube: Cube, mean: Mean) -> tuple[Flags, Flags]:
    """Where the mean of a case is 0 because a part is, and where it is defined: both `[system, case]`."""
    if mean == "arithmetic":
        return np.zeros(cube.known.shape, np.bool_), cube.known
    zero = (cube.values == 0).any(axis=0)
    return zero, zero | cube.known


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
        known = self.known.astype(np.float64)
        return np.asarray(np.rint(known @ known.T), dtype=np.int64)

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
            means = np.concatenate([curves(rows).mean(axis=1) for rows in _blocks(self.base)])
            return np.broadcast_to(means[:, None], (count, count))
        known = self.known.T.astype(np.float64)
        sums = np.concatenate([curves(rows) @ known for rows in _blocks(self.base)])
        return np.asarray(np.divide(sums, self.shared, out=np.full(sums.shape, np.nan), where=self.shared > 0))

    def pairs(self, a: Rows, b: Rows, alpha: Numbers, orders: tuple[int, ...]) -> Numbers:
        """For each order the means of a and of b at an alpha of their own, over their shared cases: `[2 * orders, pairs]`."""
        result = np.empty((2 * len(orders), len(a)))
        if self.complete:
            steps, step = np.unique(alpha, return_inverse=True)
            if len(steps) * len(self.base) < len(a):
                for row, order in enumerate(orders):
                    means = np.array([self.values(at, order).mean(axis=1) for at in steps.tolist()])
                    result[2 * row], result[2 * row + 1] = means[step, a], means[step, b]
                return result
        for block in _blocks(self.base, len(a)):
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
    usable = known & ~zero
    first, second = (np.where(usable, values, 0.0) for values in cube.signed)
    turned = second < first
    for rows in _blocks(first):  # in place, as both parts may take half of the memory
        one, other, some = first[rows], second[rows], usable[rows]
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


def _blocks(values: Numbers, rows: int | None = None) -> Iterator[slice]:
    """Portions of so many rows, or of all that the values have; one at least."""
    size = max(_BLOCK // max(values.shape[1], 1), 1)
    last = len(values) if rows is None else rows
    return (slice(start, start + size) for start in range(0, max(last, 1), size))
