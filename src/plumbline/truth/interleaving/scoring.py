"""What the clicks of each session say about two systems, as each method of interleaving gives credit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.interleaving.rankings import NOWHERE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.rankings import Rankings

BY_CREDIT: Final = ("optimized", "pairwise")
"""Methods that are fair for the sum of credits, and not for who has more of it."""


@dataclass(frozen=True, eq=False)
class Margins:
    """A value for each session: how far the first of two systems is ahead; and how probably it wins and loses the session.

    The value is win minus loss, or a difference of credit where the method is fair for credit only.
    """

    value: NDArray[np.float64]
    win: NDArray[np.float64]
    loss: NDArray[np.float64]


def by_counts(first: NDArray[np.float64], second: NDArray[np.float64]) -> Margins:
    """The system with more credit wins the session."""
    win, loss = (first > second).astype(np.float64), (first < second).astype(np.float64)
    return Margins(win - loss, win, loss)


def _by_credit(ahead: NDArray[np.float64]) -> Margins:
    nothing = np.abs(ahead) < 1e-12  # noqa: PLR2004 - sums of the same credits in another order
    value = np.where(nothing, 0.0, ahead)
    return Margins(value, (value > 0).astype(np.float64), (value < 0).astype(np.float64))


@dataclass(frozen=True, eq=False)
class Sessions:
    """The lists of all sessions and what was clicked: items as the numbers of their case, -1 where nothing was shown."""

    rankings: Rankings
    """The rankings of each session's case."""
    items: NDArray[np.int64]
    clicks: NDArray[np.float64]
    """How much a click on each position counts; 0 where there was none."""

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of the item at each position in each system; beyond the end of a list it means nothing."""
        return np.take_along_axis(self.rankings.rank, np.maximum(self.items, 0)[:, None, :], axis=2)


def balanced(sessions: Sessions) -> Margins:
    """Clicks among the first k of each ranking; k is where the lowest click first stands in either (Joachims 2003)."""
    clicked, ranks = sessions.clicks > 0, sessions.ranks
    lowest = clicked.shape[1] - 1 - clicked[:, ::-1].argmax(axis=1)
    k = np.take_along_axis(ranks, lowest[:, None, None], axis=2).min(axis=1)
    counts = (clicked[:, None, :] & (ranks <= k[:, :, None])).sum(axis=2).astype(np.float64)
    return by_counts(counts[:, 0], counts[:, 1])


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
        own = weight[every, :, np.maximum(item, 0)]
        share = np.divide(own, total, out=np.zeros_like(own), where=total > 0)
        sum_of_shares = share.sum(axis=1, keepdims=True)
        known = shown[:, None] & (sum_of_shares > 0)
        chosen[:, :, position] = np.divide(share, sum_of_shares, out=np.zeros_like(share), where=known)
        weight[every[shown], :, item[shown]] = 0.0
    return chosen


def probabilistic(chosen: NDArray[np.float64], clicks: NDArray[np.float64], first: int, second: int) -> Margins:
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


def optimized(sessions: Sessions) -> Margins:
    """The difference of the credits 1/rank of clicked items; a ranking that lacks an item would have it next."""
    lengths = (sessions.rankings.order >= 0).sum(axis=2)[:, :, None]
    credit = 1 / np.where(sessions.ranks < NOWHERE, sessions.ranks, lengths + 1)
    return _by_credit(((credit[:, 0] - credit[:, 1]) * sessions.clicks).sum(axis=1))


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


def pairwise(scores: NDArray[np.float64], first: int, second: int) -> Margins:
    """The difference of two systems' scores."""
    return _by_credit(scores[:, first] - scores[:, second])
