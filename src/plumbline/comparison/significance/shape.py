"""How the differences of each pair are distributed: skewness, and Hall's (1992) transformation that takes it away.

The studentized mean T = (mean - truth) / deviation of skewed differences is skewed as well. Hall's cubic g(T) is hardly skewed
and can be inverted: g(T) sqrt(n) is compared with the t distribution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.pairs import (
    FEWEST_FOR_A_VARIANCE,
    IN_CACHE,
    Moments,
    Pairs,
    Products,
    by_products,
    farthest,
)
from plumbline.large import made

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_LOOK: Final = 16
"""Cases that tell quickly that differences are not of one size."""
_STRAIGHT: Final = 1e-8
"""Below this skewness there is nothing to correct."""

_ENLARGED: Final = (0.7, 10.0, 1.5)
"""The skewness of n cases is enlarged by 10 / n of itself, but by no more than 0.7 of it, and by 1.5 (6 / n)^4 of it."""
_FEWEST_DIFFERENT: Final = 5
"""If fewer cases than these differ, nearly nothing tells how large other differences are."""
_FURTHEST_OF_RARE: Final = 5.5
"""How many times as far as that of t an end of such a pair may lie."""
FEWEST_FOR_AN_INTERVAL: Final = 6
"""With fewer cases nothing is sure in 95 %, unless a distribution is assumed: all differences have the same sign in 2^(1 - n)
of all data sets although their median is 0, which is more than 5 %."""


def bent(t: Numbers, skewness: Numbers, n: Numbers) -> Numbers:
    """Hall's transformation of the studentized mean, without the square root of n."""
    return np.asarray(t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / (6 * n))


def unbent(y: Numbers, skewness: Numbers, n: Numbers) -> Numbers:
    """The studentized mean whose transformation is y: the inverse of `bent`."""
    known = np.where(np.abs(skewness) < _STRAIGHT, 1.0, skewness)
    bent = 3.0 / known * (np.cbrt(1.0 + known * (y - known / (6.0 * n))) - 1.0)
    return np.where(np.abs(skewness) < _STRAIGHT, y, bent)


def flat(skewness: Numbers, n: Numbers) -> Numbers:
    """From where on the inverse of `bent` means nothing: there its cube is 0. Infinite if skewness makes ends nearer."""
    longer = np.isfinite(skewness) & (skewness < -_STRAIGHT)
    known = np.where(longer, skewness, -1.0)
    return np.where(longer, known / (6.0 * n) - 1.0 / known, np.inf)


class Limits(NamedTuple):
    """How much is added for few cases, and between which multiples of t an end has to lie.

    Chosen by simulation (`reproductions/interval_methods.py`). Hall's cubic is flat where its cube is 0. Its inverse jumps
    there, and then comes nearer again the more skewed the differences are, so from there on the furthest end is taken.
    """

    wider: Numbers
    """By what t is multiplied before its transformation is inverted."""
    nearest: Numbers
    furthest: Numbers

    @classmethod
    def of(cls, n: Numbers, rare: NDArray[np.bool_] | bool = False) -> Limits:  # noqa: FBT001, FBT002 - a flag of each pair
        """Those of n cases, for pairs in which enough cases differ or too few do."""
        few = (FEWEST_FOR_AN_INTERVAL / n) ** 2
        return cls(1.0 + 0.5 * few, 1.0 - 0.2 * few, np.where(rare, _FURTHEST_OF_RARE, 1.8 + 2.2 * few))


def corrected_end(t: Numbers, skewness: Numbers, n: Numbers, limits: Limits) -> Numbers:
    """How far the lower end lies below the mean, in deviations: that of Hall, within limits.

    Infinite skewness says that nothing is known about the longer tail.
    """
    known = np.isfinite(skewness)
    own = unbent(limits.wider * t, np.where(known, skewness, 0.0), n)
    own = np.where(known, np.where(limits.wider * t < flat(skewness, n), own, np.inf), np.where(skewness > 0, 0.0, np.inf))
    return np.clip(own, limits.nearest * t, limits.furthest * t)


def corrected_statistic(t: Numbers, skewness: Numbers, n: Numbers, limits: Limits) -> Numbers:
    """The studentized distance of a limit, so that it exceeds t if and only if the limit is below `corrected_end` of t."""
    known = np.isfinite(skewness)
    own = np.minimum(bent(t, np.where(known, skewness, 0.0), n), flat(skewness, n)) / limits.wider
    own = np.where(known, own, np.where(skewness > 0, np.inf, -np.inf))
    return np.where(t > 0, np.minimum(np.maximum(own, t / limits.furthest), t / limits.nearest), np.minimum(own, t))


@dataclass(frozen=True, eq=False)
class Shape:
    """How the differences of each pair are distributed."""

    skewness: Numbers
    """The third standardised moment, enlarged for few cases; 0 where differences do not vary, infinite where one case does."""
    rare: NDArray[np.bool_]
    """Whether some cases differ, but so few that they hardly tell how large other differences are."""
    even: NDArray[np.bool_]
    """Whether there are differences, and all that are not 0 have the same size."""
    size: Numbers
    """The largest absolute difference, where differences are of one size."""
    wins: NDArray[np.int64]
    """The cases that a wins, where differences are of one size."""
    losses: NDArray[np.int64]
    """The cases that b wins, where differences are of one size."""

    @property
    def single(self) -> NDArray[np.bool_]:
        """Whether a single case differs: others that do may differ by another size."""
        return np.asarray(self.even & (self.wins + self.losses == 1))


