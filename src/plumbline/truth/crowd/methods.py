"""Ways from votes to one label, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.crowd.votes import Fit

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.truth.crowd.votes import Votes

    Numbers = NDArray[np.float64]

MODULES: Final = ("dawid_skene", "glad", "mace")


@dataclass(frozen=True)
class Settings:
    """What a method may need beside votes."""

    values: Numbers
    """The number of each label."""
    smooth: float = 0.01
    rounds: int = 1000
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Method:
    """A way from votes to labels, as it is declared."""

    name: str
    title: str
    paper: str | None
    fit: Callable[[Votes, Settings], Fit]
    needs_numbers: bool = False
    needs_gold: bool = False

    @property
    def summary(self) -> str:
        """The first line about it."""
        return cleandoc(self.fit.__doc__ or "").split("\n", 1)[0]


_DECLARED: dict[str, Method] = {}


def aggregation(
    name: str, *, title: str, paper: str | None = None, needs_numbers: bool = False, needs_gold: bool = False
) -> Callable[[Callable[[Votes, Settings], Fit]], Callable[[Votes, Settings], Fit]]:
    """Declare the decorated function as a way from votes to labels."""

    def decorate(fit: Callable[[Votes, Settings], Fit]) -> Callable[[Votes, Settings], Fit]:
        if name in _DECLARED:
            message = f"the method {name} is declared twice"
            raise ValueError(message)
        _DECLARED[name] = Method(name, title, paper, fit, needs_numbers, needs_gold)
        return fit

    return decorate


@cache
def methods() -> dict[str, Method]:
    """Every method by its name."""
    for module in MODULES:
        import_module(f"plumbline.truth.crowd.{module}")
    return dict(_DECLARED)


@aggregation("majority", title="majority")
def majority(votes: Votes, _: Settings) -> Fit:
    """The label with the most votes; probabilities are shares of the votes."""
    return Fit(votes.shares)


@aggregation("mean", title="mean grade", needs_numbers=True)
def mean(votes: Votes, settings: Settings) -> Fit:
    """The mean of the grades."""
    return Fit(votes.shares, grades=votes.shares @ settings.values)


@aggregation("median", title="median grade", needs_numbers=True)
def median(votes: Votes, settings: Settings) -> Fit:
    """The middle one of the grades, or the mean of the two in the middle."""
    reached = np.cumsum(votes.shares, axis=1)
    tiny = 1e-9
    low = (reached >= 0.5 - tiny).argmax(axis=1)
    high = (reached > 0.5 + tiny).argmax(axis=1)
    return Fit(votes.shares, grades=(settings.values[low] + settings.values[high]) / 2)


@aggregation("weighted", title="votes weighted by accuracy on gold items", needs_gold=True)
def weighted(votes: Votes, _: Settings) -> Fit:
    """Votes weighted by how often an assessor is right on gold items, with one right and one wrong answer added."""
    gold = votes.known[votes.item]
    right = np.bincount(votes.assessor, weights=(gold == votes.label) & (gold >= 0), minlength=votes.assessors)
    asked = np.bincount(votes.assessor, weights=gold >= 0, minlength=votes.assessors)
    accuracy = (right + 1) / (asked + 2)
    sums = votes.weighed(accuracy[votes.assessor])
    total = sums.sum(axis=1, keepdims=True)
    return Fit(votes.with_known(np.where(total > 0, sums / np.where(total > 0, total, 1), 1 / votes.labels)))
