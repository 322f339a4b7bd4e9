"""What a kernel returns: the terms that add up to a score, and what their sum is divided by; and F of two scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from plumbline.schema import WEIGHT

if TYPE_CHECKING:
    from polars._typing import IntoExpr

    from plumbline.views.cascade import Cascade


@dataclass(frozen=True)
class Terms:
    """`sum(each) / over`, defined only `given` a condition on the case.

    `each` has one value per judged item shown; `over` and `given` have one value per list.
    """

    each: pl.Expr
    over: IntoExpr = 1.0
    given: pl.Expr | None = None
    cascade: Cascade | None = None
    """What the score is if it is a cascade, whose expectation over equal scores is exact."""

    def total(self) -> pl.Expr:
        """The sum of the terms; where equal scores leave a rank open, each term counts with its probability."""
        return (self.each * pl.col(WEIGHT)).sum()

    def divisor(self) -> pl.Expr:
        """What the sum is divided by."""
        return self.over if isinstance(self.over, pl.Expr) else pl.lit(self.over)

    def score(self) -> pl.Expr:
        """The value of the metric for one list."""
        return self.total() / self.divisor()

    def defined(self) -> pl.Expr:
        """Whether the case allows a value at all, whatever the system did."""
        return self.divisor().is_not_null() if self.given is None else self.given


@dataclass(frozen=True)
class Value:
    """A score that is no sum over items: a maximum, a yes or no, a count."""

    value: pl.Expr
    given: pl.Expr | None = None
    cascade: Cascade | None = None
    """What the score is if it is a cascade, whose expectation over equal scores is exact."""

    def score(self) -> pl.Expr:
        """The value of the metric for one list."""
        return self.value

    def defined(self) -> pl.Expr:
        """Whether the case allows a value at all, whatever the system did."""
        return pl.lit(value=True) if self.given is None else self.given


def harmonic(first: pl.Expr, second: pl.Expr, alpha: float) -> pl.Expr:
    """F of two values: 0 as soon as one is 0, undefined if one is undefined and the other is not 0, or if one is below 0.

    A part of weight 0 has no say.
    """
    if alpha in (0.0, 1.0):
        return first if alpha == 1.0 else second
    zero = (first == 0).fill_null(value=False) | (second == 0).fill_null(value=False)
    mean = 1.0 / (alpha / first + (1.0 - alpha) / second)
    return pl.when(zero).then(0.0).when((first >= 0) & (second >= 0)).then(mean)
