"""GLAD (Whitehill et al. 2009): assessors have abilities, items have difficulties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import special
from plumbline.truth.crowd.dawid_skene import answered
from plumbline.truth.crowd.descending import lowest
from plumbline.truth.crowd.methods import Settings, aggregation
from plumbline.truth.crowd.votes import Fit, Votes, normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

ENOUGH: Final = 1e-5
PRIOR: Final = 1.0
"""The mean of abilities and of log easiness before any vote; their variance is 1."""
_STEPS: Final = 25


@aggregation("glad", title="GLAD", paper="whitehill2009")
def glad(votes: Votes, settings: Settings) -> Fit:
    """An ability of each assessor and a difficulty of each item: P(right) = 1 / (1 + exp(-ability * easiness))."""
    others = max(votes.labels - 1, 1)
    prior = np.log(np.full(votes.labels, 1 / votes.labels))
    parameters = np.concatenate([np.full(votes.assessors, PRIOR), np.full(votes.items, PRIOR)])

    def split(both: Numbers) -> tuple[Numbers, Numbers]:
        return both[: votes.assessors], both[votes.assessors :]

    def expected(both: Numbers) -> tuple[Numbers, float]:
        ability, easiness = split(both)
        x = ability[votes.assessor] * np.exp(easiness)[votes.item]
        return normalised(prior + answered(votes, special.log_expit(x), special.log_expit(-x) - np.log(others)))

    def loss(both: Numbers, right: Numbers) -> tuple[float, Numbers]:
        ability, easiness = split(both)
        strength = np.exp(np.minimum(easiness, 50.0))[votes.item]
        x = ability[votes.assessor] * strength
        sure = special.log_expit(x)
        value = (sure - (1 - right) * x).sum()  # that a vote is wrong is by x less likely than that it is right
        value -= ((both - PRIOR) ** 2).sum() / 2
        slope = right - np.exp(sure)
        gradient = np.concatenate(
            [
                np.bincount(votes.assessor, weights=slope * strength, minlength=votes.assessors),
                np.bincount(votes.item, weights=slope * x, minlength=votes.items),
            ]
        )
        return -value, -(gradient - (both - PRIOR))

    history: list[float] = []
    for rounds in range(1, settings.rounds + 1):
        posterior, likelihood = expected(parameters)
        posterior = votes.with_known(posterior)
        history.append(likelihood - float(((parameters - PRIOR) ** 2).sum() / 2))
        if rounds > 1 and abs(history[-1] - history[-2]) <= ENOUGH * abs(history[-1]):
            return Fit(posterior, likelihood, rounds, settled=True, history=tuple(history))
        right = posterior[votes.item, votes.label]
        parameters = lowest(lambda both, right=right: loss(both, right), parameters, _STEPS)  # type: ignore[misc]
    return Fit(posterior, likelihood, settings.rounds, settled=False, history=tuple(history))
