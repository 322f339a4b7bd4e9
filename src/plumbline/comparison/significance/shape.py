"""How the differences of each pair are distributed: skewness, and Hall's (1992) transformation that takes it away.

The studentized mean T = (mean - truth) / deviation of skewed differences is skewed as well. Hall's cubic g(T) is hardly skewed
and can be inverted: g(T) sqrt(n) is compared with the t distribution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Moments, Pairs, farthest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_LOOK: Final = 16
"""Cases that tell quickly that differences are not of one size."""
_STRAIGHT: Final = 1e-8
"""Below this skewness there is nothing to correct."""


def bent(t: Numbers, skewness: Numbers, n: Numbers) -> Numbers:
    """Hall's transformation of the studentized mean, without the square root of n."""
    return np.asarray(t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / (6 * n))


def unbent(y: Numbers, skewness: Numbers, n: Numbers) -> Numbers:
    """The studentized mean whose transformation is y: the inverse of `bent`."""
    known = np.where(np.abs(skewness) < _STRAIGHT, 1.0, skewness)
    bent = 3.0 / known * (np.cbrt(1.0 + known * (y - known / (6.0 * n))) - 1.0)
    return np.where(np.abs(skewness) < _STRAIGHT, y, bent)


@dataclass(frozen=True, eq=False)
class Shape:
    """How the differences of each pair are distributed."""

    skewness: Numbers
    """The third standardised moment; 0 where differences do not vary."""
    even: NDArray[np.bool_]
    """Whether there are differences, and all that are not 0 have the same size."""
    size: Numbers
    """The largest absolute difference."""
    wins: NDArray[np.int64]
    """The cases that a wins, where differences are of one size."""
    losses: NDArray[np.int64]
    """The cases that b wins, where differences are of one size."""


def shape_of(pairs: Pairs, moment: Moments) -> Shape:
    """The skewness of all pairs' differences, and whether they are of one size."""
    skewness, size = np.zeros(len(pairs)), np.zeros(len(pairs))
    even = np.zeros(len(pairs), dtype=bool)
    wins, losses = np.zeros((2, len(pairs)), dtype=np.int64)
    for some, differences in pairs.blocks():
        missing = pairs.missing(differences)
        varied = moment.deviation[some] > 0
        z = differences - moment.mean[some, None]
        z[missing] = differences[missing] = 0.0
        z /= np.where(varied, moment.deviation[some], 1.0)[:, None]
        n = np.maximum(pairs.cases[some], FEWEST_FOR_A_VARIANCE)
        skewness[some] = np.where(varied, np.einsum("ij,ij->i", z * z, z) / n * (n / (n - 1)) ** 1.5, 0.0)
        size[some] = farthest(differences)
        rows = np.flatnonzero((size[some] > SAME * pairs.scale[some]) & (pairs.cases[some] > 0))
        for width in (_LOOK, differences.shape[1]):
            rows = rows[_of_one_size(differences[rows, :width], size[some][rows], pairs.scale[some][rows])]
        at = some.start + rows
        even[at] = True
        wins[at] = np.count_nonzero(differences[rows] > size[at, None] / 2, axis=1)
        losses[at] = np.count_nonzero(differences[rows] < -size[at, None] / 2, axis=1)
    return Shape(skewness, even, size, wins, losses)


def _of_one_size(differences: Numbers, size: Numbers, scale: Numbers) -> NDArray[np.bool_]:
    """Whether every difference is 0 or as large as the largest, but for rounding."""
    absolute = np.abs(differences)
    away = np.minimum(absolute, size[:, None] - absolute).max(axis=1, initial=0.0)
    return np.asarray(away <= SAME * scale)
