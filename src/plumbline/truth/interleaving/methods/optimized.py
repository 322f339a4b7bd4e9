"""Optimized interleaving: a lottery over the allowed lists that random clicks cannot bias; clicks are worth 1/rank."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.interleaving.drawing import Drawn, Lists
from plumbline.truth.interleaving.exact import rank_in
from plumbline.truth.interleaving.lottery import LONGEST, Lottery, lottery
from plumbline.truth.interleaving.rankings import NOWHERE
from plumbline.truth.interleaving.registry import Method, declare
from plumbline.truth.interleaving.scoring import by_credit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from plumbline.truth.interleaving.exact import Chances, Ranking, Shown
    from plumbline.truth.interleaving.rankings import Rankings
    from plumbline.truth.interleaving.scoring import Margins, Sessions


def draw(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:
    """A list from the lottery over all allowed lists that is fair at every depth, and tells the most."""
    lists, unfair = Lists(rankings, length), []
    weighed: dict[bytes, Lottery] = {}
    for case, order in enumerate(rankings.order):
        drawn_from = weighed.get(order.tobytes()) or weighed.setdefault(order.tobytes(), lottery(order[0], order[1], length))
        chosen = drawn_from.lists[
            int((np.cumsum(drawn_from.probability) > rng.random() * drawn_from.probability.sum()).argmax())
        ]
        lists.items[case, : len(chosen)] = chosen
        if not drawn_from.fair:
            unfair.append(case)
    return Drawn(lists.items, lists.teams, tuple(unfair))


def credit_by_rank(sessions: Sessions) -> Margins:
    """The difference of the credits 1/rank of clicked items; a ranking that lacks an item would have it next."""
    lengths = (sessions.rankings.order >= 0).sum(axis=2)[:, :, None]
    credit = 1 / np.where(sessions.ranks < NOWHERE, sessions.ranks, lengths + 1)
    return by_credit(((credit[:, 0] - credit[:, 1]) * sessions.clicks).sum(axis=1))


def lists_of_lottery(rankings: Sequence[Ranking], length: int) -> Chances:
    """The lottery of the linear program, with its probabilities as the fractions that they are."""
    lists = lottery(np.array(rankings[0]), np.array(rankings[1]), length)
    chances = {
        (shown, (None,) * len(shown)): Fraction(float(chance)).limit_denominator(1_000_000)
        for shown, chance in zip(lists.lists, lists.probability, strict=True)
        if chance > 1e-9  # noqa: PLR2004 - zero, but for rounding
    }
    total = sum(chances.values(), Fraction(0))
    return {shown: chance / total for shown, chance in chances.items()}


def exact_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int]) -> Fraction:
    """The difference of 1/rank over the clicked items."""
    clicked = [shown[0][place] for place in clicks]
    return sum(
        (Fraction(1, rank_in(rankings[0], item)) - Fraction(1, rank_in(rankings[1], item)) for item in clicked), Fraction(0)
    )


declare(
    Method(
        "optimized",
        "optimized interleaving",
        draw,
        lists_of_lottery,
        exact_margin,
        score=lambda sessions, _: lambda *_: credit_by_rank(sessions),
        by_credit=True,
        pairs_only=True,
        weighs_clicks=True,
        longest=LONGEST,
    )
)
