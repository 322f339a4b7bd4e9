"""Coefficients of agreement are declared where they live, in `coefficients`, with everything that people read about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.truth.agreement.ratings import Level
    from plumbline.truth.agreement.scales import Scale
    from plumbline.truth.agreement.tally import Tally

    Numbers = NDArray[np.float64]
    Terms = tuple[Numbers, Numbers]
    """How much answers differ, and how much they would differ by chance."""
    Function = Callable[[Tally, Scale], Terms]

MODULE: Final = "plumbline.truth.agreement.coefficients"
TINY: Final = 1e-12
"""If answers differ less by chance, chance explains everything."""
ALL: Final[tuple[Level, ...]] = ("nominal", "ordinal", "interval", "ratio", "sets")


@dataclass(frozen=True, eq=False)
class Coefficient:
    """A coefficient of agreement, as it is declared."""

    name: str
    title: str
    levels: tuple[Level, ...]
    """The levels for which it is shown."""
    chance: str
    """What agreement by chance is, in words."""
    paper: str
    undefined: str
    """Why it has no value, where it has none."""
    terms: Function
    """Disagreement, and disagreement by chance, from sums and a scale."""
    range: tuple[float, float] = (-1.0, 1.0)
    assessors: tuple[int, int | None] = (2, None)
    """The smallest and the largest number of assessors that it takes."""
    weighted: bool = False
    """Whether it gives partial credit to answers that are close."""
    corrected: bool = True
    """Whether agreement by chance is taken off."""

    @property
    def summary(self) -> str:
        """The first line about it."""
        return cleandoc(self.terms.__doc__ or "").split("\n", 1)[0]

    @property
    def formula(self) -> str:
        """What its documentation says after the first line."""
        return cleandoc(self.terms.__doc__ or "").partition("\n")[2].strip()

    def compute(self, tally: Tally, scale: Scale) -> Numbers:
        """One less the disagreement relative to that by chance; not a number where there is none by chance."""
        differ, by_chance = self.terms(tally, scale)
        usable = by_chance > TINY
        return np.asarray(1 - np.divide(differ, by_chance, out=np.full(differ.shape, np.nan), where=usable))

    def takes(self, assessors: int) -> bool:
        """Whether it can be computed of so many assessors."""
        least, most = self.assessors
        return assessors >= least and (most is None or assessors <= most)


_DECLARED: dict[str, Coefficient] = {}


def coefficient(  # noqa: PLR0913 - the fields of Coefficient
    name: str,
    *,
    title: str,
    chance: str,
    paper: str,
    undefined: str = "chance alone gives full agreement",
    levels: tuple[Level, ...] = ALL,
    assessors: tuple[int, int | None] = (2, None),
    range: tuple[float, float] = (-1.0, 1.0),  # noqa: A002 - as metrics have it
    weighted: bool = False,
    corrected: bool = True,
) -> Callable[[Function], Function]:
    """Declare the decorated function as a coefficient."""

    def decorate(function: Function) -> Function:
        if name in _DECLARED:
            message = f"the coefficient {name} is declared twice"
            raise ValueError(message)
        _DECLARED[name] = Coefficient(
            name, title, levels, chance, paper, undefined, function, range, assessors, weighted, corrected
        )
        return function

    return decorate


@cache
def coefficients() -> dict[str, Coefficient]:
    """Every coefficient by its name, in the order of their declaration."""
    import_module(MODULE)
    return dict(_DECLARED)


def coefficient_names() -> tuple[str, ...]:
    """The names of all coefficients."""
    return tuple(coefficients())
