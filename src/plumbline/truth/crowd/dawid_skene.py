"""Dawid and Skene (1979): every assessor has error rates, and so the truth has probabilities; each is fitted to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.crowd.methods import Settings, aggregation
from plumbline.truth.crowd.votes import Fit, Votes, normalised

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

ENOUGH: Final = 1e-9
"""A fit has settled when the log-likelihood changes by no more than this share."""


def expectation_maximisation(votes: Votes, settings: Settings, step: Callable[[Numbers], tuple[Numbers, float]]) -> Fit:
    """Repeat a step, from probabilities to better ones and their log-likelihood, until it changes little."""
    posterior = votes.shares
    history: list[float] = []
    for rounds in range(1, settings.rounds + 1):
        posterior, likelihood = step(posterior)
        posterior = votes.with_known(posterior)
        history.append(likelihood)
        if rounds > 1 and abs(history[-1] - history[-2]) <= ENOUGH * abs(history[-1]):
            return Fit(posterior, likelihood, rounds, settled=True, history=tuple(history))
    return Fit(posterior, history[-1], settings.rounds, settled=False, history=tuple(history))


def error_rates(votes: Votes, posterior: Numbers, smooth: float) -> Numbers:
    """`[assessor, truth, answer]`: how probable each answer of an assessor is, given the truth."""
    counts = votes.by_assessor(posterior) + smooth
    total = counts.sum(axis=2, keepdims=True)
    return np.asarray(np.divide(counts, total, out=np.full(counts.shape, 1 / votes.labels), where=total > 0))


def _log(values: Numbers) -> Numbers:
    """Logarithms, of 0 a number so low that it rules a label out and can still be added up."""
    return np.log(np.maximum(values, 1e-300))


@aggregation("dawid-skene", title="Dawid-Skene", paper="dawid1979")
def dawid_skene(votes: Votes, settings: Settings) -> Fit:
    """Error rates of each assessor for each label, fitted together with the labels by expectation maximisation."""

    def step(posterior: Numbers) -> tuple[Numbers, float]:
        prior = posterior.mean(axis=0)
        rates = error_rates(votes, posterior, settings.smooth)
        by_answer = _log(rates).transpose(0, 2, 1).reshape(-1, votes.labels)
        return normalised(_log(prior) + votes.answers @ by_answer)

    return expectation_maximisation(votes, settings, step)


@aggregation("one-coin", title="one-coin Dawid-Skene", paper="raykar2012")
def one_coin(votes: Votes, settings: Settings) -> Fit:
    """One accuracy of each assessor, whatever the label, fitted together with the labels."""
    count = np.bincount(votes.assessor, minlength=votes.assessors).astype(np.float64)
    others = max(votes.labels - 1, 1)

    def step(posterior: Numbers) -> tuple[Numbers, float]:
        prior = posterior.mean(axis=0)
        right = np.bincount(votes.assessor, weights=posterior[votes.item, votes.label], minlength=votes.assessors)
        accuracy = (right + settings.smooth) / np.maximum(count + 2 * settings.smooth, 1e-300)
        of_vote = accuracy[votes.assessor]
        return normalised(_log(prior) + answered(votes, _log(of_vote), _log((1 - of_vote) / others)))

    return expectation_maximisation(votes, settings, step)


def answered(votes: Votes, right: Numbers, wrong: Numbers) -> Numbers:
    """`[item, label]`: what the votes add to the logarithm, `right` where a vote is for the label and `wrong` elsewhere.

    Both are numbers of each vote.
    """
    everywhere = np.bincount(votes.item, weights=wrong, minlength=votes.items)
    return np.asarray(everywhere[:, None] + votes.weighed(right - wrong))
