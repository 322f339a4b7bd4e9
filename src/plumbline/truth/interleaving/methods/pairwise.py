"""Pairwise preference: positions draw among the items that fit, and clicks are preferences between items."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.interleaving.drawing import NOBODY, Drawn, Lists
from plumbline.truth.interleaving.exact import rank_in, sign_of
from plumbline.truth.interleaving.rankings import NOWHERE
from plumbline.truth.interleaving.registry import Method, declare
from plumbline.truth.interleaving.scoring import by_credit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.exact import Chances, Ranking, Shown
    from plumbline.truth.interleaving.rankings import Rankings
    from plumbline.truth.interleaving.registry import PairMargins
    from plumbline.truth.interleaving.scoring import Sessions


def draw(rankings: Rankings, length: int, rng: Generator, softness: float) -> Drawn:
    """Position k takes any item that a ranking has among its first k, all equally likely."""
    lists, best = Lists(rankings, length), rankings.rank.min(axis=1)
    while (growing := lists.open).any():
        fits = (best <= lists.filled[:, None] + 1) & ~lists.taken[:, :-1]
        able = fits.any(axis=1) & growing
        if not able.any():
            break
        lists.put(able, np.where(fits, rng.random(fits.shape), -1.0).argmax(axis=1), NOBODY)
    return lists.drawn()


def pairwise_scores(sessions: Sessions) -> NDArray[np.float64]:
    """The score of each system in each session (Oosterhuis and de Rijke 2017).

    A clicked item is preferred to every item above it that was not clicked, and to the next one below. Such a preference
    counts where both items stand at or below the first position k at which both could have stood. It counts for the systems
    that rank the preferred item higher and against the others, over the probability that neither was placed before k, so
    that places do not matter on average.
    """
    clicked, ranks = sessions.clicks > 0, sessions.ranks
    shown = sessions.items >= 0
    number, length = clicked.shape
    best = np.where(shown, ranks.min(axis=1), NOWHERE)
    passed = shown & ~clicked
    staying = _staying(sessions, length)
    scores = np.zeros((number, len(sessions.rankings.systems)))
    for one in range(length):
        for other in range(min(one + 2, length)):
            both = clicked[:, one] & passed[:, other]
            k = np.maximum(best[:, one], best[:, other])
            counts = both & (k <= min(one, other) + 1)
            if not counts.any():
                continue
            rows = np.flatnonzero(counts)
            begin = np.minimum(best[rows, one], best[rows, other])
            probability = staying[rows, k[rows] - 1] / staying[rows, begin - 1]
            sign = np.sign(ranks[rows, :, other] - ranks[rows, :, one])
            scores[rows] += sign / probability[:, None]
    return scores


def _staying(sessions: Sessions, length: int) -> NDArray[np.float64]:
    """How probably an item that fits from the first position on is still not placed before position k: products up to k - 1."""
    best = sessions.rankings.rank.min(axis=1)
    positions = np.arange(1, length + 1)
    fitting = (best[:, :, None] <= positions).sum(axis=1) - (positions - 1)
    stays = 1 - 1 / np.maximum(fitting, 1)
    stays = np.where(fitting > 1, stays, 1.0)
    products = np.cumprod(stays, axis=1)
    return np.hstack([np.ones((len(products), 1)), products])


def score(sessions: Sessions, softness: float) -> PairMargins:
    """The differences of two systems' scores."""
    scores = pairwise_scores(sessions)
    return lambda first, second: by_credit(scores[:, first] - scores[:, second])


def lists_of_fitting(rankings: Sequence[Ranking], length: int) -> Chances:
    """Each position takes any item that fits there, all equally likely."""
    chance_of: dict[Shown, Fraction] = defaultdict(Fraction)

    def grow(items: Ranking, chance: Fraction) -> None:
        fitting = sorted(_fitting(rankings, len(items) + 1) - set(items))
        if len(items) == length or not fitting:
            chance_of[items, (None,) * len(items)] += chance
            return
        for item in fitting:
            grow((*items, item), chance / len(fitting))

    grow((), Fraction(1))
    return dict(chance_of)


def _fitting(rankings: Sequence[Ranking], position: int) -> set[int]:
    return {item for ranking in rankings for item in ranking[:position]}


def exact_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int]) -> Fraction:
    """The difference of the scores that inferred preferences give both rankings."""
    items = shown[0]
    best = [min(rank_in(ranking, item) for ranking in rankings) for item in items]
    total = Fraction(0)
    for place in clicks:
        for other in range(min(place + 2, len(items))):
            if other in clicks:
                continue
            k = max(best[place], best[other])
            if k > min(place, other) + 1:
                continue
            chance = Fraction(1)
            for position in range(min(best[place], best[other]), k):
                chance *= 1 - Fraction(1, len(_fitting(rankings, position)) - (position - 1))
            signs = [sign_of(rank_in(ranking, items[other]) - rank_in(ranking, items[place])) for ranking in rankings[:2]]
            total += (signs[0] - signs[1]) / chance
    return total


declare(Method("pairwise", "pairwise preference", draw, lists_of_fitting, exact_margin, score=score, by_credit=True))
