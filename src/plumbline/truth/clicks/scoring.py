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

    @cached_property
    def _weight(self) -> Numbers:
        """How often each place was shown; 0 on pages that are not scored."""
        return np.where(self.unknown[:, None], 0.0, self.log.weight)

    def log_likelihood(self) -> float:
        """The mean logarithm of each place, given the clicks above; minus infinity if something is impossible."""
        weight = self._weight
        some = weight > 0
        with np.errstate(divide="ignore"):
            logs = np.log(self.given_above[some])
        return float(logs @ weight[some] / weight.sum()) if some.any() else float("nan")

    def perplexity(self, *, given_above: bool = False) -> float:
        """The mean over ranks; 1 is perfect, 2 is a fair coin."""
        ranks = self.by_rank(given_above=given_above)
        known = ranks[~np.isnan(ranks)]
        return float(known.mean()) if len(known) else float("nan")

    def by_rank(self, *, given_above: bool = False) -> Numbers:
        """The perplexity of each rank; NaN where nothing was shown."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.exp2(-self._bits(given_above=given_above).sum(axis=0) / self._weight.sum(axis=0)))

    def by_case(self) -> tuple[NDArray[np.int64], tuple[Numbers, Numbers, Numbers]]:
        """The cases with sessions that are scored, and of each: log-likelihood, perplexity, conditional perplexity."""
        scored = ~self.unknown
        codes, place = np.unique(self.log.case[scored], return_inverse=True)
        shape = (len(codes), self.log.depth)
        index = (place[:, None] * self.log.depth + np.arange(self.log.depth)).ravel()

        def total(values: Numbers) -> Numbers:
            sums = np.bincount(index, weights=values[scored].ravel(), minlength=shape[0] * shape[1])
            return sums.astype(np.float64, copy=False).reshape(shape)

        weight, given_above = total(self._weight), total(self._bits(given_above=True))
        with np.errstate(invalid="ignore"):
            likelihood = given_above.sum(axis=1) * np.log(2) / weight.sum(axis=1)
            perplexities = [np.exp2(-bits / weight) for bits in (total(self._bits(given_above=False)), given_above)]
        alone, conditional = (np.nanmean(one, axis=1) for one in perplexities)
        return codes, (likelihood, alone, conditional)

    def _bits(self, *, given_above: bool) -> Numbers:
        """`[page, rank]`: log2 of the probability of each place that is scored, as often as it was shown."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log2(self.given_above if given_above else self.alone)
            return np.where(self._weight > 0, self._weight * logs, 0.0)


def predictions(model: ClickModel, parameters: Parameters, log: ClickLog) -> Predictions:
    """What a model with these parameters says about a log."""
    chances = (conditional(model, parameters, log), model.reach(parameters, log).clicked)
    given_above, alone = (np.where(log.clicked, one, 1.0 - one) for one in chances)
    return Predictions(log, given_above, alone)
