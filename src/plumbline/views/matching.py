"""Which span of the gold a span of a system answers: one to one, so that the credit of all pairs is as large as possible.

Only spans that overlap can be a pair, so that documents fall apart into small groups, most of them of one span on each side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from plumbline.lazily import optimize, sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.span_side import Side

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

Match = Literal["strict", "boundary", "type", "partial", "overlap", "positions"]
HALF: Final = 0.5
_FIRST, _SECOND = 2.0**30, 2.0**10
"""Credit decides, then how many spans are in a pair, then how much they overlap."""


class Pairs(NamedTuple):
    """Pairs of a span of the gold and one of a system that overlap, by their rows."""

    wanted: Integers
    given: Integers
    same_kind: Flags
    same_place: Flags
    """Whether both start and end at the same places."""
    overlap: Numbers
    """What both share over what either has: 1 for the same place."""

    def take(self, rows: Integers | Flags) -> Pairs:
        """Some of the pairs."""
        columns = (self.wanted[rows], self.given[rows], self.same_kind[rows], self.same_place[rows], self.overlap[rows])
        return Pairs(*columns)


def credit_of(pairs: Pairs, match: Match, iou: float) -> Numbers:
    """What a pair is worth: 1 if it is right, 0.5 if it is right in part."""
    if match == "partial":
        return np.where(pairs.same_place, 1.0, HALF)
    right = {
        "strict": pairs.same_kind & pairs.same_place,
        "boundary": pairs.same_place,
        "type": pairs.same_kind,
        "overlap": pairs.same_kind & (pairs.overlap >= iou),
    }[match]
    return right.astype(np.float64)


def overlapping(wanted: Side, given: Side) -> Pairs:
    """All pairs that share a position."""
    width = int(max(wanted.end.max(initial=0), given.end.max(initial=0))) + 1
    start, end = wanted.document * width + wanted.start, wanted.document * width + wanted.end
    start_given, end_given = given.document * width + given.start, given.document * width + given.end
    farthest = np.maximum.accumulate(end) if len(end) else end
    low = np.searchsorted(farthest, start_given, side="right")
    high = np.maximum(np.searchsorted(start, end_given, side="left"), low)
    counts = high - low
    right = np.repeat(np.arange(len(given)), counts)
    left = np.arange(len(right)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)
    kept = end[left] > start_given[right]
    left, right = left[kept], right[kept]
    shared = np.minimum(end[left], end_given[right]) - np.maximum(start[left], start_given[right])
    either = np.maximum(end[left], end_given[right]) - np.minimum(start[left], start_given[right])
    same_kind = wanted.kind[left] == given.kind[right]
    return Pairs(left, right, same_kind, shared == either, shared / np.maximum(either, 1))


def one_to_one(pairs: Pairs, sizes: tuple[int, int], worth: Callable[[Pairs], Numbers]) -> Pairs:
    """The pairs in which no span occurs twice: of most worth, then as many as possible, then those that overlap most."""
    of_wanted, of_given = (np.bincount(side, minlength=size) for side, size in zip(pairs[:2], sizes, strict=True))
    alone = (of_wanted[pairs.wanted] == 1) & (of_given[pairs.given] == 1)
    if alone.all():
        return pairs
    entangled = pairs.take(~alone)
    weight = worth(entangled) * _FIRST + _SECOND + entangled.overlap
    chosen = np.concatenate((np.flatnonzero(alone), np.flatnonzero(~alone)[_assigned(entangled, weight)]))
    return pairs.take(np.sort(chosen))


def _assigned(pairs: Pairs, weight: Numbers) -> Integers:
    """The rows of the assignment of most weight, group by group of spans that hang together."""
    left, right = (np.unique(side, return_inverse=True)[1] for side in pairs[:2])
    count = int(left.max()) + 1
    size = count + int(right.max()) + 1
    graph = sparse.coo_array((np.ones(len(left)), (left, right + count)), shape=(size, size))
    group = sparse.csgraph.connected_components(graph, directed=False)[1][left]
    order = np.argsort(group, kind="stable")
    cuts = np.flatnonzero(np.diff(group[order])) + 1
    chosen = []
    for rows in np.split(order, cuts):
        (of_left, row), (of_right, column) = (np.unique(side[rows], return_inverse=True) for side in (left, right))
        table, number = np.zeros((len(of_left), len(of_right))), np.full((len(of_left), len(of_right)), -1)
        table[row, column], number[row, column] = weight[rows], rows
        chosen.append(number[optimize.linear_sum_assignment(table, maximize=True)])
    assigned = np.concatenate(chosen)
    return np.sort(assigned[assigned >= 0])
