"""Balanced interleaving: the rankings take turns, and clicks count by how far down both would have shown them."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.interleaving.drawing import NOBODY, Drawn
from plumbline.truth.interleaving.exact import HALF, rank_in, sign_of
from plumbline.truth.interleaving.rankings import NOWHERE
from plumbline.truth.interleaving.registry import Method, declare
from plumbline.truth.interleaving.scoring import by_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from plumbline.truth.interleaving.exact import Chances, Ranking, Shown
    from plumbline.truth.interleaving.rankings import Rankings
    from plumbline.truth.interleaving.scoring import Margins, Sessions


def draw(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:
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


def counted(sessions: Sessions) -> Margins:
    """Clicks among the first k of each ranking; k is where the lowest click first stands in either (Joachims 2003)."""
    clicked, ranks = sessions.clicks > 0, sessions.ranks
    lowest = clicked.shape[1] - 1 - clicked[:, ::-1].argmax(axis=1)
    k = np.take_along_axis(ranks, lowest[:, None, None], axis=2).min(axis=1)
    counts = (clicked[:, None, :] & (ranks <= k[:, :, None])).sum(axis=2).astype(np.float64)
    return by_counts(counts[:, 0], counts[:, 1])


def lists_of_coins(rankings: Sequence[Ranking], length: int) -> Chances:
    """Two lists, one for each side of the coin: pointers move in turns and skip what is there."""
    chance_of: dict[Shown, Fraction] = defaultdict(Fraction)
    for begins in (0, 1):
        items: list[int] = []
        teams: list[int | None] = []
        pointer = [0, 0]
        while len(items) < length and any(pointer[team] < len(rankings[team]) for team in (0, 1)):
            behind = pointer[begins] > pointer[1 - begins]
            team = 1 - begins if behind else begins
            if pointer[team] < len(rankings[team]) and rankings[team][pointer[team]] not in items:
                items.append(rankings[team][pointer[team]])
                teams.append(team)
            pointer[team] += 1
        chance_of[tuple(items), tuple(teams)] += HALF
    return dict(chance_of)


def exact_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int]) -> Fraction:
    """Clicked items among the first k of each ranking, where k reaches the lowest click in one of them."""
    lowest = shown[0][max(clicks)]
    k = min(rank_in(ranking, lowest) for ranking in rankings if lowest in ranking)
    clicked = [shown[0][place] for place in clicks]
    counts = [sum(item in ranking[:k] for item in clicked) for ranking in rankings]
    return sign_of(counts[0] - counts[1])


declare(
    Method(
        "balanced",
        "balanced interleaving",
        draw,
        lists_of_coins,
        exact_margin,
        score=lambda sessions, _: lambda *_: counted(sessions),
        pairs_only=True,
        needs_all_items=False,
    )
)
