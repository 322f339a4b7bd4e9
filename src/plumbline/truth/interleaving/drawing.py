"""Interleaved lists of all cases at once: a loop over positions, never over cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.interleaving.lottery import lottery
from plumbline.truth.interleaving.rankings import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.lottery import Lottery
    from plumbline.truth.interleaving.rankings import Rankings

NOBODY: Final = -1
"""The team of an item that the method gives to no team, and the item beyond the end of a list."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A list for each case: items and teams by position, -1 beyond its end; `unfair` lists the cases without a fair lottery."""

    items: NDArray[np.int64]
    teams: NDArray[np.int64]
    unfair: tuple[int, ...] = ()


class _Lists:
    """Lists that grow; items that were taken are never taken again."""

    def __init__(self, rankings: Rankings, length: int) -> None:
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
        return Drawn(self.items, self.teams)


def team_draft(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:  # noqa: ARG001 - as all methods
    """In each round the teams pick their best item that is still there, in an order that is drawn anew."""
    lists, number = _Lists(rankings, length), len(rankings.systems)
    while (growing := lists.open).any():
        turns = rng.permuted(np.tile(np.arange(number), (len(lists.every), 1)), axis=1)
        for turn in range(number):
            team = turns[:, turn]
            ranking: NDArray[np.int64] = rankings.order[lists.every, team]
            free = ~lists.taken[lists.every[:, None], ranking]
            first = free.argmax(axis=1)
            able = free[lists.every, first] & growing & (lists.filled < length)
            lists.put(able, ranking[lists.every, first], team)
    return lists.drawn()


def balanced(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:  # noqa: ARG001 - as all methods
    """One coin says who begins; then the rankings take turns, and an item that is there already is skipped."""
    cases, _, items = rankings.rank.shape
    second_begins = rng.integers(0, 2, size=(cases, 1))
    turns = np.stack([2 * rankings.rank[:, 0] + second_begins, 2 * rankings.rank[:, 1] + 1 - second_begins], axis=1)
    turn, team = turns.min(axis=1), turns.argmin(axis=1)
    order = np.argsort(turn, axis=1, kind="stable")[:, : min(length, items)]
    shown = np.take_along_axis(turn, order, axis=1) < 2 * NOWHERE
    pad = ((0, 0), (0, length - order.shape[1]))
    chosen = np.where(shown, order, NOBODY)
    teams = np.where(shown, np.take_along_axis(team, order, axis=1), NOBODY)
    return Drawn(np.pad(chosen, pad, constant_values=NOBODY), np.pad(teams, pad, constant_values=NOBODY))


def probabilistic(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:
    """For each position a ranker is drawn, and then an item from its softmax over what is left."""
    lists = _Lists(rankings, length)
    weight = np.arange(1, rankings.order.shape[2] + 1, dtype=np.float64) ** -softness
    while (growing := lists.open).any():
        free = ~lists.taken[lists.every[:, None, None], rankings.order]
        able = free.any(axis=2)
        team = np.where(able, rng.random(able.shape), -1.0).argmax(axis=1)
        left = np.where(free[lists.every, team], weight, 0.0)
        heap = np.cumsum(left, axis=1)
        drawn = (heap > (rng.random(len(heap)) * heap[:, -1])[:, None]).argmax(axis=1)
        lists.put(growing, rankings.order[lists.every, team, drawn], team)
    return lists.drawn()


def pairwise(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:  # noqa: ARG001 - as all methods
    """Position k takes any item that a ranking has among its first k, all equally likely."""
    lists, best = _Lists(rankings, length), rankings.rank.min(axis=1)
    while (growing := lists.open).any():
        fits = (best <= lists.filled[:, None] + 1) & ~lists.taken[:, :-1]
        able = fits.any(axis=1) & growing
        if not able.any():
            break
        lists.put(able, np.where(fits, rng.random(fits.shape), -1.0).argmax(axis=1), NOBODY)
    return lists.drawn()


def optimized(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:  # noqa: ARG001 - as all methods
    """A list from the lottery over all allowed lists that is fair at every depth, and tells the most."""
    lists, unfair = _Lists(rankings, length), []
    weighed: dict[bytes, Lottery] = {}
    for case, order in enumerate(rankings.order):
        found = weighed.get(order.tobytes()) or weighed.setdefault(order.tobytes(), lottery(order[0], order[1], length))
        chosen = found.lists[int((np.cumsum(found.probability) > rng.random() * found.probability.sum()).argmax())]
        lists.items[case, : len(chosen)] = chosen
        if not found.fair:
            unfair.append(case)
    return Drawn(lists.items, lists.teams, tuple(unfair))


METHODS: Final[dict[str, Callable[[Rankings, int, Generator, float], Drawn]]] = {
    "team-draft": team_draft,
    "balanced": balanced,
    "probabilistic": probabilistic,
    "optimized": optimized,
    "pairwise": pairwise,
}
PAIRS_ONLY: Final = ("balanced", "optimized")
"""Methods for two rankings."""
