"""Readers who go from rank to rank until they stop: the way down that cascade models share.

Examination of the next rank follows from that of the present one, with one probability after a click and one after none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.clicks.registry import Reach

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import ClickLog, Pages
    from plumbline.truth.clicks.registry import Parameters, Walk

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Steps:
    """What a reader does at each place, `[page, rank]`."""

    attraction: Numbers
    """The place is clicked if it is examined."""
    after_click: Numbers
    """The next place is examined after a click."""
    after_none: Numbers
    """The next place is examined if this one was, and was not clicked."""


class Descending:
    """Somebody of whom it is known how probably the present rank is examined."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.examined = np.ones(len(steps.attraction))

    def click(self, rank: int) -> Numbers:
        """Attraction, if the rank is examined."""
        return np.asarray(self.examined * self.steps.attraction[:, rank])

    def observe(self, rank: int, clicked: Flags) -> None:
        """A click shows that the rank was examined; none makes it less probable (Bayes)."""
        a, e = self.steps.attraction[:, rank], self.examined
        left = 1.0 - a * e
        unclicked = np.divide(e * (1.0 - a), left, out=np.zeros_like(e), where=left > 0)
        self.examined = np.where(clicked, self.steps.after_click[:, rank], unclicked * self.steps.after_none[:, rank])


def walking(steps_of: Callable[[Parameters, Pages], Steps]) -> Callable[[Parameters, Pages], Walk]:
    """The walk of a model, from its steps."""
    return lambda parameters, pages: Descending(steps_of(parameters, pages))


def reaching(steps_of: Callable[[Parameters, Pages], Steps]) -> Callable[[Parameters, Pages], Reach]:
    """The probabilities before any click is known, from the steps of a model."""

    def reach(parameters: Parameters, pages: Pages) -> Reach:
        steps = steps_of(parameters, pages)
        examined = np.ones(steps.attraction.shape)
        goes_on = steps.attraction * steps.after_click + (1.0 - steps.attraction) * steps.after_none
        examined[:, 1:] = np.cumprod(goes_on[:, :-1], axis=1)
        return Reach(np.where(pages.shown, examined, 0.0), examined * steps.attraction)

    return reach


def share(one: Numbers, other: Numbers) -> Numbers:
    """What one is of both."""
    total = one + other
    return np.asarray(np.divide(one, total, out=np.zeros(np.shape(total)), where=total > 0))


@dataclass(frozen=True, eq=False)
class Hindsight:
    """What is known of examination when all clicks of a page are known."""

    examined: Numbers
    """`[page, rank]`: the rank was examined."""
    stays: Numbers
    """`[page, rank]`: the probability of everything below, if the next rank is examined."""
    leaves: Numbers
    """`[page, rank]`: the same if it is not: 1 where nothing below is clicked, or else 0."""
    log_likelihood: float


def hindsight(steps: Steps, log: ClickLog) -> Hindsight:
    """Forwards and backwards over the ranks, all pages at once."""
    walk, depth = Descending(steps), log.depth
    before = np.empty(steps.attraction.shape)
    happened = np.empty(steps.attraction.shape)
    for rank in range(depth):
        before[:, rank] = walk.examined
        clicks = walk.click(rank)
        happened[:, rank] = np.where(log.clicked[:, rank], clicks, 1.0 - clicks)
        walk.observe(rank, log.clicked[:, rank])
    stays, leaves = np.ones(steps.attraction.shape), np.ones(steps.attraction.shape)
    for rank in range(depth - 2, -1, -1):
        clicked = log.clicked[:, rank + 1]
        a, on_click, on_none = (part[:, rank + 1] for part in (steps.attraction, steps.after_click, steps.after_none))
        below, none = stays[:, rank + 1], leaves[:, rank + 1]
        stays[:, rank] = np.where(
            clicked, a * (on_click * below + (1.0 - on_click) * none), (1.0 - a) * (on_none * below + (1.0 - on_none) * none)
        )
        leaves[:, rank] = np.where(clicked, 0.0, none)
    # P(examined at r | all clicks): before r, then this place and everything below
    given = np.where(log.clicked, steps.attraction, 1.0 - steps.attraction)
    on = np.where(log.clicked, steps.after_click, steps.after_none)
    if_examined = before * given * (on * stays + (1.0 - on) * leaves)
    if_not = (1.0 - before) * ~log.clicked * leaves
    total = if_examined + if_not
    examined = np.divide(if_examined, total, out=np.zeros_like(total), where=total > 0)
    with np.errstate(divide="ignore"):
        likelihood = float((log.times * np.log(happened).sum(axis=1)).sum())
    return Hindsight(examined, stays, leaves, likelihood)
