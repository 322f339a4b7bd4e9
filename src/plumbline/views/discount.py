"""How much of a reader's attention is left after so many positions: one object per discount, chosen by name.

A level that reaches from `start` to `end` weighs `left(start) - left(end)`; what is left at the end is the tail's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, Protocol, get_args

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, discounts

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


def tail_after(falling: Discount, count: pl.Expr) -> pl.Expr:
    """What is left for the tail after so many positions."""
    return count.map_batches(lambda counts: pl.Series(falling.left(counts.to_numpy())), return_dtype=pl.Float64)


def curve(name: DiscountName, n: int, w: float, weights: str | None = None) -> Discount:
    """The discount of this name, or the user's own `weights`: numbers with colons between them."""
    if weights is not None:
        return Vector(vector(weights), w)
    made: dict[str, Callable[[], Discount]] = {
        "inverse_square": lambda: InverseSquare(n, w),
        "geometric": lambda: Geometric(n, w),
        "uniform": lambda: Vector(np.ones(n), w),
        "logarithmic": lambda: Vector(1.0 / np.log2(np.arange(2, n + 2)), w),
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
    return numbers
