"""Say which variant is better with real users: an A/B test.

Examples:
  plumbline experiment plan --baseline 0.206 --detect 0.01
  plumbline experiment users.csv --control A -m converted -m "ctr = clicks / views" --share 50:50
  plumbline experiment users.csv -m orders --before orders_before --margin 2% --by country
  plumbline experiment users.csv -m converted --peek --planned 100000 --when day
  plumbline experiment plan last-month.csv -m "ctr = clicks / views" --detect 2% --power 0.9

UNITS is a table with a row for each unit, such as a user, or with counted sums: variant, n, orders_sum,
orders_sum_of_squares. The answer says whether the arms have their planned sizes, then gives the effects and the verdict. With
plan, it says how many units an experiment takes, from numbers or from a table of past units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import metric_option, options, report, talking
from plumbline.cli.output import file_options, show
from plumbline.cli.sources import refuse
from plumbline.options.experiments import ExperimentOptions, PlanOptions
from plumbline.options.option import declared

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat
    from plumbline.render.result import Result

SECTION = "Real users"
PLAN = "plan"
PLAN_ONLY = tuple(name for name in declared(PlanOptions) if name not in declared(ExperimentOptions))


@click.command("experiment", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("sources", nargs=-1, required=True, metavar="UNITS | plan [UNITS]")
@metric_option(
    help='A column, "ctr = clicks / views" or "median(seconds)"; may be repeated. [default: every column of numbers]'
)
@click.option(
    "--show",
    "shown",
    multiple=True,
    type=click.Choice(["arms", "segments", "unanimity", "sequence"]),
    help="Also show a table; may be repeated.",
)
@options(ExperimentOptions)
@options(PlanOptions, only=PLAN_ONLY)
@file_options
@talking
def command(
    sources: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    shown: tuple[str, ...],
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Analyse, or plan."""
    from plumbline.cli.progress import working
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.truth.experiments.experiment import experiment
    from plumbline.truth.experiments.plan_experiment import plan_experiment

    check_writable(output, force=force)
    planning = sources[0] == PLAN
    if len(sources) > (2 if planning else 1):
        raise click.UsageError(f"one table of units, not {', '.join(sources)}")
    known = set(declared(PlanOptions if planning else ExperimentOptions))
    kept = {name: value for name, value in given.items() if name in known}
    view: dict[str, Any] = {}
    if planning:
        refuse(set(declared(ExperimentOptions)) - known | {"shown"}, "analyses an experiment, and does not go with plan")
        if len(metrics) > 1:
            raise click.UsageError("a plan is for one metric")
        result: Result = plan_experiment(sources[1] if len(sources) > 1 else None, metrics[0] if metrics else None, **kept)
    else:
        refuse(set(PLAN_ONLY), "goes with plan")
        with working("reading units"):
            result = experiment(sources[0], list(metrics) or None, **kept)
        view = {"show": shown}
    show(result, form, output=output, force=force, **view)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
