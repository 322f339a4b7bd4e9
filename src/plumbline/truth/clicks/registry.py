"""Click models, each declared once in a module of `models/`, which is walked."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from plumbline.declarations import import_all
from plumbline.options.clicks import MODELS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import By, ClickLog, Pages

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

PACKAGE: Final = "plumbline.truth.clicks.models"

Parameters = dict[str, "Numbers"]


@dataclass(frozen=True)
class Settings:
    """What a fit may need beside the log."""

    prior: float = 1.0
    """Successes, and as many failures, that every parameter starts with."""
    rounds: int = 1000
    no_click: Literal["examined", "skip"] = "examined"
    """Whether a list without clicks counts as read to its end, in models that count instead of iterating, or not at all."""
    gamma: float | None = None
    """The persistence of DBN, if it is known."""
    fit: Literal["counted", "exact"] = "counted"
    """Whether models that can do both count or iterate."""


@dataclass(frozen=True)
class Parameter:
    """What a model estimates: a probability of each item, each rank, ..."""

    name: str
    by: By
    meaning: str


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters that fit a log, and how often each was observed."""

    parameters: Parameters
    counts: Parameters
    """Observations behind each parameter; in a model with hidden examinations, how many were possible."""
    successes: Parameters = field(default_factory=dict)
    """Of parameters that are shares of observations: how many these were."""
    objective: tuple[float, ...] = ()
    """What expectation maximisation makes larger, round by round: the log-likelihood plus the logarithm of the prior."""
    settled: bool = True

    @property
    def is_counted(self) -> bool:
        """Whether all parameters are shares of what was counted."""
        return bool(self.successes)

    @property
    def rounds(self) -> int:
        """How many rounds it took."""
        return len(self.objective)


@dataclass(frozen=True, eq=False)
class Reach:
    """Probabilities before any click is known, `[page, rank]`."""

    examined: Numbers
    clicked: Numbers


@dataclass(frozen=True, eq=False)
class Expected:
    """For each parameter, what is expected at each place, `[page, rank]`: trials, and how many of them succeed."""

    events: dict[str, tuple[Numbers, Numbers]]
    """Successes and trials."""
    log_likelihood: float


class Walk(Protocol):
    """Somebody who reads pages from the top."""

    def click(self, rank: int) -> Numbers:
        """The probability of a click at a rank, from 0, given what was observed above."""
        ...

    def observe(self, rank: int, clicked: Flags) -> None:
        """Remember what happened there."""
        ...


@dataclass(frozen=True, eq=False)
class ClickModel:
    """A click model, as it is declared."""

    name: str
    title: str
    paper: str
    parameters: tuple[Parameter, ...]
    fit: Callable[[ClickLog, Settings, Fit | None], Fit]
    """Fits a log; with an earlier fit, an iteration starts there."""
    walk: Callable[[Parameters, Pages], Walk]
    reach: Callable[[Parameters, Pages], Reach]
    expect: Callable[[Parameters, ClickLog], Expected] | None = None
    """What is expected of hidden events given all clicks, if the model is, or can be, fitted by expectation maximisation."""
    options: tuple[str, ...] = ()
    """The options `fit`, `no_click` and `gamma`, if they change something in this model."""
    relevance: tuple[str, ...] = ()
    """The parameters of an item whose product is its relevance; none if the model does not tell items apart."""
    one_scale: bool = False
    """Whether attraction and examination appear only as a product."""
    metrics: Mapping[str, Literal["utility", "effort"]] = field(default_factory=dict)
    """Metrics of rankings that follow from the model."""
    assumed: Mapping[str, Any] = field(default_factory=dict)
    """What simulations assume of parameters that are not of an item: a number, or a function of rank and last click."""

    @property
    def summary(self) -> str:
        """The first line about it."""
        return cleandoc(self.fit.__doc__ or "").split("\n", 1)[0]

    def parameter(self, name: str) -> Parameter:
        """The declaration of a parameter."""
        return next(one for one in self.parameters if one.name == name)


_DECLARED: dict[str, ClickModel] = {}


def declare(*models: ClickModel) -> None:
    """Add models; no two have the same name."""
    for one in models:
        if one.name in _DECLARED:
            message = f"the click model {one.name} is declared twice"
            raise ValueError(message)
        _DECLARED[one.name] = one


@cache
def click_models() -> dict[str, ClickModel]:
    """Every click model by its name, in the order of the option."""
    import_all(PACKAGE)
    return dict(sorted(_DECLARED.items(), key=lambda one: MODELS.index(one[0])))
