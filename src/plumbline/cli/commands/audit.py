"""Search for inputs on which a metric breaks a constraint.

Which constraints does a metric keep, and what is the smallest input on which it breaks the others?

Examples:
  plumbline audit "F(P,R)" MI --task filtering
  plumbline audit --task ranking --format latex -o table.tex
  plumbline audit my_metrics:f2
  plumbline audit F arithmetic maximum --task combining

METRIC is a name, or module:function for a function of your own, which is called as
  filtering       f(tp, fp, fn, tn)      four counts
  ranking         f(grades, relevant)    1 and 0 from the top; how many are relevant in all
  classification  f(gold, answers)       lists of labels
  clustering      f(clusters, classes)   lists of lists of items
  organization    f(levels, gold)        lists of levels of clusters of items
  combining       f(first, second)       two scores to combine
and returns a number, or None where it is undefined. Without METRIC all metrics of the task are audited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.audits.kinds import audited_kinds
from plumbline.cli.command import Command
from plumbline.cli.options import options, report, talking
from plumbline.cli.output import chosen_format, file_options, show
from plumbline.cli.screen import echo
from plumbline.options.evaluation import AuditOptions

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Metrics"
FEW = 5
"""Counterexamples of so many metrics are drawn below the table."""


@click.command("audit", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("metrics", nargs=-1, metavar="METRIC...")
@click.option("--task", type=click.Choice(audited_kinds()), help="The task that the metric is for. [default: that of METRIC]")
@click.option(
    "--constraint", "--constraints", "constraints", multiple=True, metavar="NAME", help="Only this constraint; may be repeated."
)
@options(AuditOptions, without=("task", "constraints"))
@click.option("--list", "listing", is_flag=True, help="Only list what the constraints of the task demand.")
@click.option(
    "--counterexamples/--no-counterexamples",
    "examples",
    default=None,
    help="Draw the counterexamples. [default: up to 5 metrics]",
)
@file_options
@talking
def command(
    metrics: tuple[str, ...],
    task: str | None,
    constraints: tuple[str, ...],
    *,
    listing: bool,
    examples: bool | None,
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Audit, print the table, draw the counterexamples."""
    from plumbline.audits.audit import audit, requested_task
    from plumbline.audits.constraints.registry import demands
    from plumbline.cli.progress import working

    if not metrics and task is None:
        raise click.UsageError("give a METRIC, or --task for all metrics of a task")
    if listing:
        echo(demands(task or requested_task(metrics), constraints or None))
        return 0
    with working("auditing"):
        result = audit(metrics, task=task, constraints=constraints or None, **options)
    few = chosen_format(form, output).name == "table" and len(result.metrics) <= FEW
    drawn = few if examples is None else examples
    show(result, form, output=output, force=force, counterexamples=drawn)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
