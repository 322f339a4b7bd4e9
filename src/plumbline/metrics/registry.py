"""The declaration of a metric feeds the name parser, the help, the docs, chart limits, direction arrows and the tests."""

from __future__ import annotations

import inspect
from dataclasses import field, fields, is_dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from plumbline.declarations import import_all, module_texts
from plumbline.deferred import deferring, later
from plumbline.records import dataclass
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from plumbline.metrics.rules import Rule

K = TypeVar("K", bound="Callable[..., Any]")

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
    samples: tuple[int | float | str, ...] = ()
    """Values that the tests try, where those of the rule would not do."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """The option of `evaluate` that a choice cannot do without."""

    def tried(self) -> tuple[int | float | str, ...]:
        """The values that the tests of every metric try: the declared samples, all choices, or those of the rule."""
        if self.choices and not self.samples:
            return tuple(choice for choice in self.choices if choice not in self.inputs)
        return self.samples or tuple(self.kind(value) for value in (self.rule.samples() if self.rule else ()))

    def allowed(self) -> str:
        """What is allowed, to follow "must be"."""
        if self.choices:
            return " or ".join(self.choices)
        if self.kind is str:
            return "a text"
        number = "a whole number" if self.kind is int else "a number"
        return f"{number} {self.rule.description()}" if self.rule else number


@deferring("parameters")
@dataclass(frozen=True, eq=False)
class Metric:
    """A metric as it is declared in the file that holds its formula.

    Metrics are made by the decorator `metric` and found by `all_metrics`; a metric with all its parameters set is a
    measure, which `parse` makes from a name.

    Attributes:
        name: The name that people type and read.
        task: The task that it belongs to; each task may have its own `P`.
        kernel: The function that computes it from a view of the task.
        range: The lowest and the highest value; None where there is no bound.
        better: Whether higher or lower values are better, or neither.
        paper: The key of the paper in references.bib.
        parameters: Its parameters, in the order in which a name prints them.
        at: The parameter that `@` sets, such as k in `P@10`.
        empty: The value of an empty list where the formula has none.
        average: How the values of cases become one value.
        undefined: The reason why a case may have no value; empty if every case has one.
        linear: For rankings, whether the expectation over orders of equal scores is exact; for some only where a depth cuts no
            tie group, and for a cascade by a recursion. For labels, whether the value is linear in how often each answer was
            given, while the gold is fixed.
        text: Whether the value is a text.
        needs: The view that the kernel reads.
        ordered: Whether the value depends on the order of a list.
        combines: The two metrics of the task whose F this one is, class by class.
        single_label: Whether it has a meaning only where every item has one label.
        claims: The constraints that it keeps, as `plumbline audit` names them; it breaks all others.
        aliases: Names that stand for this metric, with the parameters that each sets.
        elsewhere: The names that other programs have for it.
        ideal_below_best: Why the ideal output may stay below the best value of the range; empty if it always reaches it.
        ideal_can_be_beaten: Why another output may score better than the ideal one; empty if none does.
        across_cases: Whether the value of a case depends on the gold of other cases, as on the top grade of all.
        symmetric: Whether gold and output can be exchanged without changing the value.
        error_of: The metric whose error from drawing judged items this is; it is no score, and is not compared.

    Example:
        >>> import plumbline
        >>> metric = plumbline.all_metrics()["AP"]
        >>> metric.title
        'Mean of the precision at each relevant item.'
        >>> metric.range, metric.better
        ((0, 1), 'higher')
        >>> [parameter.name for parameter in metric.parameters]
        ['k', 'rel']
    """

    name: str
    task: str
    kernel: Callable[..., Any]
    range: tuple[float | None, float | None]
    better: Better
    paper: str
    parameters: tuple[Parameter, ...]
    at: str | None = None
    empty: float | None = None
    average: Average = "mean"
    undefined: str = NO_RELEVANT
    linear: bool | Literal["full lists", "cascade"] = False
    text: bool = False
    needs: str = "ranked"
    ordered: bool = True
    combines: tuple[str, str] | None = None
    single_label: bool = False
    claims: tuple[str, ...] = ()
    aliases: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    ideal_below_best: str = ""
    ideal_can_be_beaten: str = ""
    across_cases: bool = False
    symmetric: bool = False
    error_of: str = ""

    @property
    def title(self) -> str:
        """The first line of the kernel's docstring."""
        return inspect.getdoc(self.kernel).split("\n", 1)[0]  # type: ignore[union-attr]  # metric() demands one

    @property
    def explanation(self) -> str:
        """The rest of the docstring: the formula, then anything surprising."""
        return inspect.getdoc(self.kernel).partition("\n")[2].strip()  # type: ignore[union-attr]  # metric() demands one

    @property
    def internal(self) -> bool:
        """Whether it looks at the items themselves instead of a gold."""
        return self.needs in {"features", "distances"}

    @cached_property
    def _takes(self) -> frozenset[str]:
        """The names of the kernel's parameters."""
        return frozenset(inspect.signature(self.kernel).parameters)

    @cached_property
    def _applied(self) -> dict[tuple[tuple[str, Any], ...], dict[str, Any]]:
        """What the kernel was called with, by the arguments that were given."""
        return {}

    @cached_property
    def _records(self) -> dict[str, type]:
        """The parameters of the kernel that are records of settings, such as how relations weigh."""
        hints = get_type_hints(self.kernel)
        _view, *others = inspect.signature(self.kernel).parameters
        return {name: hints[name] for name in others if isinstance(hints[name], type) and is_dataclass(hints[name])}

    def kernel_arguments(self, arguments: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        """The arguments that the kernel takes itself, alone or in a record; the others are settings of its view.

        Args:
            arguments: Names and values of parameters of the metric.

        Returns:
            The keyword arguments of the kernel.
        """
        given = dict(arguments)
        records = {
            name: record(**{key: value for key, value in given.items() if key in {known.name for known in fields(record)}})
            for name, record in self._records.items()
        }
        return {**{name: value for name, value in given.items() if name in self._takes}, **records}

    def apply(self, view: object, arguments: Iterable[tuple[str, Any]]) -> Any:  # noqa: ANN401 - what kernels of its task return
        """Call the kernel.

        Args:
            view: The view that the metric needs.
            arguments: Names and values of its parameters.

        Returns:
            What kernels of the task return: terms, or an expression.
        """
        given = tuple(arguments)
        if given not in self._applied:
            self._applied[given] = self.kernel_arguments(given)
        return self.kernel(view, **self._applied[given])

    def parameter(self, name: str) -> Parameter | None:
        """Find a parameter.

        Args:
            name: The name of the parameter.

        Returns:
            The parameter; None if there is none of this name.
        """
        return next((parameter for parameter in self.parameters if parameter.name == name), None)


_METRICS: dict[tuple[str, str], Metric] = {}
"""Every declared metric by task and name."""


def metric(
    name: str,
    *,
    range: tuple[float | None, float | None],  # noqa: A002 - the word of the docs
    paper: str,
    task: str = "ranking",
    better: Better = "higher",
    settings: tuple[Parameter, ...] = (),
    samples: Mapping[str, tuple[int | float | str, ...]] | None = None,
    **facts: Any,  # noqa: ANN401 - the other fields of Metric, checked by it
) -> Callable[[K], K]:
    """Declare the decorated kernel as a metric.

    `settings` are parameters that its view understands; `samples` are values of parameters that the tests try, where those
    that follow from the type of the parameter would not do.
    """

    def declare(kernel: K) -> K:
        if not kernel.__doc__ or (task, name) in _METRICS:
            message = f"{name} needs a docstring and a name of its own"
            raise ValueError(message)
        given = samples or {}
        parameters: tuple[Parameter, ...] = later(
            lambda: tuple(
                replace(parameter, samples=given.get(parameter.name, parameter.samples))
                for parameter in (*_parameters(kernel), *settings)
            )
        )
        _METRICS[task, name] = Metric(name, task, kernel, range, better, paper, parameters, **facts)
        _in_order.cache_clear()
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


def all_metrics(task: str = "ranking") -> dict[str, Metric]:
    """Every metric of a task by its name, in alphabetical order.

    Args:
        task: The name of a task, such as `filtering`.

    Returns:
        The metrics by their names; those that were declared since the last call are among them.

    Raises:
        BadUsage: If there is no such task.

    Example:
        >>> import plumbline
        >>> "nDCG" in plumbline.all_metrics()
        True
        >>> list(plumbline.all_metrics("organization"))
        ['Rel', 'Sens']
    """
    _walk(task_named(task).name)
    return _in_order(task).copy()


def metrics_named(names: Sequence[str], task: str) -> tuple[Metric, ...] | None:
    """Some metrics of a task by their own names; None if one of them is no such name.

    Only the modules that declare them are imported, so that a small ranking does not wait for all metrics.
    """
    for name in names:
        if (task, name) not in _METRICS and not _import_declaration(name, task):
            return None
    return tuple(_METRICS[task, name] for name in names)


def _import_declaration(name: str, task: str) -> bool:
    """Import the module whose text declares a metric, if a task has one."""
    package = _package(task)
    for module, text in module_texts(package).items() if package else ():
        if any(f'@{metric.__name__}({space}"{name}"' in text for space in ("\n    ", "")):
            import_module(f"{package}.{module}")
    return (task, name) in _METRICS


@cache
def _in_order(task: str) -> dict[str, Metric]:
    """The metrics of a task that are declared so far, in alphabetical order."""
    of_task = {name: metric for (home, name), metric in _METRICS.items() if home == task}
    return dict(sorted(of_task.items(), key=lambda pair: pair[0].lower()))


def forget_metrics(task: str) -> None:
    """Forget the metrics of a task that is going to be unregistered; a folder of metrics is not imported again."""
    for name in all_metrics(task):
        del _METRICS[task, name]
    _in_order.cache_clear()


@cache
def _walk(task: str) -> None:
    """Import the folder of a task, if it has one, so that its metrics are declared; those of other tasks are left alone."""
    package = _package(task)
    if package:
        import_all(package)


@cache
def _package(task: str) -> str | None:
    """The folder of the metrics of a task; one that was registered elsewhere has none."""
    package = f"{__package__}.{task}"
    return package if find_spec(package) is not None else None
