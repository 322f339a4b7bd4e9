"""How much of a reader's attention is left after so many positions: one object per discount, chosen by name.

A level that reaches from `start` to `end` weighs `left(start) - left(end)`; what is left at the end is the tail's.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, Protocol, get_args

import numpy as np

from plumbline.errors import BadUsage, discounts
from plumbline.lazily import special
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

DiscountName = Literal["inverse_square", "geometric", "logarithmic", "uniform", "time"]
ByPosition = Literal["inverse_square", "geometric", "logarithmic", "uniform"]
"""Those that need to know nothing about the items."""
DISCOUNTS: Final[tuple[DiscountName, ...]] = get_args(DiscountName)
HALF_LIFE: Final = 224.0
"""Seconds after which half of the readers are still there (Smucker and Clarke 2012)."""
_SUMMED: Final = 1_000_000
"""So many weights are added one by one."""


class Discount(Protocol):
    """A falling curve from 1: the share of the score that lies beyond a position."""

    @property
    def timed(self) -> bool:
        """Whether positions are seconds."""
        ...

    def left(self, position: Numbers) -> Numbers:
        """The share that lies beyond each position; a position counts documents, or seconds."""
        ...


@dataclass(frozen=True)
class InverseSquare:
    """The paper's discount: a weight of 1/x², moved so that the first n positions carry w."""

    n: float
    w: float
    timed: bool = False

    def left(self, position: Numbers) -> Numbers:
        """C / (c + b) with c = (1 - w) n / w."""
        c = (1.0 - self.w) * self.n / self.w
        return np.asarray(c / (c + position))


@dataclass(frozen=True)
class Geometric:
    """The discount of RBP: each position has p times the weight of the one before, with p such that the first n carry w."""

    n: float
    w: float
    timed: bool = False

    def left(self, position: Numbers) -> Numbers:
        """p^b with p = (1 - w)^(1/n)."""
        return np.asarray((1.0 - self.w) ** (position / self.n))


@dataclass(frozen=True)
class HalfLife:
    """The discount of time-biased gain: positions are seconds, and half of the readers leave in every half-life."""

    half: float = HALF_LIFE
    timed: bool = True

    def left(self, position: Numbers) -> Numbers:
        """2^(-t / h)."""
        return np.asarray(2.0 ** (-position / self.half))


@dataclass(frozen=True)
class Uniform:
    """The first n positions weigh the same and carry w together, and what comes after them has no weight of its own."""

    n: float
    w: float
    timed: bool = False

    def left(self, position: Numbers) -> Numbers:
        """1 minus w times the share of the n positions."""
        return np.asarray(1.0 - self.w * np.minimum(position / self.n, 1.0))


@dataclass(frozen=True)
class Logarithmic:
    """The discount of nDCG: position i weighs 1/log2(i + 1), the first n carry w together, and the others nothing."""

    n: int
    w: float
    timed: bool = False

    def left(self, position: Numbers) -> Numbers:
        """1 minus what the positions so far carry; only as many weights are made as positions are asked for."""
        known = min(self.n, int(np.max(position, initial=0.0)) + 1)
        reached = np.concatenate(([0.0], np.cumsum(_logarithmic(1, known)) / _sum_of_logarithmic(self.n)))
        return np.asarray(1.0 - self.w * np.interp(position, np.arange(len(reached), dtype=np.float64), reached))


def _logarithmic(first: int, last: int) -> Numbers:
    """The weights of some positions."""
    return np.asarray(1.0 / np.log2(np.arange(first + 1, last + 2)))


def _sum_of_logarithmic(n: int) -> float:
    """All n weights together; beyond a million, the sum is an integral and a correction far below the precision of a float.

    Euler and Maclaurin: the sum of f over a+1..b is the integral of f plus (f(b) - f(a)) / 2 plus (f'(b) - f'(a)) / 12 ...
    The integral of 1 / ln x is the exponential integral of ln x.
    """
    start = float(np.sum(_logarithmic(1, min(n, _SUMMED))))
    if n <= _SUMMED:
        return start

    low, high = np.log([_SUMMED + 1.0, n + 1.0])
    integral = special.expi(high) - special.expi(low)
    ends = (1 / high - 1 / low) / 2
    slopes = (1 / (low**2 * (_SUMMED + 1.0)) - 1 / (high**2 * (n + 1.0))) / 12
    return start + float(np.log(2.0) * (integral + ends + slopes))


@dataclass(frozen=True, eq=False)
class Vector:
    """Weights given position by position: together they carry w, and what comes after them has no weight of its own."""

    weights: Numbers
    w: float
    timed: bool = False

    @cached_property
    def _reached(self) -> Numbers:
        return np.concatenate(([0.0], np.cumsum(self.weights) / np.sum(self.weights)))

    def left(self, position: Numbers) -> Numbers:
        """1 minus what the positions so far carry."""
        known = np.arange(len(self._reached), dtype=np.float64)
        return np.asarray(1.0 - self.w * np.interp(position, known, self._reached))


def curve(name: DiscountName, n: int, w: float, weights: str | None = None) -> Discount:
    """The discount of this name, or the user's own `weights`: numbers with colons between them."""
    if weights is not None:
        return Vector(vector(weights), w)
    made: dict[str, Callable[[], Discount]] = {
        "inverse_square": lambda: InverseSquare(n, w),
        "geometric": lambda: Geometric(n, w),
        "uniform": lambda: Uniform(n, w),
        "logarithmic": lambda: Logarithmic(n, w),
        "time": HalfLife,
    }
    return made[name]()


def vector(weights: str) -> Numbers:
    """The user's own weights as numbers."""
    try:
        numbers = np.array([float(weight) for weight in weights.split(":")])
    except ValueError:
        raise BadUsage(discounts.bad_weights(weights)) from None
    if not np.isfinite(numbers).all() or (numbers < 0).any() or numbers[0] == 0:
        raise BadUsage(discounts.bad_weights(weights))
    return np.asarray(
        np.ldexp(numbers, -int(np.frexp(numbers.max())[1]))
    )  # only proportions matter, and no sum of these is infinite
