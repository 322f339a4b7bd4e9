"""Names are values: what is printed can be typed back, and a printed name carries every parameter that is not the default."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from plumbline.lazily import pattern
from plumbline.records import dataclass

if TYPE_CHECKING:
    from plumbline.metrics.registry import Average, Better, Metric

_NEEDS_QUOTES: Final = pattern(r"[,()=@'\"]|^\s|\s$|^$")
_MANY_DIGITS: Final = 10
_TINY: Final = 1e-12
HALF: Final = 0.5
"""The weight of both parts of an F unless another is given."""


@dataclass(frozen=True)
class Single:
    """A metric with all its parameters bound."""

    metric: Metric
    arguments: tuple[tuple[str, Any], ...]
    typed: str = field(compare=False)
    """The name as it was typed."""

    @cached_property
    def name(self) -> str:
        """The canonical name."""
        bound = dict(self.arguments)
        at = bound.pop(self.metric.at, None) if self.metric.at else None
        changed = [
            weight_text(bound["alpha"])
            if parameter.name == "alpha" and self.metric.combines
            else f"{parameter.name}={_written(bound[parameter.name])}"
            for parameter in self.metric.parameters
            if parameter.name in bound and bound[parameter.name] != parameter.default
        ]
        inside = f"({','.join([*(self.metric.combines or ()), *changed])})" if changed or self.metric.combines else ""
        return f"{self.metric.name}{inside}" + ("" if at is None else f"@{_written(at)}")

    @property
    def parts(self) -> tuple[Single, ...]:
        """The single measures whose values are needed."""
        return (self,)

    @property
    def better(self) -> Better:
        """Which direction is better."""
        return self.metric.better

    @property
    def average(self) -> Average:
        """How values of cases become one."""
        return self.metric.average

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Combined:
    """F: the weighted harmonic mean of two measures, per case; alpha weighs the first. Each may be an F itself."""

    first: Measure
    second: Measure
    alpha: float
    typed: str = field(compare=False)
    """The name as it was typed."""

    @cached_property
    def name(self) -> str:
        """The canonical name."""
        weight = "" if self.alpha == HALF else f",{weight_text(self.alpha)}"
        return f"F({self.first.name},{self.second.name}{weight})"

    @property
    def parts(self) -> tuple[Single, ...]:
        """The single measures whose values are needed."""
        return (*self.first.parts, *self.second.parts)

    @property
    def better(self) -> Better:
        """Which direction is better: that of both parts, or neither if they point in different ones."""
        return self.first.better if self.first.better == self.second.better else "neither"

    @property
    def average(self) -> Average:
        """How values of cases become one."""
        return "mean"

    def __str__(self) -> str:
        return self.name


Measure = Single | Combined


def weight_text(alpha: float) -> str:
    """The weight of the first part of F: as beta if that is a whole number and alpha has many digits, as with beta=5."""
    beta = round(sqrt(1.0 / alpha - 1.0)) if alpha > _TINY else 0
    many = len(repr(alpha)) > _MANY_DIGITS
    return f"beta={beta}" if many and 1.0 / (1 + beta * beta) == alpha else f"alpha={_written(alpha)}"


def _written(value: object) -> str:
    text = str(value)
    if isinstance(value, str):
        return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
    return text.removesuffix(".0") if isinstance(value, float) else text
