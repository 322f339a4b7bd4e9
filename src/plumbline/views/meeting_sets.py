"""Meetings by subsets: how many items are in all clusters of a subset, and in all classes of another.

Let F(a, b) be the number of items that share a given subset of a clusters and one of b classes with an item, summed over the
subsets of its clusters and classes. An item that shares i clusters and j classes is counted C(i, a) C(j, b) times, so that
the number M(i, j) of such items follows from all F by inclusion and exclusion. All of these are whole numbers, and exact.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from plumbline.views.incidence import NO_PAIRS, Incidence, Met

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Places = NDArray[np.int64]


def number_of_sets(sides: tuple[Incidence, Incidence]) -> float:
    """How many pairs of subsets there are to count."""
    return float(np.exp2((sides[0].times + sides[1].times).astype(np.float64)).sum())


def count_by_sets(sides: tuple[Incidence, Incidence], n: Numbers, lists: Places, *, weighted: bool, paired: bool) -> Met:
    """What each group meets; the cost grows with the number of groups and of subsets of their clusters and classes."""
    clusters, classes = (_Subsets(side) for side in sides)
    shape = (len(n), clusters.most + 1, classes.most + 1)
    totals = np.zeros(shape)
    of_side = {side.name: np.zeros(shape) for side in sides} if weighted else {}
    for a in range(clusters.most + 1):
        for b in range(classes.most + 1):
            for rows, items, weights in _common(clusters, classes, a, b, n):
                totals[rows, a, b] = items.sum(axis=(1, 2))
                for name, weight in zip(of_side, weights, strict=False):
                    of_side[name][rows, a, b] = (items * weight).sum(axis=(1, 2))
    shared = _exactly(totals, _choices(clusters.most), _choices(classes.most))
    i, j = np.arange(clusters.most + 1.0)[:, None], np.arange(classes.most + 1.0)
    low = np.minimum(i, j)
    share = {"cluster": low / np.maximum(i, 1.0), "class": low / np.maximum(j, 1.0)}
    return Met(
        {"cluster": shared[:, 1:, :].sum(axis=(1, 2)), "class": shared[:, :, 1:].sum(axis=(1, 2))},
        {name: (shared * part).sum(axis=(1, 2)) for name, part in share.items()},
        {name: (_weights(of_side[name], name) * share[name]).sum(axis=(1, 2)) for name in of_side},
        _pairs(shared, sides, n, lists) if paired else NO_PAIRS,
    )


def _weights(totals: Numbers, name: str) -> Numbers:
    """The sum of weights of what is shared, by how much is shared."""
    x, g = totals.shape[1] - 1, totals.shape[2] - 1
    if name == "cluster":
        return _exactly(totals, _choices_with_one(x), _choices(g))
    return _exactly(totals, _choices(x), _choices_with_one(g))


def _exactly(totals: Numbers, x: Numbers, g: Numbers) -> Numbers:
    return np.asarray(x @ totals @ g.T)


def _choices(most: int) -> Numbers:
    """What takes numbers of subsets of a elements to numbers of items that share exactly i."""
    return np.array([[(-1.0) ** (a - i) * comb(a, i) for a in range(most + 1)] for i in range(most + 1)])


def _choices_with_one(most: int) -> Numbers:
    """The same where each subset counts once for each of its elements: of i elements, one is in C(i - 1, a - 1) subsets."""
    inner = [[(-1.0) ** (a - i) * comb(a - 1, i - 1) for a in range(1, most + 1)] for i in range(1, most + 1)]
    matrix = np.zeros((most + 1, most + 1))
    matrix[1:, 1:] = np.reshape(inner, (most, most))
    return matrix


def _pairs(
    shared: Numbers, sides: tuple[Incidence, Incidence], n: Numbers, lists: Places
) -> tuple[Places, Places, Places, Numbers]:
    """Pairs of different items, by their list and by what they share."""
    others = shared.copy()
    others[np.arange(len(n)), sides[0].times, sides[1].times] -= 1.0
    numbers, at = np.unique(lists, return_inverse=True)
    counts = np.zeros((len(numbers), *shared.shape[1:]))
    np.add.at(counts, at, others * n[:, None, None] / 2.0)
    counts[:, 0, 0] = 0.0
    places = np.nonzero(counts)
    return numbers[places[0]], places[1], places[2], counts[places]


class _Subsets:
    """The subsets of the clusters of each group, each with a number; groups with as many clusters are worked on together."""

    def __init__(self, side: Incidence) -> None:
        self.side = side
        self.most = int(side.times.max(initial=0))
        first = np.cumsum(side.times) - side.times
        self.columns: dict[int, Places] = {}
        self.place = np.zeros(side.rows, dtype=np.int64)
        """The place of each group among those with as many clusters."""
        for times in np.unique(side.times).tolist():
            rows = np.flatnonzero(side.times == times)
            self.place[rows] = np.arange(len(rows))
            self.columns[times] = side.column[first[rows][:, None] + np.arange(times)]
        self.count = 1
        self.numbers: dict[tuple[int, tuple[int, ...]], Places] = {
            (times, ()): np.zeros(len(columns), dtype=np.int64) for times, columns in self.columns.items()
        }
        for size in range(1, self.most + 1):
            self._number(size)

    def _number(self, size: int) -> None:
        """Number the subsets of this size, each by the number of all but its last element and by this."""
        chosen = [(times, some) for times in self.columns for some in combinations(range(times), size)]
        keys = [self.numbers[times, some[:-1]] * self.side.columns + self.columns[times][:, some[-1]] for times, some in chosen]
        distinct, numbers = np.unique(np.concatenate(keys), return_inverse=True)
        cuts = np.cumsum([len(key) for key in keys])[:-1]
        self.numbers.update(zip(chosen, np.split(numbers + self.count, cuts), strict=True))
        self.count += len(distinct)

    def of(self, times: int, size: int, rows: Places) -> tuple[Places, Numbers]:
        """The subsets of some groups, a column for each, and the weight of each: one over the size of each element."""
        place, some = self.place[rows], list(combinations(range(times), size))
        numbers = np.stack([self.numbers[times, subset][place] for subset in some], axis=1)
        weight = 1.0 / np.maximum(self.side.sizes, 1.0)
        each = weight[self.columns[times][place]] if times else np.zeros((len(place), 0))
        return numbers, np.stack([each[:, list(subset)].sum(axis=1) for subset in some], axis=1)


def _common(
    clusters: _Subsets, classes: _Subsets, a: int, b: int, n: Numbers
) -> Iterator[tuple[Places, Numbers, tuple[Numbers, Numbers]]]:
    """Groups, the items in all of a clusters and b classes for each choice of them, and the weights of the choices."""
    if a == b == 0:
        return
    x, g = clusters.side.times, classes.side.times
    alike = x * (classes.most + 1) + g
    blocks = []
    for kind in np.unique(alike[(x >= a) & (g >= b)]).tolist():
        rows = np.flatnonzero(alike == kind)
        times_x, times_g = divmod(kind, classes.most + 1)
        (sets_x, weight_x), (sets_g, weight_g) = clusters.of(times_x, a, rows), classes.of(times_g, b, rows)
        keys = sets_x[:, :, None] * classes.count + sets_g[:, None, :]
        blocks.append((rows, keys, (weight_x[:, :, None], weight_g[:, None, :])))
    if not blocks:
        return
    items = np.concatenate([np.repeat(n[rows], keys[0].size) for rows, keys, _ in blocks])
    _, at = np.unique(np.concatenate([keys.ravel() for _, keys, _ in blocks]), return_inverse=True)
    totals = np.bincount(at, weights=items).astype(np.float64)[at]
    cuts = np.cumsum([keys.size for _, keys, _ in blocks])[:-1]
    for (rows, keys, weights), items_in_all in zip(blocks, np.split(totals, cuts), strict=True):
        yield rows, items_in_all.reshape(keys.shape), weights
