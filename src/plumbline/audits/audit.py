"""audit(): which constraints a metric keeps, and the smallest input on which it breaks the others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from plumbline.audits.combined import COMBINED
from plumbline.audits.constraints.every import SCENES, constraints_of
from plumbline.audits.functions import is_function, loaded, task_for
from plumbline.audits.judging import judged
from plumbline.audits.result import Audit
from plumbline.audits.searching import BUDGET, searched
from plumbline.audits.subjects import Own, registered
from plumbline.audits.weighting import weighed
from plumbline.errors import BadUsage, audits
from plumbline.metrics.names import parse, task_of
from plumbline.metrics.registry import all_metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from plumbline.audits.constraints.constraint import Constraint
    from plumbline.audits.scenes.scene import Scene
    from plumbline.audits.subjects import Subject
    from plumbline.audits.verdict import Verdict
    from plumbline.errors import Diagnostic
    from plumbline.metrics.registry import Task

NEEDED: Final = {"k": 10, "x": 1, "recall": 0.5, "lam": 2}
"""Values of parameters that must be given."""


def audit(
    metrics: Any = None,  # noqa: ANN401 - a name, a function, or several
    *,
    task: Task | None = None,
    constraints: Iterable[str] | None = None,
    budget: int = BUDGET,
    seed: int = 0,
    lower: Iterable[str] | str = (),
) -> Audit:
    """Search for the smallest inputs on which metrics break constraints.

    `metrics` are names such as `F(P,R)` or `nDCG@10`, functions, or names of functions such as `module:function`; without
    any, all metrics of the task. `lower` are names of functions whose lower values are better. A function is called as
    the task demands: `f(tp, fp, fn, tn)`, `f(grades, relevant)`, `f(clusters, classes)` or `f(levels, gold)`. `budget` is the
    number of pairs that are tried for each constraint; larger ones are drawn with `seed`.
    """
    asked = [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics or ())
    chosen = task or asked_task(asked)
    wanted = constraints_of(chosen, [constraints] if isinstance(constraints, str) else constraints)
    scene = SCENES[chosen]
    turned = frozenset([lower] if isinstance(lower, str) else lower)
    subjects, notices = _subjects(asked, chosen, scene, turned) if asked else _every(chosen)
    if unknown := sorted(turned - {subject.name for subject in subjects if subject.better == "lower"}):
        raise BadUsage(audits.no_function(unknown, [subject.name for subject in subjects if isinstance(subject, Own)]))
    return Audit(chosen, tuple(_verdicts(subjects, wanted, scene, budget, seed)), wanted, budget, seed, notices)


def asked_task(asked: Sequence[Any]) -> Task:
    """The first task that has the metrics, or the only one whose functions look like those that were given."""
    functions = [one for one in asked if is_function(one)]
    if len(functions) < len(asked) or not asked:
        names = [one for one in asked if not is_function(one)]
        chosen = task_of(names)
        for name in names:
            parse(name, task=chosen)
        return chosen
    signatures = ", ".join(f"{scene.signature} for {scene.task}" for scene in SCENES.values())
    found = task_for((_function(one, signatures) for one in functions), SCENES.values())
    if found is None:
        raise BadUsage(audits.no_task(signatures))
    return found


def _function(one: str | Callable[..., Any], signature: str) -> Callable[..., Any]:
    return loaded(one, signature) if isinstance(one, str) else one


def _verdicts(subjects: list[Subject], wanted: tuple[Constraint, ...], scene: Scene, budget: int, seed: int) -> list[Verdict]:
    """By constraint, then by subject."""
    tasks = [(constraint, searched(constraint, budget, seed)) for constraint in wanted]
    found: list[Verdict] = []
    for overlapping in (False, True):
        plain = [one for one in tasks if one[0].overlapping == overlapping and one[0].demand != "one sign"]
        found += judged(subjects, plain, scene) if plain else []
    for constraint, pairs in tasks:
        found += weighed(subjects, constraint, pairs, scene) if constraint.demand == "one sign" else []
    order = {constraint.name: number for number, constraint in enumerate(wanted)}
    return sorted(found, key=lambda verdict: order[verdict.constraint.name])


def _subjects(
    asked: list[Any], task: Task, scene: Scene, lower: frozenset[str]
) -> tuple[list[Subject], tuple[Diagnostic, ...]]:
    every = [_own(one, scene, lower) if is_function(one) else registered(one, task) for one in asked]
    apart = [_told_apart(subject, every) for subject in every]
    return list({subject.name: subject for subject in apart}.values()), ()


def _told_apart(subject: Subject, every: list[Subject]) -> Subject:
    """A function that has the name of something else gets the number of its place."""
    alike = any(other.name == subject.name and other != subject for other in every)
    told = f"{subject.name} ({every.index(subject) + 1})"
    return replace(subject, name=told) if alike and isinstance(subject, Own) else subject


def _own(one: str | Callable[..., Any], scene: Scene, lower: frozenset[str]) -> Own:
    function = _function(one, scene.signature)
    name = one if isinstance(one, str) else getattr(one, "__name__", repr(one))
    return Own(function, name, "lower" if name in lower else "higher")


@cache
def _every(task: Task) -> tuple[list[Subject], tuple[Diagnostic, ...]]:
    """All metrics of a task that can be audited."""
    found: list[Subject] = []
    left_out = []
    for name in [*names_of(task), *COMBINED[task]]:
        try:
            found.append(registered(name, task))
        except BadUsage:
            left_out.append(name)
    return found, (audits.left_out(left_out),) if left_out else ()


def names_of(task: Task) -> list[str]:
    """Every metric of a task, with a value for each parameter that must be given."""
    names = []
    for metric in all_metrics(task).values():
        needed = {parameter.name: NEEDED[parameter.name] for parameter in metric.parameters if parameter.required}
        at = f"@{needed.pop(metric.at)}" if metric.at in needed else ""
        told = ",".join(f"{name}={value}" for name, value in needed.items())
        names += [] if metric.text or metric.combines else [f"{metric.name}{f'({told})' if told else ''}{at}"]
    return names
