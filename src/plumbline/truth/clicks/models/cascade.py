"""Cascade models that are fitted by counting: cascade, dependent click model, simplified dynamic Bayesian network.

The last two can be fitted exactly too. Counting takes what follows the last click as not read and the last click as the one
after which the user stopped, so that it misses those who read on and clicked no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.clicks.iterating import HALF, beginning, iterate_places
from plumbline.truth.clicks.models.chain import Steps, hindsight, reaching, share, walking
from plumbline.truth.clicks.models.examination import ATTRACTION, ATTRACTS
from plumbline.truth.clicks.models.rates import counted
from plumbline.truth.clicks.registry import ClickModel, Expected, Fit, Parameter, Parameters, Settings, declare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import ClickLog, Pages

    Numbers = NDArray[np.float64]

CONTINUATION = "continuation"
SATISFACTION = "satisfaction"


def _read(log: ClickLog, settings: Settings) -> Numbers:
    """`[page, rank]`: how often a place was surely read, down to the last click; without a click, to the end or not at all."""
    none = log.depth if settings.no_click == "examined" else 0
    end = np.where(log.last > 0, log.last, none)
    return np.where(np.arange(1, log.depth + 1) <= end[:, None], log.weight, 0.0)


def cascade(log: ClickLog, settings: Settings, _: Fit | None = None) -> Fit:
    """A user reads from the top, and stops at the first click: clicks, of the times shown without a click above.

    With one click at most, this is the maximum of the likelihood (Craswell 2008). A second click is impossible.
    """
    seen = np.where(log.previous == 0, log.weight, 0.0)
    return counted({ATTRACTION: log.by_pair(seen * log.clicked)}, {ATTRACTION: log.by_pair(seen)}, settings)


def _attraction(log: ClickLog, settings: Settings) -> tuple[Numbers, Numbers]:
    seen = _read(log, settings)
    return log.by_pair(seen * log.clicked), log.by_pair(seen)


def _is_last(log: ClickLog) -> NDArray[np.bool_]:
    return np.asarray(log.clicked & (np.arange(1, log.depth + 1) == log.last[:, None]))


def dependent_click(log: ClickLog, settings: Settings, start: Fit | None = None) -> Fit:
    """After a click, a user goes on with a probability that depends on the rank; what is above the last click was read."""
    if settings.fit == "exact":
        return iterate_places(log, DEPENDENT, _dependent_events, settings, beginning(log, DEPENDENT, start))
    clicks, seen = _attraction(log, settings)
    all_clicks = log.by_rank(log.weight * log.clicked)
    goes_on = all_clicks - log.by_rank(log.weight * _is_last(log))
    return counted({ATTRACTION: clicks, CONTINUATION: goes_on}, {ATTRACTION: seen, CONTINUATION: all_clicks}, settings)


def simplified_network(log: ClickLog, settings: Settings, start: Fit | None = None) -> Fit:
    """After a click, a user stops if the item satisfies, and else goes on reading; the last click is the one that satisfied.

    The exact fit leaves open whether the last click satisfied.
    """
    if settings.fit == "exact":
        return iterate_places(log, SIMPLIFIED, _simplified_events, settings, beginning(log, SIMPLIFIED, start))
    clicks, seen = _attraction(log, settings)
    all_clicks = log.by_pair(log.weight * log.clicked)
    last = log.by_pair(log.weight * _is_last(log))
    return counted({ATTRACTION: clicks, SATISFACTION: last}, {ATTRACTION: seen, SATISFACTION: all_clicks}, settings)


def _cascade_steps(parameters: Parameters, pages: Pages) -> Steps:
    ones = np.ones(pages.pair.shape)
    return Steps(pages.spread(parameters[ATTRACTION]), np.zeros(pages.pair.shape), ones)


def _dependent_steps(parameters: Parameters, pages: Pages) -> Steps:
    ones = np.ones(pages.pair.shape)
    return Steps(pages.spread(parameters[ATTRACTION]), ones * parameters[CONTINUATION], ones)


def _simplified_steps(parameters: Parameters, pages: Pages) -> Steps:
    ones = np.ones(pages.pair.shape)
    return Steps(pages.spread(parameters[ATTRACTION]), 1.0 - pages.spread(parameters[SATISFACTION]), ones)


def _dependent_events(parameters: Parameters, log: ClickLog) -> Expected:
    """Given all clicks: attraction of what was not examined, and who went on after the last click.

    A click with nothing below says nothing about going on, so that a rank may have no estimate; there any value will do.
    """
    continuation = np.nan_to_num(parameters[CONTINUATION], nan=HALF)
    steps = _dependent_steps({**parameters, CONTINUATION: continuation}, log)
    known = hindsight(steps, log)
    clicks = log.clicked.astype(np.float64)
    tried = np.where(np.arange(1, log.depth + 1) < _length(log)[:, None], clicks, 0.0)
    goes_on = tried * share(continuation * known.stays, (1.0 - continuation) * known.leaves)
    events = {
        ATTRACTION: (clicks + (1.0 - known.examined) * steps.attraction, np.ones(clicks.shape)),
        CONTINUATION: (goes_on, tried),
    }
    return Expected(events, known.log_likelihood)


def _length(log: ClickLog) -> NDArray[np.int64]:
    """The last rank of each page that shows something."""
    return np.asarray(np.max(np.where(log.shown, np.arange(1, log.depth + 1), 0), axis=1, initial=0))


def _simplified_events(parameters: Parameters, log: ClickLog) -> Expected:
    """Given all clicks: attraction of what was not examined, and whether the last click satisfied."""
    steps = _simplified_steps(parameters, log)
    known = hindsight(steps, log)
    satisfaction, clicks = log.spread(parameters[SATISFACTION]), log.clicked.astype(np.float64)
    satisfied = clicks * share(satisfaction * known.leaves, (1.0 - satisfaction) * known.stays)
    events = {
        ATTRACTION: (clicks + (1.0 - known.examined) * steps.attraction, np.ones(clicks.shape)),
        SATISFACTION: (satisfied, clicks),
    }
    return Expected(events, known.log_likelihood)


SATISFIES = Parameter(SATISFACTION, "item", "the item satisfies if it is clicked")
DEPENDENT = (ATTRACTS, Parameter(CONTINUATION, "rank", "a user goes on after a click at the rank"))
SIMPLIFIED = (ATTRACTS, SATISFIES)

declare(
    ClickModel(
        "cascade",
        "cascade model",
        paper="craswell2008",
        parameters=(ATTRACTS,),
        fit=cascade,
        walk=walking(_cascade_steps),
        reach=reaching(_cascade_steps),
        relevance=(ATTRACTION,),
    ),
    ClickModel(
        "dcm",
        "dependent click model",
        paper="guo2009dcm",
        parameters=DEPENDENT,
        fit=dependent_click,
        walk=walking(_dependent_steps),
        reach=reaching(_dependent_steps),
        relevance=(ATTRACTION,),
        expect=_dependent_events,
        options=("fit", "no_click"),
        metrics={"uDCM": "utility"},
        assumed={CONTINUATION: lambda rank, _: 0.9 / rank**0.3},
    ),
    ClickModel(
        "sdbn",
        "simplified dynamic Bayesian network",
        paper="chapelle2009dbn",
        parameters=SIMPLIFIED,
        fit=simplified_network,
        walk=walking(_simplified_steps),
        reach=reaching(_simplified_steps),
        relevance=(ATTRACTION, SATISFACTION),
        expect=_simplified_events,
        options=("fit", "no_click"),
        metrics={"uSDBN": "utility", "rrSDBN": "effort"},
    ),
)
