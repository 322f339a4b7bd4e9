"""Show where Reliability and Sensitivity were lost.

Scores are lost to wrong order, ties, missing or extra items, or clusters.

Examples:
  plumbline losses gold.json systems/*.json
  plumbline losses qrels.txt runs/*.run --task ranking --per-case --format csv
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import composing, fitted, items, metric_option, policies, reading, report, talking, task_option
from plumbline.cli.output import format_option, show
from plumbline.tasks import task_named, task_names

if TYPE_CHECKING:
    from plumbline.render.formats import OutputFormat

SECTION = "Systems"


@click.command("losses", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("gold")
@click.argument("systems", nargs=-1, metavar="SYSTEM...")
@metric_option(help="Rel or Sens; for spans P or R. [default: both, over every kind of relation]")
@task_option(only=[name for name in task_names() if task_named(name).loss_metrics], default="organization")
@click.option("--per-case", is_flag=True, help="Print every case instead of the means.")
@format_option
@composing
@items
@policies
@reading
@talking
def command(
    gold: str,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    per_case: bool,
    form: OutputFormat,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Evaluate and print what was lost."""
    from plumbline.cli.composition import composed
    from plumbline.tools.losses import losses

    chosen = fitted(options, metrics)
    result = losses(*composed(gold, systems, chosen), metrics or None, **chosen)
    show(result, form, per_case=per_case)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
