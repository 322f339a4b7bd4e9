"""Expectation maximisation: from parameters to expected counts, and from these to better parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.clicks.registry import Fit, Parameter, Parameters, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import ClickLog
    from plumbline.truth.clicks.registry import Expected

    Numbers = NDArray[np.float64]
    Totals = dict[str, tuple[Numbers, Numbers]]
    """Successes and trials of each parameter."""

ENOUGH: Final = 1e-9
"""A fit has settled when the objective changes by no more than this share."""
HALF: Final = 0.5
EDGE: Final = 0.001
"""A fit that starts from an earlier one keeps so far from 0 and 1, which no round could leave."""


def ratio(successes: Numbers, trials: Numbers, prior: float) -> Numbers:
    """A share with a prior; undefined, NaN, where nothing was tried and there is no prior."""
    total = trials + 2 * prior
    return np.asarray(np.divide(successes + prior, total, out=np.full(np.shape(total), np.nan), where=total > 0))


def iterate(
    start: Parameters,
    expect: Callable[[Parameters], tuple[Totals, float]],
    settings: Settings,
    fixed: tuple[str, ...] = (),
) -> Fit:
    """Repeat until the objective changes little: the log-likelihood, and the prior's logarithm where there is one.

    `expect` gives successes and trials of each parameter under the present ones, and their log-likelihood.
    """
    parameters, objective = dict(start), list[float]()
    settled, counts = False, Parameters()
    for _ in range(settings.rounds):
        expected, likelihood = expect(parameters)
        free = {name: pair for name, pair in expected.items() if name not in fixed}
        objective.append(likelihood + prior_of((parameters[name] for name in free), settings.prior))
        counts = {name: trials for name, (_, trials) in expected.items()}
        settled = len(objective) > 1 and abs(objective[-1] - objective[-2]) <= ENOUGH * abs(objective[-1])
        if settled:
            break
        parameters |= {name: ratio(successes, trials, settings.prior) for name, (successes, trials) in free.items()}
    return Fit(parameters, counts, objective=tuple(objective), settled=settled)


def iterate_places(
    log: ClickLog,
    parameters: tuple[Parameter, ...],
    expect: Callable[[Parameters, ClickLog], Expected],
    settings: Settings,
    start: Parameters,
    fixed: tuple[str, ...] = (),
) -> Fit:
    """The same for a model that says what it expects at each place."""

    def totals(present: Parameters) -> tuple[Totals, float]:
        expected = expect(present, log)
        sums = {
            one.name: (log.total(expected.events[one.name][0], one.by), log.total(expected.events[one.name][1], one.by))
            for one in parameters
        }
        return sums, expected.log_likelihood

    return iterate(start, totals, settings, fixed)


def halves(log: ClickLog, parameters: tuple[Parameter, ...]) -> Parameters:
    """Everything has the probability one half."""
    return {one.name: np.full(log.index(one.by)[1], HALF) for one in parameters}


def beginning(log: ClickLog, parameters: tuple[Parameter, ...], start: Fit | None) -> Parameters:
    """Where an iteration starts: at one half, or near an earlier fit as far as this has estimates."""
    if start is None:
        return halves(log, parameters)
    return {one.name: np.clip(np.nan_to_num(start.parameters[one.name], nan=HALF), EDGE, 1.0 - EDGE) for one in parameters}


def prior_of(values: Iterable[Numbers], prior: float) -> float:
    """The logarithm of the prior, up to a constant: so many successes and failures of each parameter."""
    if prior == 0:
        return 0.0
    return float(sum(prior * (np.log(one) + np.log1p(-one)).sum() for one in values))


def log_likelihood(probability: Numbers, clicked: NDArray[np.bool_], weight: Numbers) -> float:
    """The sum of logarithms of what happened; impossible events make it minus infinity."""
    happened = np.where(clicked, probability, 1.0 - probability)
    some = (weight > 0) & ~np.isnan(happened)
    with np.errstate(divide="ignore"):
        return float((weight[some] * np.log(happened[some])).sum())
