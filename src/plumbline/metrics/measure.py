"""Names are values: what is printed can be typed back, and a printed name carries every parameter that is not the default."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from plumbline.metrics.registry import Average, Better, Metric

_NEEDS_QUOTES: Final = re.compile(r"[,()=@'\"]|^\s|\s$|^$")
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
            f"{parameter.name}={_written(bound[parameter.name])}"
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
        weight = "" if self.alpha == HALF else f",alpha={_written(self.alpha)}"
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


def _written(value: object) -> str:
    text = str(value)
    if isinstance(value, str):
        return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
    return text.removesuffix(".0") if isinstance(value, float) else text
