"""Click-through rates: of the whole log, of a rank, of an item. No user is modelled; other models should do better."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.clicks.iterating import ratio
from plumbline.truth.clicks.registry import ClickModel, Fit, Parameter, Parameters, Reach, Settings, declare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import ClickLog, Pages

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

RATE = "rate"


def counted(successes: Parameters, trials: Parameters, settings: Settings) -> Fit:
    """A fit by counting."""
    made = {name: ratio(successes[name], trials[name], settings.prior) for name in trials}
    return Fit(made, trials, successes)


def of_log(log: ClickLog, settings: Settings, _: Fit | None = None) -> Fit:
    """Every shown item is clicked with the same probability."""
    clicks = np.asarray((log.weight * log.clicked).sum())
    return counted({RATE: clicks}, {RATE: np.asarray(log.weight.sum())}, settings)


def of_ranks(log: ClickLog, settings: Settings, _: Fit | None = None) -> Fit:
    """Every rank has a probability of clicks, whatever is shown there."""
    return counted({RATE: log.by_rank(log.weight * log.clicked)}, {RATE: log.by_rank(log.weight)}, settings)


def of_items(log: ClickLog, settings: Settings, _: Fit | None = None) -> Fit:
    """Every item of a case has a probability of clicks, wherever it is shown."""
    return counted({RATE: log.by_pair(log.weight * log.clicked)}, {RATE: log.by_pair(log.weight)}, settings)


class Independent:
    """Clicks that do not depend on what was clicked above."""

    def __init__(self, probability: Numbers) -> None:
        self.probability = probability

    def click(self, rank: int) -> Numbers:
        """The probability of the place."""
        return np.asarray(self.probability[:, rank])

    def observe(self, rank: int, clicked: Flags) -> None:
        """Nothing is remembered."""


def _rates(parameters: Parameters, pages: Pages) -> Numbers:
    """The rate at each place."""
    rate = parameters[RATE]
    return np.where(pages.shown, np.broadcast_to(rate, pages.pair.shape), 0.0)


def _item_rates(parameters: Parameters, pages: Pages) -> Numbers:
    return pages.spread(parameters[RATE])


def _model(name: str, title: str, by: str) -> ClickModel:
    fits = {"log": of_log, "rank": of_ranks, "item": of_items}
    rates = _item_rates if by == "item" else _rates
    whose = {"log": "any item", "rank": "an item at the rank", "item": "the item"}[by]
    return ClickModel(
        name,
        title,
        paper="chuklin2015",
        parameters=(Parameter(RATE, by, f"{whose} is clicked when it is shown"),),  # type: ignore[arg-type]
        fit=fits[by],
        walk=lambda parameters, pages: Independent(rates(parameters, pages)),
        reach=lambda parameters, pages: Reach(pages.shown.astype(np.float64), rates(parameters, pages)),
        relevance=(RATE,) if by == "item" else (),
        assumed={RATE: 0.3} if by == "log" else {RATE: lambda rank, _: 0.6 / rank},
    )


declare(
    _model("ctr", "one click-through rate", "log"),
    _model("rank-ctr", "click-through rate by rank", "rank"),
    _model("item-ctr", "click-through rate by item", "item"),
)
