"""What is audited: a metric by its name, or a function of one's own."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, audits
from plumbline.metrics.measure import Combined
from plumbline.metrics.names import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plumbline.metrics.measure import Measure
    from plumbline.metrics.registry import Better, Metric, Parameter, Task

UNSEEN: Final = {
    "scores": "it needs scores of items",
    "features": "it needs features of items",
    "distances": "it needs distances of items",
}
TRIED: Final = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.5, 2.0, 4.0, 10.0)
"""The values of a parameter that are tried, as far as it allows them."""


@dataclass(frozen=True)
class Variant:
    """A metric with another value of one parameter."""

    parameter: str
    value: float
    subject: Subject


@dataclass(frozen=True)
class Registered:
    """A metric of the program."""

    measure: Measure
    task: Task

    @property
    def name(self) -> str:
        """The canonical name."""
        return self.measure.name

    @property
    def better(self) -> Better:
        """Which direction is better."""
        return self.measure.better

    @property
    def overlaps(self) -> bool:
        """Whether items may be in several clusters."""
        return not any(part.metric.single_label for part in self.measure.parts)

    def variants(self) -> Iterator[Variant]:
        """With every value of every parameter that is a number."""
        if isinstance(self.measure, Combined):
            first, second = self.measure.parts
            yield from self._with("alpha", f"F({first.name},{second.name},alpha={{}})")
            return
        bound = dict(self.measure.arguments)
        for parameter in self.measure.metric.parameters:
            if parameter.kind is not str and parameter.name != self.measure.metric.at:
                told = ",".join(f"{name}={value}" for name, value in bound.items() if _is_told(value, parameter, name))
                yield from self._with(
                    parameter.name, f"{self.measure.metric.name}({told}{',' if told else ''}{parameter.name}={{}})"
                )

    def _with(self, parameter: str, name: str) -> Iterator[Variant]:
        for value in TRIED:
            try:
                measure = parse(name.format(f"{value:g}"), task=self.task)
            except BadUsage:
                continue
            yield Variant(parameter, value, Registered(measure, self.task))


def _is_told(value: object, parameter: Parameter, name: str) -> bool:
    return value is not None and name != parameter.name


@dataclass(frozen=True)
class Own:
    """A function of one's own."""

    function: Callable[..., Any]
    name: str
    better: Better = "higher"
    overlaps: bool = True

    def variants(self) -> Iterator[Variant]:
        """With every value of every parameter that is a number unless told; whole numbers where that one is whole."""
        for parameter, default in _numbers(self.function).items():
            for value in TRIED:
                if isinstance(default, float) or value.is_integer():
                    bound = partial(self.function, **{parameter: type(default)(value)})
                    yield Variant(parameter, value, Own(bound, f"{self.name}({parameter}={value:g})", self.better))


def _numbers(function: Callable[..., Any]) -> dict[str, int | float]:
    """Its parameters that are numbers unless told; some that are built in do not tell theirs."""
    try:
        told = inspect.signature(function).parameters.values()
    except ValueError:
        return {}
    named = [one for one in told if one.kind in {one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD}]
    return {one.name: one.default for one in named if type(one.default) in {int, float}}


Subject = Registered | Own


def registered(name: str, task: Task) -> Registered:
    """A metric that can be audited, by its name."""
    measure = parse(name, task=task)
    if measure.better == "neither":
        raise BadUsage(audits.cannot_audit(measure.name, "neither direction is better"))
    for part in measure.parts:
        if not seen(part.metric):
            raise BadUsage(audits.cannot_audit(measure.name, UNSEEN[part.metric.needs]))
    return Registered(measure, task)


def seen(metric: Metric) -> bool:
    """Whether small outputs have all that a metric looks at."""
    return metric.needs not in UNSEEN
