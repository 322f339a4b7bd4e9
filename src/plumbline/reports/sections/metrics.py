"""The metrics that were used: what each is, when it is undefined, what it keeps to and what it does not see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plumbline.audits.audit import audit, auditable_names
from plumbline.audits.combined import claims_of
from plumbline.audits.constraints.filtering import FAMILIES, family
from plumbline.audits.constraints.registry import THRESHOLDS, all_constraints
from plumbline.audits.subjects import registered
from plumbline.errors import BadUsage
from plumbline.metrics.measure import Combined
from plumbline.metrics.names import is_spelled, parse
from plumbline.reports.model import Entry, Heading, Paragraph, Section, Table
from plumbline.tasks import task_names
from plumbline.tools.describe import facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.audits.verdict import Outcome
    from plumbline.figures.subject import Subject
    from plumbline.metrics.measure import Measure, Single

UNKNOWN: Final = "not a metric of plumbline: the numbers are used as given"
NOT_AUDITED: Final = "not audited"
FEW_PAIRS: Final = 2000
"""Pairs of a first audit; what it finds broken is broken."""
NAMES: Final = ("metric", "what it is", "range", "undefined where", "keeps", "does not see", "paper")
INTRODUCTION: Final = (
    "What each metric is, and where it has no value. Constraints say what any good metric should notice; what a metric does "
    "not see cannot be improved by optimising it. The constraints are those of the metric with the parameters of its name, as "
    "plumbline audit finds them."
)


def section(subject: Subject) -> Section:
    """A row for each metric, and what the constraints demand."""
    by_name = measures(subject)
    known = [one for one in by_name.values() if one is not None]
    singles, means = used(subject), [one for one in known if isinstance(one, Combined)]
    kept = constraints_kept([*means, *singles])
    rows = (*(_mean_row(one, kept[one.name]) for one in means), *(_row(one, kept[one.name]) for one in singles))
    strangers = tuple(
        (Entry(name), Entry(UNKNOWN), *(Entry("") for _ in NAMES[2:])) for name, one in by_name.items() if one is None
    )
    heading = tuple(Heading(text, numeric=False) for text in NAMES)
    table = Table("metrics", "The metrics of this report", heading, (*rows, *strangers), live=False)
    tasks = dict.fromkeys(single.metric.task for single in singles)
    return Section("metrics", "The metrics", (Paragraph(INTRODUCTION), table, *_demands(tasks)))


def measures(subject: Subject) -> dict[str, Measure | None]:
    """The measure behind each column; none where plumbline has none of this name, or a column of a table cannot be it.

    It cannot if it is spelled otherwise, or better in the other direction.
    """
    compared = subject.compared
    is_computed = subject.scores is not None or (compared is not None and bool(compared.made))
    columns = zip(subject.cube.metrics, subject.cube.lower.tolist(), strict=True)
    return {name: measure(name, subject.task, None if is_computed else lower) for name, lower in columns}


def measure(name: str, task: str | None, lower: bool | None) -> Measure | None:  # noqa: FBT001 - told for each column
    """The measure of a name, in its task or in the first one that has it; none if nobody has.

    `lower` tells whether lower is better; none where plumbline made the scores, so that there is nothing to doubt.
    """
    for candidate in task_names():
        if task in (None, candidate):
            try:
                candidate_measure = parse(name, None, candidate)
            except BadUsage:
                continue
            if lower is None or (is_spelled(name, candidate) and candidate_measure.better != ("higher" if lower else "lower")):
                return candidate_measure
    return None


def used(subject: Subject) -> list[Single]:
    """The single metrics behind the columns, each once; of F its two parts."""
    singles = [single for one in measures(subject).values() if one is not None for single in one.parts]
    return list({(single.metric.task, single.name): single for single in singles}.values())


def constraints_kept(measures: Sequence[Measure | Single]) -> dict[str, dict[str, Outcome] | None]:
    """What an audit says about each measure, by constraint; None if it cannot be audited.

    Metrics whose name has no other parameters than an audit of all metrics declare what they keep. The others are audited now.
    """
    tasks = {one.name: one.parts[0].metric.task for one in measures}
    outcomes: dict[str, dict[str, Outcome] | None] = {one.name: _declared(one) for one in measures}
    for task in dict.fromkeys(tasks.values()):
        missing = [name for name in tasks if tasks[name] == task and outcomes[name] is None]
        names = [name for name in missing if _can_be_audited(name, task)]
        if names and task in all_constraints():
            outcomes |= _audited(names, task)
    return outcomes


def _audited(names: list[str], task: str) -> dict[str, dict[str, Outcome]]:
    """What an audit says; where few pairs hold a counterexample, no more pairs are tried."""
    soon = {(one.metric, one.constraint.name): one for one in audit(names, task=task, budget=FEW_PAIRS).verdicts}
    late = [
        constraint.name
        for constraint in all_constraints()[task]
        if constraint.demand in THRESHOLDS or any(soon[name, constraint.name].outcome != "broken" for name in names)
    ]
    more = (
        {(one.metric, one.constraint.name): one for one in audit(names, task=task, constraints=late).verdicts} if late else {}
    )
    both = {**soon, **more}
    return {name: {constraint: one.outcome for (of, constraint), one in both.items() if of == name} for name in names}


def _declared(measure: Measure | Single) -> dict[str, Outcome] | None:
    """What the declaration of a metric says, if it is about this very name."""
    single = measure.parts[0]
    task = single.metric.task
    if isinstance(measure, Combined):
        claims = claims_of(measure.name, task)
    else:
        usual = [name for name in auditable_names(task) if re.split(r"[@(]", name)[0] == single.metric.name]
        is_usual = any(parse(name, None, task).name == single.name for name in usual)
        claims = single.metric.claims if is_usual and "keeps" in facts(single.metric) else None
    names = [one.name for one in all_constraints().get(task, ())]
    return None if claims is None else {name: "holds" if name in claims else "broken" for name in names}


def _can_be_audited(name: str, task: str) -> bool:
    try:
        registered(name, task)
    except BadUsage:
        return False
    return True


def _row(single: Single, kept: dict[str, Outcome] | None) -> tuple[Entry, ...]:
    metric = single.metric
    properties = facts(metric)
    texts = (metric.title, properties["range"], properties["undefined"].removeprefix("where "))
    return (
        Entry(single.name, detail=_family(properties.get("family"))),
        *map(Entry, texts),
        *_constraints(metric.task, kept),
        Entry(metric.paper),
    )


def _mean_row(mean: Combined, kept: dict[str, Outcome] | None) -> tuple[Entry, ...]:
    """F of two metrics."""
    first, second, task = mean.first, mean.second, mean.parts[0].metric.task
    claims = None if kept is None else tuple(name for name, outcome in kept.items() if outcome == "holds")
    named = Entry(mean.name, detail=_family(family(claims) if claims and task == "filtering" else None))
    title = f"Weighted harmonic mean of {first.name} and {second.name}, case by case."
    return named, Entry(title), Entry(""), Entry("one of the two is"), *_constraints(task, kept), Entry("")


def _family(name: str | None) -> str:
    return f"{name} family" if name not in (None, "none") else ""


def _constraints(task: str, kept: dict[str, Outcome] | None) -> tuple[Entry, Entry]:
    """Those that are kept and those that are broken; properties that make families are neither."""
    if kept is None or task not in all_constraints():
        return Entry(NOT_AUDITED), Entry("")
    names = [one.name for one in all_constraints()[task] if one.name not in FAMILIES]
    holds, broken, unknown = (
        "; ".join(name for name in names if kept.get(name, "undecided") == outcome)
        for outcome in ("holds", "broken", "undecided")
    )
    return Entry(holds or "nothing"), Entry(broken or "nothing", detail=f"undecided: {unknown}" if unknown else "")


def _demands(tasks: Iterable[str]) -> list[Table]:
    """What the constraints of the tasks demand, folded away."""
    rows = {
        one.name: (Entry(one.name), Entry(one.text), Entry(one.paper))
        for task in tasks
        for one in all_constraints().get(task, ())
    }
    heading = tuple(Heading(text, numeric=False) for text in ("constraint", "what it demands", "paper"))
    table = Table("constraints", "Constraints", heading, tuple(rows.values()), folded="What the constraints demand", live=False)
    return [table] if rows else []