def shape_of(pairs: Pairs, moment: Moments) -> Shape:
    """The skewness of all pairs' differences, and whether they are of one size."""
    wins, losses = np.zeros((2, len(pairs)), dtype=np.int64)
    rare, even = np.zeros((2, len(pairs)), dtype=np.bool_)
    shape = Shape(np.zeros(len(pairs)), rare, even, np.zeros(len(pairs)), wins, losses)
    if by_products(pairs):
        products = Products.of(pairs)
        shape.skewness[:] = _by_products(pairs, products)
        maybe = _maybe_special(pairs)
        maybe[products.inexact] = True
        for these, differences in pairs.some_blocks(np.flatnonzero(maybe)):
            _set_shape(pairs, moment, shape, these, differences)
    else:
        for some, differences in pairs.blocks():
            _set_shape(pairs, moment, shape, np.arange(some.start, some.stop), differences)
    shape.skewness[:] = of_few_cases(shape.skewness, pairs.cases)
    shape.skewness[shape.single] = np.copysign(np.inf, (wins - losses)[shape.single])
    return shape


def of_few_cases(skewness: Numbers, cases: NDArray[Any]) -> Numbers:
    """The skewness enlarged by the number of cases: n cases cannot show more than about sqrt(n).

    Chosen by simulation among other factors and limits (`reproductions/interval_methods.py`).
    """
    most, over, more = _ENLARGED
    n = np.maximum(cases, FEWEST_FOR_AN_INTERVAL)
    return np.asarray(skewness * (1.0 + np.minimum(most, over / n) + more * (FEWEST_FOR_AN_INTERVAL / n) ** 4))


def _set_shape(pairs: Pairs, moment: Moments, out: Shape, some: NDArray[np.intp], differences: Numbers) -> None:
    """The shape of some pairs."""
    missing = pairs.missing(differences)
    varied = moment.deviation[some] > 0
    z = differences - moment.mean[some, None]
    z[missing] = differences[missing] = 0.0
    z /= np.where(varied, moment.deviation[some], 1.0)[:, None]
    n = np.maximum(pairs.cases[some], FEWEST_FOR_A_VARIANCE)
    out.skewness[some] = np.where(varied, np.einsum("ij,ij->i", z * z, z) / n * (n / (n - 1)) ** 1.5, 0.0)
    size, scale = farthest(differences), pairs.scale[some]
    out.size[some] = size
    out.rare[some] = _rarely_different(differences, scale) & (size > SAME * scale)
    rows = np.flatnonzero((size > SAME * scale) & (pairs.cases[some] > 0))
    for width in (_LOOK, differences.shape[1]):
        rows = rows[_of_one_size(differences[rows, :width], size[rows], scale[rows])]
    at = some[rows]
    out.even[at] = True
    out.wins[at] = np.count_nonzero(differences[rows] > size[rows, None] / 2, axis=1)
    out.losses[at] = np.count_nonzero(differences[rows] < -size[rows, None] / 2, axis=1)


def _by_products(pairs: Pairs, products: Products) -> Numbers:
    """The skewness of all pairs by sums of a^3 - 3 a^2 b + 3 a b^2 - b^3; without meaning where they are inexact."""
    z, a, b = products.centred, pairs.a, pairs.b
    squared = made(z.shape, lambda rows: z[rows] * z[rows])
    cubes, mixed = np.einsum("ij,ij->i", squared, z), squared @ z.T
    third = cubes[a] - cubes[b] - 3.0 * (mixed[a, b] - mixed[b, a])
    n = z.shape[1]
    power = products.squares**1.5
    return np.asarray(np.divide(third * np.sqrt(n), power, out=np.zeros_like(third), where=power > 0))


def _maybe_special(pairs: Pairs) -> NDArray[np.bool_]:
    """Whether the first cases leave it open that all differences of a pair are of one size, or that few cases differ."""
    out = np.zeros(len(pairs), dtype=np.bool_)
    first = pairs.values[:, :_LOOK]
    step = IN_CACHE // _LOOK
    for start in range(0, len(pairs), step):
        some = slice(start, start + step)
        differences = first[pairs.a[some]] - first[pairs.b[some]]
        scale = pairs.scale[some]
        out[some] = _of_one_size(differences, farthest(differences), scale) | _rarely_different(differences, scale)
    return out


def _rarely_different(differences: Numbers, scale: Numbers) -> NDArray[np.bool_]:
    """Whether fewer cases differ than show how large differences are."""
    different = np.abs(differences) > SAME * scale[:, None]
    return np.asarray(np.count_nonzero(different, axis=1) < _FEWEST_DIFFERENT)


def _of_one_size(differences: Numbers, size: Numbers, scale: Numbers) -> NDArray[np.bool_]:
    """Whether every difference is 0 or as large as the largest, but for rounding."""
    absolute = np.abs(differences)
    away = np.minimum(absolute, size[:, None] - absolute).max(axis=1, initial=0.0)
    return np.asarray(away <= SAME * scale)
