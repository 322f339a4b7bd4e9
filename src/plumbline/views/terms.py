"""What a kernel returns: the terms that add up to a score, and what their sum is divided by; and F of two scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.lazily import pl
from plumbline.records import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.views.cascade import Cascade
    from plumbline.views.ranked import Ranked

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Terms:
    """`sum(each) / over`, defined only `given` a condition on the case.

    `each` has one value per judged item shown; `over` and `given` have one value per list.
    """

    each: NDArray[np.floating[Any]] | Flags
    over: Numbers | float = 1.0
    given: Flags | None = None
    cascade: Cascade | None = None
    """What the score is if it is a cascade, whose expectation over equal scores is exact."""

    def score(self, lists: Ranked) -> Numbers:
        """The value for each list; where equal scores leave a rank open, each term counts with its probability."""
        return lists.total(self.each) / self.over

    def defined(self) -> Flags | bool:
        """Whether the case allows a value at all, whatever the system did."""
        return ~np.isnan(self.over) if self.given is None else self.given


@dataclass(frozen=True, eq=False)
class Value:
    """A score that is no sum over items: a maximum, a yes or no, a count."""

    value: NDArray[np.float64] | NDArray[np.object_]
    given: Flags | None = None
    cascade: Cascade | None = None
    """What the score is if it is a cascade, whose expectation over equal scores is exact."""

    def score(self, lists: Ranked) -> NDArray[np.float64] | NDArray[np.object_]:  # noqa: ARG002 - as that of Terms
        """The value of the metric for each list."""
        return self.value

    def defined(self) -> Flags | bool:
        """Whether the case allows a value at all, whatever the system did."""
        return True if self.given is None else self.given


def ratio(part: pl.Expr, total: pl.Expr) -> pl.Expr:
    """A share; null, which is undefined, where the whole is 0."""
    return pl.when(total != 0).then(part / total)


def harmonic(first: pl.Expr, second: pl.Expr, alpha: float) -> pl.Expr:
    """F of two values: 0 as soon as one is 0, undefined if one is undefined and the other is not 0, or if one is below 0.

    A part of weight 0 has no say.
    """
    if alpha in (0.0, 1.0):
        return first if alpha == 1.0 else second
    zero = (first == 0).fill_null(value=False) | (second == 0).fill_null(value=False)
    mean = 1.0 / (alpha / first + (1.0 - alpha) / second)
    return pl.when(zero).then(0.0).when((first >= 0) & (second >= 0)).then(mean)


def ratio_values(part: Numbers, total: Numbers) -> Numbers:
    """A share of arrays; NaN, which is undefined, where the whole is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total != 0, part / total, np.nan)


def harmonic_values(first: Numbers, second: Numbers, alpha: float) -> Numbers:
    """The same of arrays, in which what is undefined is NaN."""
    if alpha in (0.0, 1.0):
        return first if alpha == 1.0 else second
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = 1.0 / (alpha / first + (1.0 - alpha) / second)
        defined = np.where((first >= 0) & (second >= 0), mean, np.nan)
    return np.where((first == 0) | (second == 0), 0.0, defined)
