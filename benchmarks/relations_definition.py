"""Reliability and Sensitivity as the definition says: every document with every document, as NumPy matrices.

Matrices of all pairs, in blocks of rows: whole matrices of 20,000 documents do not fit into memory, and blocks that fit into
the cache are many times faster than those that do not. Nothing here imports plumbline. The discount is the paper's, with
n = 30 and w = 0.8; a document that the other side lacks lies below its last level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Numbers = NDArray[np.float64]

CELLS = 500_000
"""Pairs in one block: of those tried, the fastest."""
C = (1.0 - 0.8) * 30 / 0.8


@dataclass(frozen=True)
class Occurrences:
    """What occurs on one side, best level first: document, level from 0, cluster."""

    doc: Whole
    level: Whole
    cluster: Whole

    def taken(self, order: Whole, level: Whole) -> Occurrences:
        """In another order, with these levels."""
        return Occurrences(self.doc[order], level, self.cluster[order])

    def renumbered(self, number: Whole) -> Occurrences:
        """The same with other numbers of documents."""
        return Occurrences(number[self.doc], self.level, self.cluster)


@dataclass(frozen=True)
class _Side:
    """Occurrences document by document, each with at least one: absent documents lie below all levels and weigh nothing."""

    starts: Whole
    doc: Whole
    level: Whole
    cluster: Whole
    w: Numbers
    other: Numbers
    times: Numbers
    """How often each document is prioritised."""
    tail: float

    @classmethod
    def of(cls, side: Occurrences, documents: int) -> _Side:
        size = np.bincount(side.level)
        end = np.cumsum(size)
        before, after = C / (C + (end - size)), C / (C + end)
        weight, outside = before - after, (1.0 - before) + after  # 1 - weight would lose digits
        absent = np.setdiff1d(np.arange(documents), side.doc)
        doc = np.concatenate((side.doc, absent))
        order = np.argsort(doc, kind="stable")
        level = np.concatenate((side.level, np.full(len(absent), len(size))))
        cluster = np.concatenate((side.cluster, np.full(len(absent), -1)))
        w, other = np.append(weight / size, 0.0)[level], np.append(outside, 1.0)[level]
        doc = doc[order]
        starts = np.flatnonzero(np.diff(doc, prepend=-1))
        times = np.bincount(side.doc, minlength=documents).astype(np.float64)
        return cls(starts, doc, level[order], cluster[order], w[order], other[order], times, float(C / (C + len(side.doc))))

    def of_rows(self, rows: slice) -> slice:
        """The occurrences of these documents."""
        ends = np.append(self.starts, len(self.doc))
        return slice(int(ends[rows.start]), int(ends[rows.stop]))

    def counted(self, relation: NDArray[np.bool_], rows: slice) -> Numbers:
        """From a matrix of occurrences to one of documents: how often the relation holds."""
        if len(self.starts) == len(self.doc):
            return relation.astype(np.float64)
        by_row = np.add.reduceat(relation, self.starts[rows] - self.starts[rows.start], axis=0, dtype=np.float64)
        return np.asarray(np.add.reduceat(by_row, self.starts, axis=1))

    def spread(self, chance: Numbers, rows: slice) -> Numbers:
        """From a matrix of documents to one of occurrences."""
        if len(self.starts) == len(self.doc):
            return chance
        return np.asarray(chance[self.doc[self.of_rows(rows)] - rows.start][:, self.doc])


def _blocks(documents: int) -> Iterator[slice]:
    step = max(1, CELLS // documents)
    return (slice(start, min(start + step, documents)) for start in range(0, documents, step))


def _tail(side: _Side, other: _Side) -> float:
    """Every prioritised document is above the tail, looked at from both."""
    rightly = (np.minimum(side.times, other.times) / np.maximum(side.times, 1.0))[side.doc]
    return float(np.sum(rightly * side.w * side.tail * (1.0 / side.other + 1.0 / (1.0 - side.tail))))


def _summed(
    sides: tuple[_Side, _Side], documents: int, relation: Callable[[_Side, slice], NDArray[np.bool_]], within: list[Numbers]
) -> list[float]:
    """Sums over pairs of occurrences, of min(nG, nX) / nX times both weights by the weight that is `within` reach."""
    sums = [0.0, 0.0]
    for rows in _blocks(documents):
        holds = [relation(side, side.of_rows(rows)) for side in sides]
        times = [side.counted(held, rows) for side, held in zip(sides, holds, strict=True)]
        low = np.minimum(*times)
        for at, (side, held) in enumerate(zip(sides, holds, strict=True)):
            chance = np.divide(low, times[at], out=np.zeros_like(low), where=times[at] > 0)
            right = side.spread(chance, rows) * held
            mine = side.of_rows(rows)
            shared = side.w / within[at]
            sums[at] += float(shared[mine] @ (right @ side.w) + side.w[mine] @ (right @ shared))
    return sums


def priority(system: Occurrences, gold: Occurrences, documents: int) -> list[float]:
    """Reliability and Sensitivity over priority."""
    x, g = _Side.of(system, documents), _Side.of(gold, documents)
    pairs = _summed((x, g), documents, lambda side, rows: side.level[rows, None] < side.level, [x.other, g.other])
    return [pairs[0] + _tail(x, g), pairs[1] + _tail(g, x)]


def relatedness(system: Occurrences, gold: Occurrences, documents: int) -> list[float]:
    """Reliability and Sensitivity over relatedness."""
    x, g = _Side.of(system, documents), _Side.of(gold, documents)
    within: list[Numbers] = []
    for side in (x, g):
        sizes = np.bincount(side.cluster + 1, weights=side.w).astype(np.float64)
        sizes[0] = 1.0
        within.append(sizes[side.cluster + 1])
    pairs = _summed(
        (x, g), documents, lambda side, rows: (side.cluster[rows, None] == side.cluster) & (side.cluster >= 0), within
    )
    return [pairs[0] / 2 + x.tail, pairs[1] / 2 + g.tail]  # both ways were summed, and clusters know only one


def priority_once(system: Occurrences, gold: Occurrences, documents: int) -> list[float]:
    """The same where no document occurs twice: a relation is right, or not, so that one matrix is enough."""
    x, g = _Side.of(system, documents), _Side.of(gold, documents)
    weights = np.stack([column for side in (x, g) for column in (side.w, side.w / side.other)], axis=1)
    sums_of = np.zeros(2)
    for rows in _blocks(documents):
        right = (x.level[rows, None] < x.level) & (g.level[rows, None] < g.level)
        sums = right @ weights
        sums_of += np.sum(weights[rows, 1::2] * sums[:, ::2] + weights[rows, ::2] * sums[:, 1::2], axis=0)
    return [float(sums_of[0]) + _tail(x, g), float(sums_of[1]) + _tail(g, x)]
