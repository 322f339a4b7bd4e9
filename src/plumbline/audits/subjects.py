"""What is audited, a metric by its name or a function of the user, and the scores it gives to small outputs."""

from __future__ import annotations

import inspect
import re
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.errors import BadData, BadUsage, audits
from plumbline.metrics.measure import Combined
from plumbline.metrics.names import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from plumbline.audits.scenes.scene import Scene
    from plumbline.metrics.measure import Measure
    from plumbline.metrics.registry import Better, Metric, Parameter

    Values = NDArray[np.float64]

UNSEEN: Final = {
    "scores": "it needs scores of items",
    "features": "it needs features of items",
    "distances": "it needs distances of items",
}
"""What small outputs do not have, and why a metric that needs it cannot be audited."""
TRIED: Final = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.5, 2.0, 4.0, 10.0)
"""The values of a parameter that are tried, as far as it allows them."""
MODULE: Final = re.compile(r"[\w.]*:[\w.]*")


@dataclass(frozen=True)
class Variant:
    """A metric with another value of one parameter."""

    parameter: str
    value: float
    subject: Subject


@dataclass(frozen=True)
class Registered:
    """A metric of plumbline."""

    measure: Measure
    task: str

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
        """The metric with every value of every numeric parameter."""
        if isinstance(self.measure, Combined):
            first, second = self.measure.first, self.measure.second
            yield from self._with("alpha", f"F({first.name},{second.name},alpha={{}})")
            return
        bound = dict(self.measure.arguments)
        for parameter in self.measure.metric.parameters:
            if parameter.kind is not str and parameter.name != self.measure.metric.at:
                others = ",".join(f"{name}={value}" for name, value in bound.items() if _is_bound(value, parameter, name))
                yield from self._with(
                    parameter.name, f"{self.measure.metric.name}({others}{',' if others else ''}{parameter.name}={{}})"
                )

    def _with(self, parameter: str, name: str) -> Iterator[Variant]:
        for value in TRIED:
            try:
                measure = parse(name.format(f"{value:g}"), task=self.task)
            except BadUsage:
                continue
            yield Variant(parameter, value, Registered(measure, self.task))


def _is_bound(value: object, parameter: Parameter, name: str) -> bool:
    return value is not None and name != parameter.name


@dataclass(frozen=True)
class UserFunction:
    """A function that the user gave."""

    function: Callable[..., Any]
    name: str
    better: Better = "higher"
    overlaps: bool = True

    def variants(self) -> Iterator[Variant]:
        """The function with every value of every parameter that has a number as default; whole numbers where that is whole."""
        for parameter, default in _numeric_defaults(self.function).items():
            for value in TRIED:
                if isinstance(default, float) or value.is_integer():
                    bound = partial(self.function, **{parameter: type(default)(value)})
                    yield Variant(parameter, value, UserFunction(bound, f"{self.name}({parameter}={value:g})", self.better))


def _numeric_defaults(function: Callable[..., Any]) -> dict[str, int | float]:
    """Its parameters that have a number as default; none for built-in functions without a signature."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return {}
    named = [one for one in parameters if one.kind in {one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD}]
    return {one.name: one.default for one in named if type(one.default) in {int, float}}


Subject = Registered | UserFunction


def registered(name: str, task: str) -> Registered:
    """A metric that can be audited, by its name."""
    measure = parse(name, task=task)
    if measure.better == "neither":
        raise BadUsage(audits.cannot_audit(measure.name, "neither direction is better"))
    for part in measure.parts:
        if not is_auditable(part.metric):
            raise BadUsage(audits.cannot_audit(measure.name, UNSEEN[part.metric.needs]))
    return Registered(measure, task)


def is_auditable(metric: Metric) -> bool:
    """Whether small outputs have everything that a metric looks at."""
    return metric.needs not in UNSEEN


def is_function(given: object) -> bool:
    """Whether it is a function or names one; names of metrics may have colons in parentheses."""
    return callable(given) or (isinstance(given, str) and MODULE.fullmatch(given) is not None)


def load_function(name: str, signature: str) -> Callable[..., Any]:
    """The function that `module:function` names; modules of the current folder can be imported."""
    module, _, path = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        with redirect_stdout(sys.stderr):  # results go to stdout, and nothing else
            function: Any = import_module(module)
        for part in path.split("."):
            function = getattr(function, part)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - anything can happen in a module of somebody else
        raise BadUsage(audits.cannot_load(name, f"{type(error).__name__}: {error}", signature)) from None
    if not callable(function):
        raise BadUsage(audits.cannot_load(name, "it is not a function", signature))
    return function  # type: ignore[no-any-return]  # whatever can be called


def task_for(functions: Iterable[Callable[..., Any]], scenes: Iterable[Scene]) -> str | None:
    """The task whose functions have these parameters, by their names or else by their number; None if that is ambiguous."""
    wanted = {tuple(scene.parameters): scene.task for scene in scenes}
    tasks = {_task_of(_required_parameters(function), wanted) for function in functions}
    return tasks.pop() if len(tasks) == 1 else None


def _required_parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return ()
    positional = [one for one in parameters if one.kind in {one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD}]
    return tuple(one.name for one in positional if one.default is one.empty)


def _task_of(parameters: tuple[str, ...], wanted: dict[tuple[str, ...], str]) -> str | None:
    if parameters in wanted:
        return wanted[parameters]
    alike = [task for names, task in wanted.items() if len(names) == len(parameters)]
    return alike[0] if len(alike) == 1 else None


def scored(subjects: Sequence[Subject], scene: Scene, worlds: Sequence[Any]) -> dict[str, Values]:
    """By the name of the subject a score for each world, NaN where it is undefined; all metrics are computed at once."""
    measures = [subject.measure for subject in subjects if isinstance(subject, Registered)]
    called = {subject.name: _called(subject, scene, worlds) for subject in subjects if isinstance(subject, UserFunction)}
    return (scene.values(worlds, measures) if measures and worlds else {}) | called


def _called(subject: UserFunction, scene: Scene, worlds: Sequence[Any]) -> Values:
    with redirect_stdout(sys.stderr):  # results go to stdout, and nothing else
        return np.array([_value(subject, scene, world) for world in worlds], dtype=np.float64)


def _value(subject: UserFunction, scene: Scene, world: Any) -> float:  # noqa: ANN401 - the form depends on the task
    try:
        value = subject.function(*scene.arguments(world))
    except ZeroDivisionError:
        return np.nan
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise BadData(audits.fails(subject.name, scene.drawn(world), reason, scene.signature)) from error
    number = _number(value)
    if number is None or np.isinf(number):
        raise BadData(audits.no_number(subject.name, scene.drawn(world), repr(value)))
    return number


def _number(value: Any) -> float | None:  # noqa: ANN401 - what a function of somebody else returns
    """The value as a number: NaN for None, and None for anything that is not a number, such as text."""
    if value is None:
        return np.nan
    try:
        return None if isinstance(value, (str, bytes)) or np.iscomplexobj(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
