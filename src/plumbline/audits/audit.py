"""audit(): which constraints a metric keeps, and the smallest input on which it breaks the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, Unpack

from plumbline.audits.axioms import judge_axiom
from plumbline.audits.combinations import COMBINATIONS, is_combination, named_combination
from plumbline.audits.combined import COMBINED
from plumbline.audits.constraints.registry import AXIOMS, all_constraints, constraints_of
from plumbline.audits.judging import judge, judge_weighting
from plumbline.audits.kinds import COMBINING
from plumbline.audits.result import Audit
from plumbline.audits.scenes.scene import scene_of
from plumbline.audits.searching import BUDGET, searched
from plumbline.audits.subjects import UserFunction, is_function, load_function, registered, task_for
from plumbline.errors import BadUsage, audits
from plumbline.metrics.names import listed, one_by_one, parse, task_of
from plumbline.metrics.registry import all_metrics
from plumbline.options.evaluation import AuditOptions
from plumbline.options.option import checked, documented

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plumbline.audits.constraints.registry import Constraint
    from plumbline.audits.scenes.scene import Scene
    from plumbline.audits.subjects import Subject
    from plumbline.audits.verdict import Verdict
    from plumbline.errors import Diagnostic

REQUIRED: Final = {"k": 10, "x": 1, "recall": 0.5, "lam": 2, "words": 400}
"""Values for parameters that have no default."""


@documented(AuditOptions)
def audit(
    metrics: Any = None,  # noqa: ANN401 - a name, a function, or several
    **options: Unpack[AuditOptions],
) -> Audit:
    """Search for the smallest inputs on which metrics break constraints.

    Args:
        metrics: Names such as `F(P,R)` or `nDCG@10`, functions, or names of functions such as `module:function`, one or
            several; all metrics of the task if there are none. A function is called as the task demands:
            `f(tp, fp, fn, tn)`, `f(grades, relevant)`, `f(gold, answers)`, `f(clusters, classes)` or `f(levels, gold)`. It
            returns a number, or None where it is undefined. With `task="combining"`, functions of two scores instead: `F`,
            `arithmetic`, `geometric`, `product`, `maximum`, `minimum`, or your own `f(first, second)`.
        **options: See `plumbline.options.evaluation.AuditOptions`.

    Returns:
        A verdict for each metric and constraint, with counterexamples.

    Raises:
        BadUsage: A metric, a constraint or a function is unknown, or cannot be audited.
        BadData: A function fails, or returns something that is not a number.

    Example:
        >>> import plumbline
        >>> result = plumbline.audit("P@2", constraints=["priority"], budget=500)
        >>> print(result.verdict("P@2", "priority").counterexample)
          gold    1 relevant item
          better  R N              0.500000
          worse   N R              0.500000
    """
    given = checked(options, AuditOptions, "audit")
    several = isinstance(metrics, Iterable) and not isinstance(metrics, str)
    subjects_given = [] if metrics is None else list(metrics) if several else [metrics]
    requested = [single for one in subjects_given for single in ([one] if callable(one) else one_by_one(listed([one])))]
    chosen = given.get("task") or requested_task(requested)
    wanted = constraints_of(chosen, _names(given["constraints"]) if "constraints" in given else None)
    scene = scene_of(chosen)
    lower_names = frozenset(_names(given.get("lower", ())))
    budget, seed = given.get("budget", BUDGET), given.get("seed", 0)
    several = chosen != "classification" or "constraints" in given
    subjects, notices = (_subjects(requested, chosen, scene, lower_names), ()) if requested else _all_subjects(chosen)
    if not several:  # functions of one's own get several labels per item only where that is asked for
        subjects = [replace(one, overlaps=False) if isinstance(one, UserFunction) else one for one in subjects]
    if unknown := sorted(lower_names - {subject.name for subject in subjects if subject.better == "lower"}):
        functions = [subject.name for subject in subjects if isinstance(subject, UserFunction)]
        raise BadUsage(audits.no_function(unknown, functions))
    return Audit(chosen, tuple(_verdicts(subjects, wanted, scene, budget, seed)), wanted, budget, seed, notices)


def _names(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def requested_task(requested: Sequence[Any]) -> str:
    """The first task that has the metrics, or the only one whose functions look like those that were given."""
    functions = [one for one in requested if is_function(one)]
    if len(functions) < len(requested) and all(is_function(one) or is_combination(one) for one in requested):
        return COMBINING
    if len(functions) < len(requested) or not requested:
        names = [one for one in requested if not is_function(one)]
        chosen = task_of(names)
        for name in names:
            parse(name, task=chosen)
        return chosen
    scenes = [scene_of(task) for task in all_constraints()]
    signatures = ", ".join(f"{scene.signature} for {scene.task}" for scene in scenes)
    task = task_for((_function(one, signatures) for one in functions), scenes)
    if task is None:
        raise BadUsage(audits.no_task(signatures))
    return task


def _function(given: str | Callable[..., Any], signature: str) -> Callable[..., Any]:
    return load_function(given, signature) if isinstance(given, str) else given


def _verdicts(subjects: list[Subject], wanted: tuple[Constraint, ...], scene: Scene, budget: int, seed: int) -> list[Verdict]:
    """By constraint, then by subject."""
    tasks = [(constraint, searched(constraint, budget, seed)) for constraint in wanted]
    verdicts: list[Verdict] = []
    for overlapping in (False, True):
        plain = [one for one in tasks if one[0].overlapping == overlapping and one[0].demand not in ("one sign", *AXIOMS)]
        verdicts += judge(subjects, plain, scene) if plain else []
    for constraint, pairs in tasks:
        verdicts += judge_weighting(subjects, constraint, pairs, scene) if constraint.demand == "one sign" else []
        verdicts += judge_axiom(subjects, constraint, pairs, scene) if constraint.demand in AXIOMS else []
    order = {constraint.name: number for number, constraint in enumerate(wanted)}
    return sorted(verdicts, key=lambda verdict: order[verdict.constraint.name])


def _subjects(requested: list[Any], task: str, scene: Scene, lower: frozenset[str]) -> list[Subject]:
    named: Callable[[str], Subject] = named_combination if task == COMBINING else partial(registered, task=task)
    every = [_user_function(one, scene, lower) if is_function(one) else named(one) for one in requested]
    distinct = [_with_own_name(subject, every) for subject in every]
    return list({subject.name: subject for subject in distinct}.values())


def _with_own_name(subject: Subject, every: list[Subject]) -> Subject:
    """A function that has the name of another subject gets the number of its place."""
    shared = any(other.name == subject.name and other != subject for other in every)
    name = f"{subject.name} ({every.index(subject) + 1})"
    return replace(subject, name=name) if shared and isinstance(subject, UserFunction) else subject


def _user_function(given: str | Callable[..., Any], scene: Scene, lower: frozenset[str]) -> UserFunction:
    function = _function(given, scene.signature)
    name = given if isinstance(given, str) else getattr(given, "__name__", repr(given))
    return UserFunction(function, name, "lower" if name in lower else "higher")


@cache
def _all_subjects(task: str) -> tuple[list[Subject], tuple[Diagnostic, ...]]:
    """All metrics of a task that can be audited, and a notice about the others; or all combining functions."""
    if task == COMBINING:
        return [named_combination(name) for name in COMBINATIONS], ()
    subjects: list[Subject] = []
    left_out = []
    for name in [*auditable_names(task), *COMBINED.get(task, ())]:
        try:
            subjects.append(registered(name, task))
        except BadUsage:
            left_out.append(name)
    return subjects, (audits.left_out(left_out),) if left_out else ()


def auditable_names(task: str) -> list[str]:
    """Every metric of a task, with a value for each parameter that has no default."""
    names = []
    for metric in all_metrics(task).values():
        required = {parameter.name: REQUIRED[parameter.name] for parameter in metric.parameters if parameter.required}
        at = f"@{required.pop(metric.at)}" if metric.at in required else ""
        arguments = ",".join(f"{name}={value}" for name, value in required.items())
        inside = ",".join(metric.combines) if metric.combines else arguments
        names += [] if metric.text else [f"{metric.name}{f'({inside})' if inside else ''}{at}"]
    return names
