"""Gains and discounts that the metrics of graded relevance share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import polars as pl

from plumbline.views.ranked import grade, rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

Gain = Literal["linear", "exp"]
Discount = Literal["burges", "jarvelin"]
DISCOUNTED_FROM: Final = 2.0
"""The first rank that Järvelin discounts: log2 of 1 is 0."""


def gain_of_item(kind: Gain) -> pl.Expr:
    """The gain of a shown item; a negative grade gains nothing."""
    worth = grade.clip(lower_bound=0.0)
    return worth if kind == "linear" else pl.lit(2.0).pow(worth) - 1.0


def gain_of_grade(kind: Gain, grades: NDArray[np.float64]) -> NDArray[np.float64]:
    """The gain of grades in an ideal list."""
    with np.errstate(over="ignore"):
        return grades if kind == "linear" else np.exp2(grades) - 1.0


def discount_of_item(kind: Discount) -> pl.Expr:
    """What the gain at a rank is multiplied with."""
    if kind == "burges":
        return 1.0 / (rank + 1.0).log(2.0)
    return pl.when(rank < DISCOUNTED_FROM).then(1.0).otherwise(1.0 / rank.log(2.0))


def discount_of_rank(kind: Discount, ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """The discount at ranks of an ideal list."""
    if kind == "burges":
        return 1.0 / np.log2(ranks + 1.0)
    return np.where(ranks < DISCOUNTED_FROM, 1.0, 1.0 / np.log2(np.maximum(ranks, DISCOUNTED_FROM)))
