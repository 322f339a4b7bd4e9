"""Interleaved lists of all cases at once: a loop over positions, never over cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.interleaving.rankings import NOWHERE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.rankings import Rankings

NOBODY: Final = -1
"""The team of an item that the method gives to no team, and the item beyond the end of a list."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A list for each case: items and teams by position, -1 beyond its end; `unfair` lists the cases without a fair lottery."""

    items: NDArray[np.int64]
    teams: NDArray[np.int64]
    unfair: tuple[int, ...] = ()


class Lists:
    """Lists that grow; items that were taken are never taken again."""

    def __init__(self, rankings: Rankings, length: int) -> None:
        """Begin with empty lists."""
        cases, _, items = rankings.rank.shape
        self.every = np.arange(cases)
        self.taken = np.zeros((cases, items + 1), dtype=np.bool_)
        self.taken[:, -1] = True
        self.taken[:, :-1] = (rankings.rank == NOWHERE).all(axis=1)
        self.items = np.full((cases, length), NOBODY, dtype=np.int64)
        self.teams = np.full((cases, length), NOBODY, dtype=np.int64)
        self.filled = np.zeros(cases, dtype=np.int64)

    @property
    def open(self) -> NDArray[np.bool_]:
        """Which lists still grow."""
        return (self.filled < self.items.shape[1]) & ~self.taken.all(axis=1)

    def put(self, cases: NDArray[np.bool_], items: NDArray[np.int64], teams: NDArray[np.int64] | int) -> None:
        """Put an item at the end of some lists."""
        rows = np.flatnonzero(cases)
        self.items[rows, self.filled[rows]] = items[rows]
        self.teams[rows, self.filled[rows]] = teams if isinstance(teams, int) else teams[rows]
        self.taken[rows, items[rows]] = True
        self.filled[rows] += 1

    def drawn(self) -> Drawn:
        """What was drawn."""
        return Drawn(self.items, self.teams)
