"""Which fold tests which item, as arrays: every splitter returns whole numbers from 0, one for each item.

Nothing here knows names or files. Draws come from one generator, so that a seed gives the same folds everywhere.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray


FOLDS: Final = 10
"""The number of folds, unless another one is given."""


def plain(items: int, folds: int, rng: Generator) -> NDArray[np.int64]:
    """Folds of the same size, give or take one item."""
    return _dealt(rng.permutation(items), items, folds, rng)


def stratified(classes: NDArray[np.int64], folds: int, rng: Generator) -> NDArray[np.int64]:
    """Every class is dealt over the folds like cards, so that its counts differ by one at most, and so do the sizes."""
    order = rng.permutation(len(classes))
    return _dealt(order[np.argsort(classes[order], kind="stable")], len(classes), folds, rng)


def _dealt(order: NDArray[np.int64], items: int, folds: int, rng: Generator) -> NDArray[np.int64]:
    fold = np.empty(items, dtype=np.int64)
    fold[order] = rng.permutation(folds)[np.arange(items) % folds]
    return fold


def label_stratified(member: NDArray[np.bool_], folds: int, rng: Generator) -> NDArray[np.int64]:
    """Items with several labels: the rarest label first, each item to the folds that lack the label most.

    `member` has a row for each item and a column for each label. Items that share a label are placed together, not one by
    one as in the published procedure, so that the work grows with the labels and not with the items.
    """
    items, labels = member.shape
    fold = np.full(items, -1, dtype=np.int64)
    for label in np.argsort(member.sum(axis=0), kind="stable"):
        open_items = rng.permutation(np.flatnonzero(member[:, label] & (fold < 0)))
        placed = fold[member[:, label] & (fold >= 0)]
        fold[open_items] = _by_need(
            np.bincount(placed, minlength=folds), np.bincount(fold[fold >= 0], minlength=folds), open_items
        )
    rest = rng.permutation(np.flatnonzero(fold < 0))
    sizes = np.bincount(fold[fold >= 0], minlength=folds)
    fold[rest] = _by_need(sizes, sizes, rest)
    return fold if labels else plain(items, folds, rng)


def _by_need(have: NDArray[np.int64], sizes: NDArray[np.int64], items: NDArray[np.int64]) -> NDArray[np.int64]:
    """A fold for each item, such that the counts become as equal as they can; of equal folds the smallest comes first."""
    filled = (len(items) + np.cumsum(np.sort(have))) / np.arange(1, len(have) + 1)
    level = int(np.ceil(filled).min())  # as water stands in vessels of different depth
    need = np.maximum(level - have, 0)
    surplus = int(need.sum() - len(items))
    for place in np.argsort(-sizes, kind="stable"):  # the largest folds go without, where not all can be filled
        if surplus and need[place]:
            need[place] -= 1
            surplus -= 1
    return np.repeat(np.arange(len(have)), need)


def grouped(groups: NDArray[np.int64], folds: int, rng: Generator) -> NDArray[np.int64]:
    """Whole groups: the largest first, each to the fold that is smallest so far; groups of one size in random order."""
    sizes = np.bincount(groups)
    shuffled = rng.permutation(len(sizes))
    heap = [(0, int(place), fold) for fold, place in enumerate(rng.permutation(folds))]
    heapq.heapify(heap)
    of_group = np.empty(len(sizes), dtype=np.int64)
    for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")].tolist():
        size, place, fold = heapq.heappop(heap)
        of_group[group] = fold
        heapq.heappush(heap, (size + int(sizes[group]), place, fold))
    return of_group[groups]


def grouped_stratified(groups: NDArray[np.int64], classes: NDArray[np.int64], folds: int, rng: Generator) -> NDArray[np.int64]:
    """Whole groups, each to the fold that leaves the shares of the classes most alike; the most uneven groups come first."""
    counts = np.zeros((groups.max(initial=-1) + 1, classes.max(initial=-1) + 1))
    np.add.at(counts, (groups, classes), 1.0)
    shares = counts / np.maximum(counts.sum(axis=0), 1.0)
    shuffled = rng.permutation(len(counts))
    order = shuffled[np.argsort(-counts[shuffled].std(axis=1), kind="stable")]
    filled = np.zeros((folds, counts.shape[1]))
    of_group = np.empty(len(counts), dtype=np.int64)
    for group in order.tolist():
        after = filled[None, :, :] + np.eye(folds)[:, :, None] * shares[group]  # one line for each fold that could take it
        unevenness = after.std(axis=1).mean(axis=1)
        sizes = filled.sum(axis=1)
        best = np.flatnonzero(unevenness <= unevenness.min() + 1e-12)
        fold = int(best[np.argmin(sizes[best])])
        of_group[group] = fold
        filled[fold] += shares[group]
    return of_group[groups]


def blocks_of_time(moments: NDArray[np.float64], folds: int) -> NDArray[np.int64]:
    """Blocks in order of time, 0 for what is only trained on; items of one moment are never in two blocks."""
    distinct, inverse, counts = np.unique(moments, return_inverse=True, return_counts=True)
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    block = np.minimum(before * (folds + 1) // max(len(moments), 1), folds)
    return np.asarray(block[inverse.reshape(-1)], dtype=np.int64) if len(distinct) else np.zeros(0, dtype=np.int64)


def drawn_with_replacement(items: int, rng: Generator) -> NDArray[np.int64]:
    """How often each item was drawn for training; those drawn 0 times are tested."""
    return np.bincount(rng.integers(0, items, items), minlength=items)
