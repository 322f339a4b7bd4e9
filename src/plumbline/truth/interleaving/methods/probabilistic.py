"""Probabilistic interleaving: each position draws a ranker, and then one of its items; clicks count for likely rankers."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.interleaving.drawing import Drawn, Lists
from plumbline.truth.interleaving.exact import left_of, rank_in, sign_of
from plumbline.truth.interleaving.rankings import NOWHERE
from plumbline.truth.interleaving.registry import Method, declare
from plumbline.truth.interleaving.scoring import Margins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.exact import Chances, Ranking, Shown
    from plumbline.truth.interleaving.rankings import Rankings
    from plumbline.truth.interleaving.registry import PairMargins
    from plumbline.truth.interleaving.scoring import Sessions


def draw(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:
    """For each position a ranker is drawn, and then an item from its softmax over what is left."""
    lists = Lists(rankings, length)
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


def assignments(sessions: Sessions, softness: float) -> NDArray[np.float64]:
    """How probably each system brought the item of each position, given all items above (Hofmann et al. 2011)."""
    rank = sessions.rankings.rank
    weight = np.where(rank < NOWHERE, rank.astype(np.float64) ** -softness, 0.0)
    chosen = np.zeros((*weight.shape[:2], sessions.items.shape[1]))
    every = np.arange(len(weight))
    for position in range(sessions.items.shape[1]):
        item = sessions.items[:, position]
        shown = item >= 0
        total = weight.sum(axis=2)
        weights = weight[every, :, np.maximum(item, 0)]
        share = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        sum_of_shares = share.sum(axis=1, keepdims=True)
        known = shown[:, None] & (sum_of_shares > 0)
        chosen[:, :, position] = np.divide(share, sum_of_shares, out=np.zeros_like(share), where=known)
        weight[every[shown], :, item[shown]] = 0.0
    return chosen


def expected_winner(chosen: NDArray[np.float64], clicks: NDArray[np.float64], first: int, second: int) -> Margins:
    """How probably the first system has more clicks, and fewer, over all assignments of items to systems."""
    length = clicks.shape[1]
    ahead = np.zeros((len(clicks), 2 * length + 3))
    ahead[:, length + 1] = 1.0
    for position in range(length):
        up = np.where(clicks[:, position] > 0, chosen[:, first, position], 0.0)[:, None]
        down = np.where(clicks[:, position] > 0, chosen[:, second, position], 0.0)[:, None]
        moved = ahead * (1 - up - down)
        moved[:, 1:] += ahead[:, :-1] * up
        moved[:, :-1] += ahead[:, 1:] * down
        ahead = moved
    win, loss = ahead[:, length + 2 :].sum(axis=1), ahead[:, : length + 1].sum(axis=1)
    return Margins(win - loss, win, loss)


def score(sessions: Sessions, softness: float) -> PairMargins:
    """The margins of two systems; who brought which item is the same for all pairs."""
    chosen = assignments(sessions, softness)
    return lambda first, second: expected_winner(chosen, sessions.clicks, first, second)


def lists_of_softmax(rankings: Sequence[Ranking], length: int, softness: int = 3) -> Chances:
    """A fair coin and a softmax for each position; the teams are summed over."""
    chance_of: dict[Shown, Fraction] = defaultdict(Fraction)

    def grow(items: Ranking, chance: Fraction) -> None:
        drawn = _drawn(rankings, items, softness)
        if len(items) == length or not drawn:
            chance_of[items, (None,) * len(items)] += chance
            return
        for item in {item for one in drawn.values() for item in one}:
            share = sum((one.get(item, Fraction(0)) for one in drawn.values()), Fraction(0)) / len(drawn)
            grow((*items, item), chance * share)

    grow((), Fraction(1))
    return dict(chance_of)


def _drawn(rankings: Sequence[Ranking], items: Ranking, softness: int) -> dict[int, dict[int, Fraction]]:
    """How probably each ranking that still has items would bring each of them."""
    shares = {}
    for team, ranking in enumerate(rankings):
        weights = {item: Fraction(1, rank_in(ranking, item) ** softness) for item in left_of(ranking, items)}
        if weights:
            total = sum(weights.values(), Fraction(0))
            shares[team] = {item: weight / total for item, weight in weights.items()}
    return shares


def exact_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int], softness: int = 3) -> Fraction:
    """The expected winner over all assignments of the clicked items to teams."""
    ahead: dict[int, Fraction] = {0: Fraction(1)}
    for place in clicks:
        drawn = _drawn(rankings, shown[0][:place], softness)
        shares = [drawn.get(team, {}).get(shown[0][place], Fraction(0)) for team in (0, 1)]
        first = shares[0] / (shares[0] + shares[1])
        moved: dict[int, Fraction] = defaultdict(Fraction)
        for difference, chance in ahead.items():
            moved[difference + 1] += chance * first
            moved[difference - 1] += chance * (1 - first)
        ahead = dict(moved)
    return sum((chance * sign_of(difference) for difference, chance in ahead.items()), Fraction(0))


declare(Method("probabilistic", "probabilistic interleaving", draw, lists_of_softmax, exact_margin, score=score, is_soft=True))
