"""The weight of each occurrence of a document, and that of all occurrences above or below it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from plumbline.align.sides import summed
from plumbline.records import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.sides import Side
    from plumbline.views.discount import Discount

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

Absent = Literal["tail", "unknown"]
"""What a document is that the other side lacks: one of its tail, below everything, or unknown to it."""


@dataclass(frozen=True)
class Weighted:
    """The weight of each occurrence, and that of all occurrences above or below it."""

    w: Numbers
    other: Numbers
    """Everything outside the level of the occurrence, the tail included."""
    tail: Numbers
    """For each list, what lies below the last level."""

    @cached_property
    def shared(self) -> Numbers:
        """Its weight over that of the others: what it gives to each unit of weight on another level; 0 if there is none."""
        return np.divide(self.w, self.other, out=np.zeros_like(self.w), where=self.other > 0)

    def together(self, side: Side) -> Weighted:
        """The same with the cluster of each occurrence, itself included, among what it shares its weight with."""
        return Weighted(self.w, self.other + summed(side.cluster, self.w)[side.cluster], self.tail)


def weigh(side: Side, count: int, discount: Discount | None) -> Weighted:
    """Levels share what the discount gives to their positions; without one the collection is finite and all weigh the same."""
    starts = level_starts(side)
    sizes = np.diff(np.append(starts, len(side.lists)))
    timed = discount is not None and discount.timed and side.span is not None and len(starts) > 0
    span = np.add.reduceat(side.span, starts) if timed else sizes.astype(np.float64)  # type: ignore[arg-type]  # timed: it is
    home = side.lists[starts]
    ends = np.cumsum(span)
    before_list = np.concatenate(([0.0], ends))[np.searchsorted(home, home)]
    end = ends - before_list
    if discount is None:
        sizes_of_lists = np.maximum(np.bincount(side.lists, minlength=count), 1).astype(np.float64)
        share, outside, tail = sizes / sizes_of_lists[home], 1.0 - sizes / sizes_of_lists[home], np.zeros(count)
        outside[sizes == sizes_of_lists[home]] = 0.0
    else:
        left_before, left_after = discount.left(end - span), discount.left(end)
        share, outside = left_before - left_after, (1.0 - left_before) + left_after
        tail = np.ones(count)
        tail[home] = left_after  # of several levels the last one is written last
    return Weighted(np.repeat(share / sizes, sizes), np.repeat(outside, sizes), tail)


def level_starts(side: Side) -> Integers:
    """The first occurrence of each level."""
    if not len(side.lists):
        return np.empty(0, dtype=np.int64)
    new = (side.lists[1:] != side.lists[:-1]) | (side.level[1:] != side.level[:-1])
    return np.flatnonzero(np.concatenate(([True], new)))
