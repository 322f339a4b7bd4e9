"""Functions that combine two scores into one, and the axioms that each claims."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Final

from plumbline.audits.subjects import UserFunction
from plumbline.errors import BadUsage, audits, usage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ANY: Final = ("connectedness", "monotonicity", "restricted solvability", "essential components")
_ADDITIVE: Final = (*_ANY, "independence", "Thomsen condition")
_BALANCED: Final = "decreasing marginal effectiveness"
_NAME: Final = re.compile(r"\s*(\w+)\s*(?:\(\s*(\w+)\s*=\s*([^()]*?)\s*\))?\s*")


@dataclass(frozen=True)
class Combination:
    """A named function of two scores."""

    name: str
    function: Callable[..., float]
    claims: tuple[str, ...]
    weighted: bool

    @property
    def text(self) -> str:
        """What it is, in a sentence."""
        return (self.function.__doc__ or "").partition("\n")[0]


COMBINATIONS: Final[dict[str, Combination]] = {}
"""By the name, in the order of their declarations."""


def combination(
    name: str, *, claims: Sequence[str], weighted: bool = False
) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """Declare a function of two scores; `weighted`: it takes alpha, the weight of the first."""

    def declare(function: Callable[..., float]) -> Callable[..., float]:
        COMBINATIONS[name] = Combination(name, function, tuple(claims), weighted)
        return function

    return declare


@combination("F", claims=(*_ADDITIVE, _BALANCED), weighted=True)
def harmonic(first: float, second: float, *, alpha: float = 0.5) -> float:
    """The weighted harmonic mean, 0 if a score is 0."""
    return 1 / (alpha / first + (1 - alpha) / second) if first and second else 0.0


@combination("arithmetic", claims=(*_ADDITIVE, "independence, with zeros"), weighted=True)
def arithmetic(first: float, second: float, *, alpha: float = 0.5) -> float:
    """The weighted arithmetic mean."""
    return alpha * first + (1 - alpha) * second


@combination("geometric", claims=(*_ADDITIVE, _BALANCED), weighted=True)
def geometric(first: float, second: float, *, alpha: float = 0.5) -> float:
    """The weighted geometric mean."""
    return sqrt(first * second) if alpha == 0.5 else first**alpha * second ** (1 - alpha)  # noqa: PLR2004 - equal weights


@combination("product", claims=(*_ADDITIVE, _BALANCED))
def product(first: float, second: float) -> float:
    """The product, as of Reliability and Sensitivity in R*S."""
    return first * second


@combination("maximum", claims=_ANY)
def maximum(first: float, second: float) -> float:
    """The larger score."""
    return max(first, second)


@combination("minimum", claims=(*_ANY, _BALANCED))
def minimum(first: float, second: float) -> float:
    """The smaller score."""
    return min(first, second)


def is_combination(given: object) -> bool:
    """Whether it names one of them; `F` and its weight may be meant, but never a mean of two named metrics."""
    read = _NAME.fullmatch(given) if isinstance(given, str) else None
    return read is not None and read[1] in COMBINATIONS and read[2] in {None, "alpha"}


def named_combination(name: str) -> UserFunction:
    """One of them by its name, such as `F` or `F(alpha=0.2)`.

    Raises:
        BadUsage: If there is none of this name, or alpha is not strictly between 0 and 1.
    """
    read = _NAME.fullmatch(name)
    one = COMBINATIONS.get(read[1]) if read else None
    if read is None or one is None or (read[2] is not None and (read[2] != "alpha" or not one.weighted)):
        raise BadUsage(audits.unknown_combination(name, list(COMBINATIONS)))
    if read[2] is None:
        return UserFunction(one.function, one.name)
    try:
        alpha = float(read[3])
    except ValueError:
        alpha = 0.0
    if not 0 < alpha < 1:
        raise BadUsage(usage.bad_parameter(one.name, "alpha", read[3], "a number between 0 and 1, which are not allowed"))
    return UserFunction(partial(one.function, alpha=alpha), f"{one.name}(alpha={alpha:g})")
