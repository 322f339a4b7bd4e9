"""Examination by rank: the position-based model, and the user browsing model, where the last click matters too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.clicks.iterating import beginning, iterate, log_likelihood
from plumbline.truth.clicks.models.rates import Independent
from plumbline.truth.clicks.registry import ClickModel, Expected, Fit, Parameter, Parameters, Reach, Settings, declare

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.truth.clicks.iterating import Totals
    from plumbline.truth.clicks.log import By, ClickLog, Pages

    Codes = NDArray[np.int64]
    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

ATTRACTION = "attraction"
EXAMINATION = "examination"
ATTRACTS = Parameter(ATTRACTION, "item", "the item is clicked if it is examined")


@dataclass(frozen=True, eq=False)
class Cells:
    """Places that the model cannot tell apart, taken together: same item, same examination, clicked or not."""

    pair: Codes
    seen: Codes
    """The number of the examination probability."""
    clicked: Flags
    weight: Numbers


def cells_of(log: ClickLog, seen: Codes, size: int) -> Cells:
    """The places of a log by item, number of their examination and click."""
    keys = ((log.pair * size + seen) * 2 + log.clicked)[log.shown]
    different, place = np.unique(keys, return_inverse=True)
    weight = np.bincount(place, weights=log.weight[log.shown], minlength=len(different)).astype(np.float64, copy=False)
    return Cells(different // (2 * size), different // 2 % size, different % 2 == 1, weight)


def hidden(a: Numbers, e: Numbers, clicked: Flags) -> tuple[Numbers, Numbers]:
    """How probably a place attracted and was examined: a click shows both, no click leaves either possible."""
    unclicked = np.maximum(1.0 - a * e, np.finfo(float).tiny)
    attracted = np.where(clicked, 1.0, a * (1.0 - e) / unclicked)
    return attracted, np.where(clicked, 1.0, e * (1.0 - a) / unclicked)


def _fit(log: ClickLog, settings: Settings, start: Fit | None, by: By) -> Fit:
    """Attraction a and examination e: a click has probability a e; equal places are taken together."""
    seen, shape = log.index(by)
    size = int(np.prod(shape))
    cells = cells_of(log, seen, size)

    def total(numbers: Codes, counted: Numbers, length: int) -> Numbers:
        return np.bincount(numbers, weights=cells.weight * counted, minlength=length).astype(np.float64, copy=False)

    shown = total(cells.pair, np.ones(len(cells.pair)), log.pairs)
    looks = total(cells.seen, np.ones(len(cells.pair)), size).reshape(shape)

    def expect(parameters: Parameters) -> tuple[Totals, float]:
        a, e = parameters[ATTRACTION][cells.pair], parameters[EXAMINATION].ravel()[cells.seen]
        attracted, examined = hidden(a, e, cells.clicked)
        totals = {
            ATTRACTION: (total(cells.pair, attracted, log.pairs), shown),
            EXAMINATION: (total(cells.seen, examined, size).reshape(shape), looks),
        }
        return totals, log_likelihood(a * e, cells.clicked, cells.weight)

    parameters = (ATTRACTS, Parameter(EXAMINATION, by, ""))
    return iterate(beginning(log, parameters, start), expect, settings)


def position_based(log: ClickLog, settings: Settings, start: Fit | None = None) -> Fit:
    """An item is clicked if its rank is examined and the item attracts."""
    return _fit(log, settings, start, "rank")


def user_browsing(log: ClickLog, settings: Settings, start: Fit | None = None) -> Fit:
    """As the position-based model, but examination depends on the rank of the last click too."""
    return _fit(log, settings, start, "rank and last click")


def _expecting(by: By) -> Callable[[Parameters, ClickLog], Expected]:
    def expect(parameters: Parameters, log: ClickLog) -> Expected:
        a, e = log.spread(parameters[ATTRACTION]), parameters[EXAMINATION].ravel()[log.index(by)[0]]
        attracted, examined = hidden(a, e, log.clicked)
        ones = np.ones(a.shape)
        events = {ATTRACTION: (attracted, ones), EXAMINATION: (examined, ones)}
        return Expected(events, log_likelihood(a * e, log.clicked, log.weight))

    return expect


def _clicks(parameters: Parameters, pages: Pages) -> Numbers:
    return pages.spread(parameters[ATTRACTION]) * parameters[EXAMINATION]


def _position_reach(parameters: Parameters, pages: Pages) -> Reach:
    examined = np.broadcast_to(parameters[EXAMINATION], pages.pair.shape)
    return Reach(np.where(pages.shown, examined, 0.0), _clicks(parameters, pages))


class Browsing:
    """Somebody whose attention depends on the rank of the last click."""

    def __init__(self, parameters: Parameters, pages: Pages) -> None:
        self.attraction, self.examination = pages.spread(parameters[ATTRACTION]), parameters[EXAMINATION]
        self.latest = np.zeros(len(pages.pair), dtype=np.int64)

    def click(self, rank: int) -> Numbers:
        """Attraction times examination at the rank, below the last click."""
        return np.asarray(self.attraction[:, rank] * self.examination[rank, self.latest])

    def observe(self, rank: int, clicked: Flags) -> None:
        """A click is the last one from now on."""
        self.latest = np.where(clicked, rank + 1, self.latest)


def _browsing_reach(parameters: Parameters, pages: Pages) -> Reach:
    """By the probability that each rank, or none, holds the last click above."""
    attraction, examination = pages.spread(parameters[ATTRACTION]), parameters[EXAMINATION]
    examined, clicked = np.zeros(attraction.shape), np.zeros(attraction.shape)
    latest = np.zeros((len(attraction), pages.depth + 1))
    latest[:, 0] = 1.0
    for rank in range(pages.depth):
        looks = latest[:, : rank + 1] * examination[rank, : rank + 1]
        examined[:, rank] = looks.sum(axis=1)
        clicks = looks * attraction[:, rank, None]
        clicked[:, rank] = clicks.sum(axis=1)
        latest[:, : rank + 1] -= clicks
        latest[:, rank + 1] = clicked[:, rank]
    return Reach(np.where(pages.shown, examined, 0.0), clicked)


declare(
    ClickModel(
        "pbm",
        "position-based model",
        paper="richardson2007",
        parameters=(ATTRACTS, Parameter(EXAMINATION, "rank", "the rank is examined")),
        fit=position_based,
        walk=lambda parameters, pages: Independent(_clicks(parameters, pages)),
        reach=_position_reach,
        relevance=(ATTRACTION,),
        expect=_expecting("rank"),
        one_scale=True,
        metrics={"uPBM": "utility"},
        assumed={EXAMINATION: lambda rank, _: 1.0 / rank},
    ),
    ClickModel(
        "ubm",
        "user browsing model",
        paper="dupret2008",
        parameters=(
            ATTRACTS,
            Parameter(EXAMINATION, "rank and last click", "the rank is examined below the last click, or below none"),
        ),
        fit=user_browsing,
        walk=Browsing,
        reach=_browsing_reach,
        relevance=(ATTRACTION,),
        expect=_expecting("rank and last click"),
        one_scale=True,
        metrics={"uUBM": "utility"},
        assumed={EXAMINATION: lambda rank, last: 1.0 / (rank - last) ** 0.5},
    ),
)
