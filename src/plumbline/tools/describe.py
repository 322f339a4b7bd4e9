"""Descriptions of metrics, from their declarations: for `plumbline metrics` and for the docs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plumbline.audits.categories import category
from plumbline.audits.constraints.filtering import family
from plumbline.audits.constraints.registry import all_constraints
from plumbline.audits.subjects import is_auditable
from plumbline.metrics.registry import Metric, all_metrics
from plumbline.options.evaluation import PolicyOptions
from plumbline.options.option import matters
from plumbline.render.folding import paragraphs
from plumbline.render.formula import plain_formula
from plumbline.tasks import task_names

if TYPE_CHECKING:
    from plumbline.metrics.registry import Parameter

TIES = {
    True: "equal scores by item id, descending; ties=average is exact",
    False: "equal scores by item id, descending; ties=average tries all orders, or samples many",
}
BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": "neither direction is better"}


def listing(task: str | None = None) -> str:
    """One line per metric, task by task."""
    chosen = {each: list(all_metrics(each).values()) for each in task_names() if task in (None, each)}
    width = max(len(signature(metric)) for metrics in chosen.values() for metric in metrics)
    lines = [
        "\n".join([f"{each}:", *(f"  {signature(metric):<{width}}  {metric.title}" for metric in metrics)])
        for each, metrics in chosen.items()
    ]
    return "\n".join([*lines, f"  {'F(A,B,alpha=0.5)':<{width}}  Weighted harmonic mean of any two of one task, per case."])


def signature(metric: Metric) -> str:
    """The name with its main parameter, as it is typed."""
    if metric.combines:
        return f"{metric.name}({','.join(metric.combines)})"
    return metric.name if metric.at is None else f"{metric.name}@{metric.at}"


def facts(metric: Metric) -> dict[str, str]:
    """Everything about a metric that is not its formula."""
    low, high = (
        "-inf" if metric.range[0] is None else f"{metric.range[0]:g}",
        "inf" if metric.range[1] is None else f"{metric.range[1]:g}",
    )
    average = {"mean": "mean over cases", "sum": "sum over cases", "geometric": "geometric mean over cases"}[metric.average]
    return {
        "task": metric.task,
        "range": f"{low} to {high}, {BETTER[metric.better]}",
        "summary": average,
        **({"ties": _ties(metric)} if matters("ties", PolicyOptions, metric.task) else {}),
        "undefined": f"where {metric.undefined.removesuffix(' there')}" if metric.undefined else "never",
        **_ideal(metric),
        **_constraints(metric),
        **_category(metric),
        "paper": metric.paper,
        **{f"in {tool}": name for tool, name in metric.elsewhere.items()},
        "also called": ", ".join(metric.aliases) or "-",
    }


def _ideal(metric: Metric) -> dict[str, str]:
    """Where the ideal output does not have the best value, and where a case does not stand for itself."""
    lines = {
        "ideal output": metric.ideal_below_best and f"may score below the best: {metric.ideal_below_best}",
        "beats the ideal": metric.ideal_can_be_beaten and f"possible: {metric.ideal_can_be_beaten}",
        "other cases": metric.across_cases and "their top grade changes the value of a case",
    }
    return {name: line for name, line in lines.items() if isinstance(line, str) and line}


def _constraints(metric: Metric) -> dict[str, str]:
    """The constraints that the metric satisfies, for tasks that have some."""
    if metric.task not in all_constraints() or metric.better == "neither" or not is_auditable(metric):
        return {}
    kept = {"keeps": "; ".join(metric.claims) or "no constraint"}
    return kept | ({"family": family(metric.claims) or "none"} if metric.task == "filtering" else {})


def _category(metric: Metric) -> dict[str, str]:
    """What a filtering metric looks at, in the terms of two papers."""
    kind = category(metric)
    return {} if kind is None else {"looks at": f"{kind.looks_at} ({kind.ferri}, ferri2009; {kind.caruana}, caruana2006)"}


def _ties(metric: Metric) -> str:
    return "equal scores are one level" if metric.needs == "relations" else TIES[bool(metric.linear)]


def parameter_line(parameter: Parameter) -> str:
    """A parameter with its rule and default."""
    default = (
        "must be given" if parameter.required else f"default {parameter.default if parameter.default is not None else 'none'}"
    )
    return f"{parameter.name}: {parameter.allowed()} ({default})"


def _readable(explanation: str) -> str:
    """The explanation with its formula in plain text."""
    return paragraphs(re.sub(r"\$\$.*?\$\$", lambda match: plain_formula(match.group()), explanation, flags=re.DOTALL))


def card(metric: Metric) -> str:
    """A metric on one screen."""
    lines = [f"{signature(metric)}  {metric.title}", "", _readable(metric.explanation), ""]
    if metric.parameters:
        lines += ["parameters", *(f"  {parameter_line(parameter)}" for parameter in metric.parameters), ""]
    width = max(map(len, facts(metric)))
    return "\n".join(lines + [f"{name:<{width}}  {text}" for name, text in facts(metric).items()])
