"""A job and its rows, from gold and outputs that fit into memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadUsage, engines
from plumbline.evaluation.engines.job import Job, Source, gold_rows, output_rows, top_grade
from plumbline.evaluation.engines.registry import metrics_of_items
from plumbline.tasks import task_named, task_names

if TYPE_CHECKING:
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.evaluation.request import Request
    from plumbline.io.table import Origin


@dataclass(frozen=True)
class Rows:
    """A job with all its rows."""

    job: Job
    gold: pl.DataFrame
    outputs: pl.DataFrame
    origins: dict[str, Origin]


def check_parts(request: Request) -> None:
    """Refuse what cannot be scored in parts.

    Raises:
        BadUsage: If the task or an option needs all cases together.
    """
    if request.task.parts is None:
        raise BadUsage(engines.whole_task(request.task.name, [name for name in task_names() if task_named(name).parts]))
    if one_by_one := metrics_of_items(request):
        raise BadUsage(engines.needs_items(one_by_one))
    if request.task.name == "clustering" and request.options.get("floor"):
        raise BadUsage(engines.refused_option("floor", "in parts", "every item alone is a baseline"))


def rows_of(evaluation: Evaluation) -> Rows:
    """Read everything, once."""
    check_parts(evaluation.request)
    gold = evaluation.read_gold()
    tables = dict(evaluation.outputs(evaluation.named_systems(gold), gold))
    job = Job(
        tuple(measure.typed for measure in evaluation.request.measures),
        {**evaluation.request.options, "task": evaluation.request.task.name},
        Source.of(gold),
        {name: Source.of(table) for name, table in tables.items()},
        top_grade(gold, evaluation.request.task.name),
    )
    outputs = pl.concat([output_rows(table, number) for number, table in enumerate(tables.values())])
    return Rows(job, gold_rows(gold), outputs, {one.label: one.origin for one in (gold, *tables.values())})
