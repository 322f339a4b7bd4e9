"""Which group of items is in which clusters, or in which classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Places = NDArray[np.int64]


@dataclass(frozen=True)
class Incidence:
    """One side: a row and a column for each membership, in their order."""

    name: str
    rows: int
    """How many groups there are."""
    columns: int
    """How many clusters there are."""
    row: Places
    column: Places
    n: Numbers
    """The items of each group."""

    @cached_property
    def times(self) -> Places:
        """How many clusters each group is in."""
        return np.bincount(self.row, minlength=self.rows)

    @cached_property
    def sizes(self) -> Numbers:
        """How many items each cluster has."""
        return np.bincount(self.column, weights=self.n[self.row], minlength=self.columns).astype(np.float64)

    def number_of_pairs(self) -> float:
        """How many times two groups, or a group and itself, share a cluster."""
        return float((np.bincount(self.column, minlength=self.columns).astype(np.float64) ** 2).sum())


class Met(NamedTuple):
    """What each group meets, by the name of the side, and pairs of items."""

    met: dict[str, Numbers]
    right: dict[str, Numbers]
    weighted: dict[str, Numbers]
    pairs: tuple[Places, Places, Places, Numbers]
    """The list, how many clusters and how many classes are shared, and so many pairs of different items that share them."""


NO_PAIRS = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
