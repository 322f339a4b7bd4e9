"""Gains and discounts that the metrics of graded relevance share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.views.ranked import Ranked

    Numbers = NDArray[np.float64]

Gain = Literal["linear", "exp"]
Discount = Literal["burges", "jarvelin"]
DISCOUNTED_FROM: Final = 2.0
"""The first rank that Järvelin discounts: log2 of 1 is 0."""


def gain_of_item(lists: Ranked, kind: Gain) -> Numbers:
    """The gain of each shown item; a negative grade gains nothing."""
    return gain_of_grade(kind, np.maximum(lists.grade, 0.0))


def gain_of_grade(kind: Gain, grades: Numbers) -> Numbers:
    """The gain of grades."""
    with np.errstate(over="ignore"):
        return grades if kind == "linear" else np.exp2(grades) - 1.0


def discount_of_rank(kind: Discount, ranks: Numbers) -> Numbers:
    """What the gain at a rank is multiplied with."""
    if kind == "burges":
        return 1.0 / np.log2(ranks + 1.0)
    return np.where(ranks < DISCOUNTED_FROM, 1.0, 1.0 / np.log2(np.maximum(ranks, DISCOUNTED_FROM)))
