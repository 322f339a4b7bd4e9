"""Ideal lists: the judged items of each case with a gain, best first, computed once per gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.judgements import Judgements

    Curve = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class Ideal:
    """All cases in one array of positive grades, descending within the case, with the start of each case."""

    def __init__(self, gold: Judgements) -> None:
        positive = np.flatnonzero(gold.grade > 0)
        positive = positive[np.lexsort((-gold.grade[positive], gold.case[positive]))]
        self.grade: NDArray[np.float64] = gold.grade[positive]
        self.case: NDArray[np.int32] = gold.case[positive]
        self.length: NDArray[np.int64] = np.bincount(self.case, minlength=len(gold.cases))
        self.start: NDArray[np.int64] = np.cumsum(self.length) - self.length
        self.position: NDArray[np.float64] = (np.arange(len(self.case)) - self.start[self.case] + 1).astype(np.float64)

    def totals(self, gain: Curve, discount: Curve, depth: int | None) -> NDArray[np.float64]:
        """The discounted gain of each ideal list down to a depth."""
        worth = gain(self.grade) * discount(self.position)
        if depth is not None:
            worth = worth * (self.position <= depth)
        return self.per_case(worth)

    def per_case(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of a value over each ideal list."""
        return np.bincount(self.case, weights=worth, minlength=len(self.length)).astype(np.float64)

    def running(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """The running sum of a value along each ideal list."""
        total = np.concatenate(([0.0], np.cumsum(worth)))
        return total[1:] - total[self.start[self.case]]

    def at(self, case: NDArray[np.int64], rank: NDArray[np.float64], along: Curve, beyond: float | None) -> NDArray[np.float64]:
        """The value at a rank of the ideal list of a case; past its end the last value, or `beyond`."""
        values = np.append(along(self.grade), 0.0)
        length = self.length[case]
        inside = np.minimum(rank, length)
        values_at = values[(self.start[case] + inside - 1).astype(np.int64)]
        values_at = np.where(length == 0, 0.0, values_at)
        return values_at if beyond is None else np.where(rank > length, beyond, values_at)
