"""The metrics that were used: what each is, when it is undefined, what it keeps to and what it does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.audits.combined import claims_of
from plumbline.audits.constraints.filtering import FAMILIES, family
from plumbline.audits.constraints.registry import all_constraints
from plumbline.errors import BadUsage
from plumbline.metrics.measure import Combined
from plumbline.metrics.names import is_spelled, parse
from plumbline.reports.model import Entry, Heading, Paragraph, Section, Table
from plumbline.tasks import task_names
from plumbline.tools.describe import facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.figures.subject import Subject
    from plumbline.metrics.measure import Measure, Single

UNKNOWN: Final = "not a metric of plumbline: the numbers are used as given"
NOT_AUDITED: Final = "not audited"
NAMES: Final = ("metric", "what it is", "range", "undefined where", "keeps", "does not see", "paper")
INTRODUCTION: Final = (
    "What each metric is, and where it has no value. Constraints say what any good metric should notice; what a metric does "
    "not see cannot be improved by optimising it. They are listed for the default parameters."
)


def section(subject: Subject) -> Section:
    """A row for each metric, and what the constraints demand."""
    by_name = measures(subject)
    known = [one for one in by_name.values() if one is not None]
    means = [_mean_row(one) for one in known if isinstance(one, Combined)]
    rows = (*means, *(_row(single) for single in used(subject)))
    strangers = tuple(
        (Entry(name), Entry(UNKNOWN), *(Entry("") for _ in NAMES[2:])) for name, one in by_name.items() if one is None
    )
    heading = tuple(Heading(text, numeric=False) for text in NAMES)
    table = Table("metrics", "The metrics of this report", heading, (*rows, *strangers), live=False)
    tasks = dict.fromkeys(single.metric.task for single in used(subject))
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


def _row(single: Single) -> tuple[Entry, ...]:
    metric = single.metric
    properties = facts(metric)
    texts = (metric.title, properties["range"], properties["undefined"].removeprefix("where "))
    return (
        Entry(single.name, detail=_family(properties.get("family"))),
        *map(Entry, texts),
        *_constraints(metric.task, metric.claims if "keeps" in properties else None),
        Entry(metric.paper),
    )


def _mean_row(mean: Combined) -> tuple[Entry, ...]:
    """F of two metrics."""
    first, second, task = mean.first, mean.second, mean.parts[0].metric.task
    claims = claims_of(mean.name, task)
    named = Entry(mean.name, detail=_family(family(claims) if claims and task == "filtering" else None))
    title = f"Weighted harmonic mean of {first.name} and {second.name}, case by case."
    return named, Entry(title), Entry(""), Entry("one of the two is"), *_constraints(task, claims), Entry("")


def _family(name: str | None) -> str:
    return f"{name} family" if name not in (None, "none") else ""


def _constraints(task: str, claims: Iterable[str] | None) -> tuple[Entry, Entry]:
    """Those that are kept and those that are broken; properties that make families are neither."""
    if claims is None or task not in all_constraints():
        return Entry(NOT_AUDITED), Entry("")
    kept = set(claims)
    names = [one.name for one in all_constraints()[task] if one.name not in FAMILIES]
    lists = ("; ".join(name for name in names if (name in kept) is held) or "nothing" for held in (True, False))
    return Entry(next(lists)), Entry(next(lists))


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
