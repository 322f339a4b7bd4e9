"""Values of classes become one value of a list: averages, the value of one class, or of all classes together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plumbline.errors import BadUsage, usage
from plumbline.lazily import pl
from plumbline.metrics.measure import Single

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.metrics.measure import Measure


def average_of(single: Single) -> str | None:
    """How a measure averages classes; `class` if it is about one of them, None if it has no classes."""
    arguments = dict(single.arguments)
    return "class" if arguments.get("class") is not None else arguments.get("average")


def with_every_class(measures: list[Measure], classes: Sequence[str]) -> list[Measure]:
    """The measures, in which `average=none` has become one measure for each class."""
    expanded: list[Measure] = []
    for measure in measures:
        arguments: dict[str, Any] = dict(measure.arguments) if isinstance(measure, Single) else {}
        if not isinstance(measure, Single) or arguments.get("average") != "none":
            expanded.append(measure)
            continue
        default = measure.metric.parameter("average")
        for name in classes:
            of_class = {**arguments, "average": default.default if default else None, "class": name}
            expanded.append(Single(measure.metric, tuple(of_class.items()), f"{measure.typed}[{name}]"))
    return list(dict.fromkeys(expanded))


def code_of_class(classes: Sequence[str], single: Single) -> int:
    """The number of the class that a measure is about."""
    name = dict(single.arguments)["class"]
    if name not in classes:
        raise BadUsage(usage.unknown_name("class", name, list(classes[:3])))
    return list(classes).index(name)


def averaged(of_each: pl.Expr, average: str, *, weight: pl.Expr, among: pl.Expr) -> pl.Expr:
    """The mean over the classes `among` the rows that have a value, each alike or by its weight."""
    if average == "weighted":
        known = pl.when(of_each.is_not_null()).then(weight).filter(among)
        return (of_each.filter(among) * known).sum() / known.sum()
    return of_each.filter(among).mean()
