"""Cascade models with hidden examination: the dynamic Bayesian network and the click chain model, by exact iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.clicks.iterating import beginning, iterate_places
from plumbline.truth.clicks.models.cascade import SATISFACTION, SATISFIES
from plumbline.truth.clicks.models.chain import Steps, hindsight, reaching, share, walking
from plumbline.truth.clicks.models.examination import ATTRACTION, ATTRACTS
from plumbline.truth.clicks.registry import ClickModel, Expected, Fit, Parameter, Parameters, Settings, declare

if TYPE_CHECKING:
    from plumbline.truth.clicks.log import ClickLog, Pages

PERSISTENCE = "persistence"
AFTER_NONE = "after no click"
AFTER_CLICK = "after a click"
AFTER_SATISFACTION = "after satisfaction"


def _network_steps(parameters: Parameters, pages: Pages) -> Steps:
    ones = np.ones(pages.pair.shape)
    gamma = parameters[PERSISTENCE]
    satisfaction = pages.spread(parameters[SATISFACTION])
    return Steps(pages.spread(parameters[ATTRACTION]), gamma * (1.0 - satisfaction), ones * gamma)


def _network_events(parameters: Parameters, log: ClickLog) -> Expected:
    """Examination, satisfaction, the attraction of what was not examined, and the end of reading, given all clicks."""
    steps = _network_steps(parameters, log)
    known = hindsight(steps, log)
    gamma, satisfaction = parameters[PERSISTENCE], log.spread(parameters[SATISFACTION])
    ends = gamma * known.stays + (1.0 - gamma) * known.leaves
    satisfied = np.where(log.clicked, share(satisfaction * known.leaves, (1.0 - satisfaction) * ends), 0.0)
    unsatisfied = known.examined - satisfied
    clicks = log.clicked.astype(np.float64)
    events = {
        ATTRACTION: (clicks + (1.0 - known.examined) * steps.attraction, np.ones(clicks.shape)),
        SATISFACTION: (satisfied, clicks),
        PERSISTENCE: (unsatisfied * share(gamma * known.stays, (1.0 - gamma) * known.leaves), unsatisfied),
    }
    return Expected(events, known.log_likelihood)


def dynamic_network(log: ClickLog, settings: Settings, start: Fit | None = None) -> Fit:
    """After a place that did not satisfy, clicked or not, a user goes on with the probability of persistence."""
    begin = beginning(log, NETWORK, start)
    if settings.gamma is not None:
        begin[PERSISTENCE] = np.asarray(settings.gamma)
    return iterate_places(log, NETWORK, _network_events, settings, begin, () if settings.gamma is None else (PERSISTENCE,))


def _chain_steps(parameters: Parameters, pages: Pages) -> Steps:
    ones = np.ones(pages.pair.shape)
    attraction = pages.spread(parameters[ATTRACTION])
    clicked = parameters[AFTER_CLICK] * (1.0 - attraction) + parameters[AFTER_SATISFACTION] * attraction
    return Steps(attraction, clicked, ones * parameters[AFTER_NONE])


def _chain_events(parameters: Parameters, log: ClickLog) -> Expected:
    """Examination, satisfaction and the end of reading, given all clicks."""
    steps = _chain_steps(parameters, log)
    known = hindsight(steps, log)
    tau = {name: parameters[name] for name in (AFTER_NONE, AFTER_CLICK, AFTER_SATISFACTION)}
    ends = {name: value * known.stays + (1.0 - value) * known.leaves for name, value in tau.items()}
    on = {name: share(value * known.stays, (1.0 - value) * known.leaves) for name, value in tau.items()}
    a, clicks = steps.attraction, log.clicked.astype(np.float64)
    satisfied = clicks * share(a * ends[AFTER_SATISFACTION], (1.0 - a) * ends[AFTER_CLICK])
    trials = {
        AFTER_NONE: (1.0 - clicks) * known.examined,
        AFTER_CLICK: clicks - satisfied,
        AFTER_SATISFACTION: satisfied,
    }
    events = {ATTRACTION: (clicks + satisfied, known.examined + clicks)}
    events |= {name: (tried * on[name], tried) for name, tried in trials.items()}
    return Expected(events, known.log_likelihood)


def click_chain(log: ClickLog, settings: Settings, start: Fit | None = None) -> Fit:
    """A user goes on with one probability after no click, one after a click, and one after a click that satisfied.

    A clicked item satisfies with the probability by which it attracts.
    """
    return iterate_places(log, CHAIN, _chain_events, settings, beginning(log, CHAIN, start))


NETWORK: Final = (ATTRACTS, SATISFIES, Parameter(PERSISTENCE, "log", "a user who is not satisfied goes on"))
CHAIN: Final = (
    Parameter(ATTRACTION, "item", "the item is clicked if it is examined, and satisfies if it is clicked"),
    Parameter(AFTER_NONE, "log", "a user goes on after no click"),
    Parameter(AFTER_CLICK, "log", "a user goes on after a click that did not satisfy"),
    Parameter(AFTER_SATISFACTION, "log", "a user goes on after a click that satisfied"),
)

declare(
    ClickModel(
        "dbn",
        "dynamic Bayesian network",
        paper="chapelle2009dbn",
        parameters=NETWORK,
        fit=dynamic_network,
        walk=walking(_network_steps),
        reach=reaching(_network_steps),
        relevance=(ATTRACTION, SATISFACTION),
        expect=_network_events,
        options=("gamma",),
        metrics={"EBU": "utility", "rrDBN": "effort"},
        assumed={PERSISTENCE: 0.9},
    ),
    ClickModel(
        "ccm",
        "click chain model",
        paper="guo2009ccm",
        parameters=CHAIN,
        fit=click_chain,
        walk=walking(_chain_steps),
        reach=reaching(_chain_steps),
        relevance=(ATTRACTION,),
        expect=_chain_events,
        metrics={"uCCM": "utility"},
        assumed={AFTER_NONE: 0.95, AFTER_CLICK: 0.8, AFTER_SATISFACTION: 0.4},
    ),
)
