"""The view of one partition in space: a cluster for each item, and features or distances of the items."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from plumbline.lazily import sparse, spatial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.item_features import ItemFeatures
    from plumbline.io.features.features import Matrix

Distance = Literal["euclidean", "cosine", "manhattan"]
_OF_SCIPY: Final = {"euclidean": "euclidean", "cosine": "cosine", "manhattan": "cityblock"}
_MOST_NUMBERS: Final = 2**22
"""Of rows made dense together, and of distances held together."""
_MOST_ROWS: Final = 1024
_ROUNDING: Final = 1e-14
"""A cosine that is nearer to 1 than this is 1."""


class Geometry:
    """Items of one case in the clusters 0 to m - 1 of one system; an item in no cluster is not among them."""

    def __init__(self, clusters: NDArray[np.int64], items: NDArray[np.int64], item_features: ItemFeatures) -> None:
        """Clusters may be any numbers; `items` are the numbers of the items in the gold."""
        self._items, self._item_features = items, item_features
        _, self.cluster, self.sizes = np.unique(clusters, return_inverse=True, return_counts=True)

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.cluster)

    @property
    def m(self) -> int:
        """How many clusters there are."""
        return len(self.sizes)

    @property
    def is_trivial(self) -> bool:
        """Whether there is one cluster only, or every item is alone."""
        return self.m in {0, 1, self.n}

    @cached_property
    def features(self) -> Matrix:
        """A row for each item; a request for what needs them is refused where none were given."""
        return None if self._item_features.features is None else self._item_features.features.features(self._items)

    @cached_property
    def dense(self) -> NDArray[np.float64]:
        """The same as an array."""
        return _dense(self.features)

    @cached_property
    def distances(self) -> NDArray[np.float64] | None:
        """The distances that were given, with an exact 0 from each item to itself; none where features are to be taken."""
        if self._item_features.distances is None:
            return None
        given = self._item_features.distances.distances(self._items)
        np.fill_diagonal(given, 0.0)
        return given

    @cached_property
    def largest(self) -> NDArray[np.float64]:
        """The largest of each item's features, without its sign."""
        return _dense(abs(self.features).max(axis=1)).ravel()

    @property
    def has_directions(self) -> bool:
        """Whether no item's features are all 0."""
        return bool((self.largest > 0).all())

    @cached_property
    def members(self) -> Matrix:
        """A sparse matrix of 1 for each cluster and its items, so that a product with it sums up clusters."""
        return sparse.csr_array((np.ones(self.n), (self.cluster, np.arange(self.n))), shape=(self.m, self.n))

    @cached_property
    def units(self) -> Matrix:
        """The features of each item, of length 1."""
        tame = sparse.csr_array(sparse.diags_array(1.0 / self.largest)) @ self.features
        return sparse.csr_array(sparse.diags_array(1.0 / np.sqrt(_row_sums(tame * tame)))) @ tame

    @cached_property
    def cluster_sums(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each cluster, the sum of cosines of its items with one another, and with the items of other clusters."""
        sums = self.members @ self.units
        squares = _row_sums(sums * sums)
        with_itself = np.bincount(self.cluster, weights=_row_sums(self.units * self.units))
        with_all = _dense(sums @ _dense(sums.sum(axis=0)).ravel()).ravel()
        return squares - with_itself, with_all - squares

    def distance_blocks(self, distance: Distance) -> Iterator[tuple[NDArray[np.float64], NDArray[np.bool_]]]:
        """Distances of all pairs, block by block, and whether both items are in one cluster; each pair at least once."""
        width = self.n if self.distances is not None else self.features.shape[1]
        step = max(1, min(_MOST_ROWS, _MOST_NUMBERS // max(width, 1)))
        for first in range(0, self.n, step):
            rows = slice(first, first + step)
            for second in range(first, self.n, step):
                columns = slice(second, second + step)
                together = self.cluster[rows, None] == self.cluster[None, columns]
                yield self._block(rows, columns, distance), together

    def _block(self, rows: slice, columns: slice, distance: Distance) -> NDArray[np.float64]:
        if self.distances is not None:
            return self.distances[rows, columns]

        block = np.asarray(
            spatial.distance.cdist(_dense(self.features[rows]), _dense(self.features[columns]), _OF_SCIPY[distance])
        )
        return np.where(block > _ROUNDING, block, 0.0) if distance == "cosine" else block


def _row_sums(matrix: Matrix) -> NDArray[np.float64]:
    return _dense(matrix.sum(axis=1)).ravel()


def _dense(matrix: Matrix) -> NDArray[np.float64]:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, dtype=np.float64)
