"""Team draft: in each round each ranking picks an item, and a click counts for the team of its item."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.interleaving.drawing import Drawn, Lists
from plumbline.truth.interleaving.exact import left_of, sign_of
from plumbline.truth.interleaving.registry import Method, declare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.exact import Chances, Ranking, Shown
    from plumbline.truth.interleaving.rankings import Rankings


def draw(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:
    """In each round the teams pick their best item that is still there, in an order that is drawn anew."""
    lists, number = Lists(rankings, length), len(rankings.systems)
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


def lists_of_teams(rankings: Sequence[Ranking], length: int) -> Chances:
    """All orders of the teams in each round, equally likely."""
    chance_of: dict[Shown, Fraction] = defaultdict(Fraction)
    orders = list(permutations(range(len(rankings))))

    def grow(items: Ranking, teams: tuple[int, ...], chance: Fraction) -> None:
        if len(items) == length or not any(left_of(ranking, items) for ranking in rankings):
            chance_of[items, teams] += chance
            return
        for order in orders:
            longer, of = items, teams
            for team in order:
                left = left_of(rankings[team], longer)
                if left and len(longer) < length:
                    longer, of = (*longer, left[0]), (*of, team)
            grow(longer, of, chance / len(orders))

    grow((), (), Fraction(1))
    return dict(chance_of)


def team_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int]) -> Fraction:
    """More clicks on items of one's team win."""
    teams = [shown[1][place] for place in clicks]
    return sign_of(teams.count(0) - teams.count(1))


declare(Method("team-draft", "team draft", draw, lists_of_teams, team_margin, weighs_clicks=True))
