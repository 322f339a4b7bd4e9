"""Rows in segments, one for each list: sums, maxima and running values that no other segment changes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Places = NDArray[np.int64]
    Steps = Callable[..., Numbers]


class Segments:
    """Rows that stand together segment by segment; a segment may be empty."""

    def __init__(self, of: Places, count: int) -> None:
        """The segment of each row, ascending, and how many segments there are."""
        self.of = of
        self.count_of_segments = count

    @cached_property
    def length(self) -> Places:
        """How many rows each segment has."""
        return np.bincount(self.of, minlength=self.count_of_segments)

    @cached_property
    def start(self) -> Places:
        """Where each segment starts."""
        return np.cumsum(self.length) - self.length

    @cached_property
    def _filled(self) -> Places:
        """The segments that have rows."""
        return np.flatnonzero(self.length)

    def each(self, per_segment: Numbers) -> Numbers:
        """A value of each segment, on all of its rows."""
        return per_segment[self.of]

    def sum(self, values: NDArray[np.floating[Any]] | Flags) -> Numbers:
        """The sum over each segment, one row after the other."""
        totals = np.bincount(self.of, weights=values, minlength=self.count_of_segments)
        return totals.astype(np.float64, copy=False)  # whole numbers if there is no row

    def max(self, values: Numbers, empty: float) -> Numbers:
        """The largest value of each segment."""
        largest = np.full(self.count_of_segments, empty)
        if len(values):
            largest[self._filled] = np.maximum.reduceat(values, self.start[self._filled])
        return largest

    def first(self, values: Numbers, empty: float) -> Numbers:
        """The first value of each segment."""
        firsts = np.full(self.count_of_segments, empty)
        firsts[self._filled] = values[self.start[self._filled]]
        return firsts

    def so_far(self, flags: Flags) -> Numbers:
        """How many flags are set down to and including each row."""
        total = np.cumsum(flags, dtype=np.int64)
        if self.count_of_segments > 1 and len(total):
            before = np.concatenate(([0], total))[self.start]
            total = total - before[self.of]
        return total.astype(np.float64)

    def running_sum(self, values: Numbers) -> Numbers:
        """The sum down to and including each row."""
        return self._along(values, np.cumsum)

    def running_product(self, values: Numbers) -> Numbers:
        """The product down to and including each row."""
        return self._along(values, np.cumprod)

    def above(self, values: Numbers, first: float) -> Numbers:
        """The value of the row above; `first` at the top."""
        shifted = np.empty(len(values))
        shifted[1:] = values[:-1]
        shifted[self.start[self._filled]] = first
        return shifted

    def below(self, values: Numbers, last: float) -> Numbers:
        """The value of the row below; `last` at the end."""
        shifted = np.empty(len(values))
        shifted[:-1] = values[1:]
        shifted[(self.start + self.length)[self._filled] - 1] = last
        return shifted

    def _along(self, values: Numbers, step: Steps) -> Numbers:
        """A running value; segments of about one length stand in one matrix, so that each starts anew."""
        if self.count_of_segments == 1:
            return step(values)
        made = np.empty(len(values))
        place = np.arange(len(values)) - self.start[self.of]
        widths = np.frexp(self.length - 0.5)[1]  # from 2^(w-1) + 1 to 2^w rows
        for width in np.unique(widths[self._filled]).tolist():
            segments = np.flatnonzero(widths == width)
            rows = np.flatnonzero(widths[self.of] == width)
            at = (np.searchsorted(segments, self.of[rows]), place[rows])
            matrix = np.zeros((len(segments), 2 ** max(width, 0)))
            matrix[at] = values[rows]
            made[rows] = step(matrix, axis=1)[at]
        return made


def crossed(x: Segments, y: Segments, most: int) -> Iterator[tuple[Places, Places]]:
    """Every row of x with every row of the same segment of y, about so many pairs at a time; a row of x is never divided."""
    partners = y.length[x.of]
    ends = np.cumsum(partners)
    start = 0
    while start < len(partners):
        before = int(ends[start] - partners[start])
        stop = max(start + 1, int(np.searchsorted(ends, before + most, side="right")))
        times = partners[start:stop]
        rows = np.repeat(np.arange(start, stop), times)
        place = np.arange(len(rows)) - (ends[rows] - partners[rows] - before)
        yield rows, y.start[x.of[rows]] + place
        start = stop
