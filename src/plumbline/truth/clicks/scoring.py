"""How well a fitted model predicts clicks: log-likelihood, perplexity, and perplexity given the clicks above."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import ClickLog
    from plumbline.truth.clicks.registry import ClickModel, Parameters

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]


def conditional(model: ClickModel, parameters: Parameters, log: ClickLog) -> Numbers:
    """`[page, rank]`: the probability of a click given the clicks above."""
    walk = model.walk(parameters, log)
    probability = np.empty(log.pair.shape)
    for rank in range(log.depth):
        probability[:, rank] = walk.click(rank)
        walk.observe(rank, log.clicked[:, rank])
    return probability


@dataclass(frozen=True, eq=False)
class Predictions:
    """The probabilities of what happened on pages that a model was not fitted to."""

    log: ClickLog
    given_above: Numbers
    """`[page, rank]`: of what happened, given the clicks above."""
    alone: Numbers
    """`[page, rank]`: of what happened, without knowing any click."""

    @cached_property
    def impossible(self) -> Flags:
        """Pages with something that the model says cannot happen."""
        return np.asarray(((self.given_above <= 0) & self.log.shown).any(axis=1))

    @cached_property
    def unknown(self) -> Flags:
        """Pages with an item that has no estimate; they are not scored."""
        return np.asarray((np.isnan(self.given_above) & self.log.shown).any(axis=1))

    @property
    def sessions(self) -> int:
        """How many sessions are scored."""
        return int(self.log.times[~self.unknown].sum())

    @property
    def impossible_sessions(self) -> int:
        """How many of them have something that cannot happen."""
        return int(self.log.times[self.impossible & ~self.unknown].sum())

    @property
    def unknown_sessions(self) -> int:
        """How many sessions are not scored."""
        return int(self.log.times[self.unknown].sum())

    @property
    def unknown_items(self) -> int:
        """How many items have no estimate."""
        return len(np.unique(self.log.pair[np.isnan(self.alone) & self.log.shown]))

    def _weight(self, pages: Flags | None) -> Numbers:
        """How often each place of the pages was shown; 0 on pages that are not scored."""
        kept = ~self.unknown if pages is None else pages & ~self.unknown
        return np.where(kept[:, None], self.log.weight, 0.0)

    def log_likelihood(self, pages: Flags | None = None) -> float:
        """The mean logarithm of each place, given the clicks above; minus infinity if something is impossible."""
        weight = self._weight(pages)
        some = weight > 0
        with np.errstate(divide="ignore"):
            logs = np.log(self.given_above[some])
        return float(logs @ weight[some] / weight.sum()) if some.any() else float("nan")

    def perplexity(self, pages: Flags | None = None, *, given_above: bool = False) -> float:
        """The mean over ranks; 1 is perfect, 2 is a fair coin."""
        ranks = self.by_rank(pages, given_above=given_above)
        known = ranks[~np.isnan(ranks)]
        return float(known.mean()) if len(known) else float("nan")

    def by_rank(self, pages: Flags | None = None, *, given_above: bool = False) -> Numbers:
        """The perplexity of each rank; NaN where nothing was shown."""
        weight = self._weight(pages)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log2(self.given_above if given_above else self.alone)
            total = np.where(weight > 0, weight * logs, 0.0).sum(axis=0)
            return np.asarray(np.exp2(-total / weight.sum(axis=0)))


def predictions(model: ClickModel, parameters: Parameters, log: ClickLog) -> Predictions:
    """What a model with these parameters says about a log."""
    chances = (conditional(model, parameters, log), model.reach(parameters, log).clicked)
    given_above, alone = (np.where(log.clicked, one, 1.0 - one) for one in chances)
    return Predictions(log, given_above, alone)
