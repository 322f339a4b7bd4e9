"""The declaration of a metric feeds the name parser, the help, the docs, chart limits, direction arrows and the tests."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass, field
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from plumbline.metrics.rules import Rule

K = TypeVar("K", bound="Callable[..., Any]")

Task = Literal["ranking", "filtering", "classification", "clustering", "organization"]
TASKS: Final[tuple[Task, ...]] = get_args(Task)
Needs = Literal["ranked", "counts", "scores", "answers", "labels", "clusters", "features", "distances", "relations"]
Average = Literal["mean", "sum", "geometric"]
Better = Literal["higher", "lower", "neither"]

NO_RELEVANT = "the gold has no relevant item there"
NEVER = ""
"""The reason of a metric that is always defined."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a metric: its kind, its rule and its default (`required` if it has none)."""

    name: str
    kind: type[int | float | str]
    default: int | float | str | None
    required: bool = False
    rule: Rule | None = None
    choices: tuple[str, ...] = ()

    def words(self) -> str:
        """What is allowed, to follow "must be"."""
        if self.choices:
            return " or ".join(self.choices)
        if self.kind is str:
            return "a text"
        number = "a whole number" if self.kind is int else "a number"
        return f"{number} {self.rule.words()}" if self.rule else number


@dataclass(frozen=True, eq=False)
class Metric:
    """Everything that is known about a metric, declared in the file that holds its kernel."""

    name: str
    task: Task
    kernel: Callable[..., Any]
    range: tuple[float | None, float | None]
    better: Better
    paper: str
    parameters: tuple[Parameter, ...]
    at: str | None = None
    empty: float | None = None
    average: Average = "mean"
    undefined: str = NO_RELEVANT
    linear: bool | Literal["whole lists"] = False
    """Whether the expectation over orders of equal scores is exact; perhaps only where a depth cuts no tie group."""
    text: bool = False
    needs: Needs = "ranked"
    """The view that the kernel reads."""
    ordered: bool = True
    """Whether the value depends on the order of a list."""
    combines: tuple[str, str] | None = None
    """The two metrics of the task whose F this one is, class by class."""
    single_label: bool = False
    """Whether it has a meaning only where every item has one label."""
    claims: tuple[str, ...] = ()
    """The constraints that it keeps, as `plumbline audit` calls them; it breaks all others."""
    aliases: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The first line of the kernel's docstring."""
        return inspect.getdoc(self.kernel).split("\n", 1)[0]  # type: ignore[union-attr]  # metric() demands one

    @property
    def explanation(self) -> str:
        """The rest of the docstring: the formula, then what surprises."""
        return inspect.getdoc(self.kernel).partition("\n")[2].strip()  # type: ignore[union-attr]  # metric() demands one

    @property
    def internal(self) -> bool:
        """Whether it looks at the items themselves instead of a gold."""
        return self.needs in {"features", "distances"}

    def own(self, arguments: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        """The arguments that the kernel takes itself; the others are settings of its view."""
        taken = inspect.signature(self.kernel).parameters
        return {name: value for name, value in arguments if name in taken}

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name, if there is one."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)


_METRICS: dict[tuple[Task, str], Metric] = {}


def metric(
    name: str,
    *,
    range: tuple[float | None, float | None],  # noqa: A002 - the word of the docs
    paper: str,
    task: Task = "ranking",
    better: Better = "higher",
    settings: tuple[Parameter, ...] = (),
    **facts: Any,  # noqa: ANN401 - the other fields of Metric, checked by it
) -> Callable[[K], K]:
    """Declare the decorated kernel as a metric; `settings` are parameters that its view understands."""

    def declare(kernel: K) -> K:
        if not kernel.__doc__ or (task, name) in _METRICS:
            message = f"{name} needs a docstring and a name of its own"
            raise ValueError(message)
        parameters = (*_parameters(kernel), *settings)
        _METRICS[task, name] = Metric(name, task, kernel, range, better, paper, parameters, **facts)
        return kernel

    return declare


def _parameters(kernel: Callable[..., Any]) -> tuple[Parameter, ...]:
    hints = get_type_hints(kernel, include_extras=True)
    signature = inspect.signature(kernel)
    return tuple(
        _parameter(name, hints[name], parameter.default)
        for name, parameter in signature.parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    )


def _parameter(name: str, hint: Any, default: Any) -> Parameter:  # noqa: ANN401 - a type hint
    if get_origin(hint) in {Union, UnionType}:
        hint = next(part for part in get_args(hint) if part is not NoneType)
    required = default is inspect.Parameter.empty
    value = None if required else default
    if get_origin(hint) is Literal:
        return Parameter(name, str, value, required, choices=get_args(hint))
    rules = getattr(hint, "__metadata__", ())
    kind = get_args(hint)[0] if rules else hint
    return Parameter(name, kind, value, required, rules[0] if rules else None)


@cache
def all_metrics(task: Task = "ranking") -> dict[str, Metric]:
    """Every metric of a task by its name, in alphabetical order; the folder of the task is walked, those of others are not."""
    for package in ("plumbline.metrics", f"plumbline.metrics.{task}"):
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            if not module.ispkg:
                importlib.import_module(module.name)
    own = {name: metric for (of, name), metric in _METRICS.items() if of == task}
    return dict(sorted(own.items(), key=lambda pair: pair[0].lower()))
