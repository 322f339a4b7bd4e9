"""What one measure says about a pair of systems, and how differences and p-values are printed."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.render.grid import UNDEFINED, Cell, Grid, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TINY: Final = 0.001
"""A smaller p is only called smaller."""
_MOST_DIGITS: Final = 8
NO_BOUND: Final = "too few draws for a p"
"""What is printed if no draw reached the difference, and there are so few that p may still be anything."""


@dataclass(frozen=True)
class Finding:
    """What one measure says about a pair: the difference of the first system and the second one.

    Attributes:
        measure: The metric, or the score that combines all of them.
        difference: Of the means, in the unit of the metric; None if there is nothing to compare.
        low: The lower end of its 95 % confidence interval; None if there is none.
        high: The upper end.
        lowest: The lowest difference of a case, where there are too few cases for an interval; else None.
        highest: The highest one.
        relative: The difference as a share of the second system's mean; None if that mean is 0.
        p: After correction; None if the pair was not tested, or no test is possible.
        at_most: Whether the draws only show that p is not larger.
        better: 1 if the first system is better on average, -1 if the second one is, 0 if neither is.
        level: A difference is significant below this p.
        detectable: The difference that could have been shown with a power of 80 %; None if that is not known, infinite if even
            the largest one that the metric allows could not.
        digits: How many decimals the difference is printed with.
        doubt: What speaks against a significant difference; empty if nothing does.
    """

    measure: str
    difference: float | None
    low: float | None
    high: float | None
    relative: float | None
    p: float | None
    at_most: bool
    better: int
    level: float
    detectable: float | None
    digits: int
    doubt: str = ""
    lowest: float | None = None
    highest: float | None = None

    @property
    def significant(self) -> bool:
        """Whether chance alone would hardly make such a difference."""
        return self.p is not None and self.p < self.level

    @property
    def winner(self) -> int:
        """1 if the first system is shown to be better, -1 if the second one is, else 0."""
        return self.better if self.significant and not self.doubt else 0

    def __str__(self) -> str:
        return f"{self.measure} {self.amount}"

    @property
    def amount(self) -> str:
        """`+0.021 [0.012, 0.030] or +8.4 %, p < 0.001`, and what speaks against it."""
        if self.difference is None:
            return "has no common value"
        doubt = f", but {self.doubt}" if self.doubt else ""
        ends = f" (cases from {self.of_cases})" if self.of_cases else self.around()
        return f"{signed(self.difference, self.digits)}{ends}{self._percent()}, {self.chance}{doubt}"

    def around(self) -> str:
        """` [0.012, 0.030]`, the interval; or ` (-0.010 to 0.060)`, the range of cases, where there is none."""
        known = self.low is not None and self.high is not None
        return f" [{number(self.low, self.digits)}, {number(self.high, self.digits)}]" if known else self.beside

    @property
    def interval(self) -> str:
        """`0.012 to 0.030` for a column of intervals; empty without one."""
        return self._range(self.low, self.high)

    @property
    def of_cases(self) -> str:
        """`-0.010 to 0.060`, the lowest and the highest difference of a case; empty if there is an interval."""
        return self._range(self.lowest, self.highest)

    @property
    def beside(self) -> str:
        """` (-0.010 to 0.060)`, the same after a difference."""
        return f" ({self.of_cases})" if self.of_cases else ""

    def _range(self, low: float | None, high: float | None) -> str:
        return "" if low is None or high is None else f"{number(low, self.digits)} to {number(high, self.digits)}"

    def _percent(self) -> str:
        return "" if self.relative is None else f" or {signed(100 * self.relative, 1)} %"

    @property
    def chance(self) -> str:
        """The p-value in words."""
        if self.p is None:
            return "not tested"
        if self.p < _TINY <= self.level:
            return "p < 0.001"
        if self.at_most and self.p >= 1:
            return NO_BOUND
        return f"p {'≤' if self.at_most else '='} {_digits(self.p, self.level)}"


def signed(value: float, digits: int) -> str:
    """A difference with its sign; 0 has none."""
    text = f"{'+' if value > 0 else ''}{number(value, digits)}"
    return text.lstrip("+-") if float(text) == 0 else text


def decimals(low: float, high: float, scale: float) -> int:
    """How many decimals a difference is printed with: as many as its interval can tell apart, three or more for shares.

    There are more if an interval that excludes 0 would seem to begin or to end there.
    """
    least = 3 if scale <= 1.5 else 1 if scale <= 150 else 0  # noqa: PLR2004 - shares, per cents, and larger numbers
    half_width = abs(high - low) / 2
    if not 0 < half_width < np.inf:
        return least
    nearest = min(abs(low), abs(high)) if low * high > 0 else np.inf
    enough = range(max(least, ceil(-log10(half_width))), _MOST_DIGITS)
    return next((digits for digits in enough if float(f"{nearest:.{digits}f}") > 0), _MOST_DIGITS)


def _digits(p: float, level: float) -> str:
    """Two digits, or as many as it takes to stay on its side of the level: 0.04999 is not shown as 0.05."""
    return sided(p, level, (f"{p:.{digits}g}" for digits in range(2, 18)))


def sided(p: float, level: float, candidates: Iterable[str]) -> str:
    """The first text that says on which side of the level p is; one such as `<0.0001` says so if it ends there."""
    for text in candidates:
        bound = text.startswith("<")
        if (p < level and float(text[1:]) <= level) if bound else (float(text) < level) == (p < level):
            return text
    return f"{p}"


def weight_text(weight: float) -> str:
    """A weight between 0 and 1, with as many digits as it takes not to become one of them."""
    texts = (f"{weight:.{digits}g}" for digits in range(3, 18))
    return next((text for text in texts if 0 < float(text) < 1), f"{weight:g}")


def weight_range(low: float, high: float) -> str:
    """Weights of the first metric in words."""
    if low <= 0 and high >= 1:
        return "above 0 and below 1"
    if low <= 0:
        return f"below {weight_text(high)}"
    text = weight_text(low)
    return f"above {text}" if high >= 1 else f"between {text} and {weight_text(high)}"


def relative(difference: float, mean: float) -> float | None:
    """A difference as a share of a mean; None where there is no such share."""
    share = difference / mean if mean > 0 else np.inf
    return share if np.isfinite(share) else None


def with_amounts(findings: Sequence[Finding]) -> str:
    """`AP (+0.021 [0.012, 0.030], p < 0.001) and P@10 (...)`."""
    return _listed([f"{finding.measure} ({finding.amount})" for finding in findings])


def names_of(findings: Sequence[Finding]) -> str:
    """`AP, P@10 and RR`."""
    return _listed([finding.measure for finding in findings])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def findings_grid(named: Iterable[tuple[str, Finding, str]]) -> Grid:
    """Findings as a table for notebooks: a row for each, with the name of the system and a word about it."""
    rows = []
    for name, of, word in named:
        difference = UNDEFINED if of.difference is None else f"{signed(of.difference, of.digits)}{of.beside}"
        texts = (name, of.measure, difference, of.interval, of.chance.removeprefix("p = ").removeprefix("p "), word)
        rows.append(tuple(Cell(text, best=of.winner != 0 and text is difference) for text in texts))
    return Grid(("system", "metric", "difference", "95 %", "p", ""), tuple(rows), keep=2)
