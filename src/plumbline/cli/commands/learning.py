"""Say what more labels would bring.

Examples:
  plumbline learning scores.csv --sizes labels --runs fold
  plumbline learning scores.csv --target 0.9 --plot curves.svg

SCORES is a table of scores with a column for the number of labels: system, size, fold, Accuracy. A power law is fitted to the
scores of each system; the answer says which system would overtake which, and after how many more labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import metrics_of_table, options, report, talking
from plumbline.cli.output import check_plot, file_options, plot_option, save_plot, show
from plumbline.options.folds import LearningOptions

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Systems"


@click.command("learning", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("scores", metavar="SCORES")
@metrics_of_table
@options(LearningOptions)
@file_options
@plot_option("Also draw the curves into a file:")
@talking
def command(
    scores: str,
    metrics: tuple[str, ...],
    *,
    form: OutputFormat,
    output: Path | None,
    plot: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Fit, print, draw."""
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.tools.learning import learning

    check_writable(output, plot, force=force)
    check_plot(plot)
    result = learning(scores, list(metrics) or None, **given)
    show(result, form, output=output, force=force)
    if plot is not None:
        save_plot(result, "learning", plot, force=force)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
