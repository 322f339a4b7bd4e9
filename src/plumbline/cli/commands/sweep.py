"""Show how scores change with a threshold.

The threshold is the last number in the name of each SYSTEM. Two metrics are shown, and the best point for each weight.

Examples:
  plumbline sweep gold.tsv hac_*.tsv
  plumbline sweep gold.tsv hac_*.tsv -m Purity -m InvPurity --plot curve.svg
  plumbline sweep gold.tsv filter_*.tsv --task filtering --positive spam -m P -m R --format csv
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import fitted, items, labels, metric_option, policies, reading, report, talking, task_option
from plumbline.cli.output import check_plot, format_option, plot_option, save_plot, show

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Systems"


@click.command("sweep", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@metric_option(help="Two metrics. [default: precision and recall of the task, such as BCubedP and BCubedR]")
@task_option(default="clustering")
@format_option
@plot_option("Also draw the curve into a file:")
@click.option("--force", is_flag=True, help="Overwrite the file of --plot.")
@labels
@items
@policies
@reading
@talking
def command(
    gold: str,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    task: str,
    form: OutputFormat,
    plot: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Evaluate, print the points, draw the curve."""
    from plumbline.tools.sweep import sweep

    check_plot(plot)
    result = sweep(gold, systems, metrics or None, task=task, **fitted(options, metrics, task))
    show(result, form)
    if plot is not None:
        save_plot(result, "sweep", plot, force=force)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
