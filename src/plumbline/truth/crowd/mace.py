"""MACE (Hovy et al. 2013): an assessor either knows the label or answers by a strategy of his own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import special
from plumbline.truth.crowd.dawid_skene import answered
from plumbline.truth.crowd.methods import Settings, aggregation
from plumbline.truth.crowd.votes import Fit, Votes, normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

RESTARTS: Final = 10
ROUNDS: Final = 50
KNOWING: Final = 0.5
"""What is added to the counts of knowing and of not knowing."""
STRATEGY: Final = 10.0
"""What is added to each count of a strategy."""
_NOISE: Final = 0.5


@aggregation("mace", title="MACE", paper="hovy2013")
def mace(votes: Votes, settings: Settings) -> Fit:
    """How often each assessor knows the label, and what they answer otherwise; variational, the best of ten starts."""
    generator = np.random.default_rng(settings.seed)
    fits = [one_start(votes, generator, min(settings.rounds, ROUNDS)) for _ in range(RESTARTS)]
    return max(fits, key=lambda fit: fit.log_likelihood or -np.inf)


def one_start(votes: Votes, generator: np.random.Generator, rounds: int) -> Fit:
    """A fit from one random start."""

    def means(counts: Numbers, prior: float) -> Numbers:
        total = (counts + prior).sum(axis=1, keepdims=True)
        return np.asarray(np.exp(special.digamma(counts + prior) - special.digamma(total)))

    knows = 1 + _NOISE * generator.random((votes.assessors, 2))
    knows /= knows.sum(axis=1, keepdims=True)
    strategy = 1 + _NOISE * generator.random((votes.assessors, votes.labels))
    strategy /= strategy.sum(axis=1, keepdims=True)
    prior = np.log(np.full(votes.labels, 1 / votes.labels))
    history: list[float] = []
    posterior = votes.shares
    for _ in range(rounds):
        guessed = knows[votes.assessor, 1] * strategy[votes.assessor, votes.label]
        known = knows[votes.assessor, 0]
        posterior, likelihood = normalised(prior + answered(votes, np.log(known + guessed), np.log(guessed)))
        posterior = votes.with_known(posterior)
        history.append(likelihood)
        knew = posterior[votes.item, votes.label] * known / (known + guessed)
        totals = [np.bincount(votes.assessor, weights=one, minlength=votes.assessors) for one in (knew, 1 - knew)]
        counts = np.stack(totals, axis=1).astype(np.float64)
        flat = votes.assessor * votes.labels + votes.label
        spent = np.bincount(flat, weights=1 - knew, minlength=strategy.size).reshape(strategy.shape).astype(np.float64)
        knows, strategy = means(counts, KNOWING), means(spent, STRATEGY)
    return Fit(posterior, history[-1], rounds, settled=True, history=tuple(history))
