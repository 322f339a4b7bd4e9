"""why(): the terms behind one score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Unpack

import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.errors.base import nearest
from plumbline.errors.faces import option
from plumbline.evaluation.evaluation import Evaluation, compute, evaluation_of
from plumbline.metrics.measure import Combined
from plumbline.options.evaluation import WhyOptions
from plumbline.options.option import documented
from plumbline.schema import LIST
from plumbline.tasks import task_named, task_names
from plumbline.tools.why.result import Why

if TYPE_CHECKING:
    from plumbline.align.alignment import Alignment
    from plumbline.metrics.measure import Measure


_WITHOUT_ITEMS: Final = ("filtering", "classification")
"""Tasks whose scores are made of counts, which do not tell items apart."""


@documented(WhyOptions)
def why(
    gold: Any,  # noqa: ANN401 - as evaluate
    systems: Any,  # noqa: ANN401 - as evaluate
    metric: str,
    *,
    case: str | None = None,
    system: str | None = None,
    item: str | None = None,
    **options: Unpack[WhyOptions],
) -> Why:
    """Show the terms that add up to one score.

    Args:
        gold: The right answers, as `evaluate` takes them.
        systems: The outputs, as `evaluate` takes them.
        metric: The metric, such as `nDCG@10`.
        case: The case to look at; need not be given if there is only one.
        system: The system to look at; the first if none is given.
        item: The item to look at, where the task shows single items.
        **options: See `plumbline.options.evaluation.WhyOptions`.

    Returns:
        The value with its formula, its terms and the reason if it is undefined.

    Raises:
        BadUsage: If there is no such case, system or item, or equal scores are averaged over their orders.

    Example:
        >>> import plumbline
        >>> gold = {"q1": {"d1": 1, "d2": 1}}
        >>> run = {"q1": {"d1": 0.9, "d3": 0.8, "d2": 0.7}}
        >>> round(plumbline.why(gold, {"mine": run}, "AP").value, 4)
        0.8333
    """
    return why_of(evaluation_of(gold, systems, [metric], **options), case=case, system=system, item=item)


def why_of(evaluation: Evaluation, *, case: str | None = None, system: str | None = None, item: str | None = None) -> Why:
    """Explain one score of the first requested metric."""
    aligned = evaluation.alignment(items=True)
    if aligned.policy.ties == "average":
        raise BadUsage(usage.no_terms_of_a_mean())
    if item is not None and aligned.task in _WITHOUT_ITEMS:
        homes = [name for name in task_names() if task_named(name).has("why") and name not in _WITHOUT_ITEMS]
        raise BadUsage(usage.not_for_task(option("item"), aligned.task, homes))
    if case is None and len(aligned.cases) > 1:
        raise BadUsage(usage.which_case(len(aligned.cases), aligned.cases[:3]))
    chosen = _index("system", aligned.systems[0] if system is None else system, list(aligned.systems))
    number = chosen * len(aligned.cases) + _index("case", aligned.cases[0] if case is None else case, aligned.cases)
    return _explained(aligned, evaluation.request.measures[0], number, item)


def _index(what: str, name: str, names: list[str]) -> int:
    if name not in names:
        raise BadUsage(usage.unknown_name(what, name, nearest(name, names, n=2) or names[:2]))
    return names.index(name)


def _explained(aligned: Alignment, measure: Measure, number: int, item: str | None) -> Why:
    computed = compute(aligned, [measure])
    values, measure = computed.values, computed.measures[0]
    value = values.filter(pl.col(LIST) == number)[measure.name][0]
    system, case = aligned.systems[number // len(aligned.cases)], aligned.cases[number % len(aligned.cases)]
    if isinstance(measure, Combined):
        parts = tuple(_explained(aligned, part, number, item) for part in (measure.first, measure.second))
        formula = f"1 / ({measure.alpha:g} / {measure.first.name} + {1 - measure.alpha:g} / {measure.second.name})"
        reason = next((part.reason for part in parts if part.reason), "") if value is None else ""
        first, second = ("undefined" if part.value is None else f"{part.value:.4g}" for part in parts)
        filled = f"1 / ({measure.alpha:g} / {first} + {1 - measure.alpha:g} / {second})"
        return Why(measure.name, system, case, value, formula, reason, parts=parts, filled=filled)
    reason = measure.metric.undefined if value is None else ""
    formula = measure.metric.explanation.partition("\n\n")[0]
    if measure.metric.text:
        plain = Why(measure.name, system, case, None, formula, text=value)
    else:
        plain = Why(measure.name, system, case, value, formula, reason)
    task = task_named(aligned.task)
    explained: Why = task.hook("why")(aligned, measure, number, plain, item) if task.has("why") else plain
    return explained
