"""Say which differences would hold on other cases or collections.

SCORES are tables of the same systems from several collections, or one table, which is split in halves. With METRIC=FILE, the
first file of each metric is the first collection, the second of each the second, and so on.

Examples:
  plumbline elsewhere banks.csv cars.csv music.csv -m P -m R
  plumbline elsewhere P=banks_p.csv R=banks_r.csv P=cars_p.csv R=cars_r.csv
  plumbline elsewhere scores.csv --pairs
  plumbline elsewhere scores.csv --folds fold
  plumbline elsewhere banks.csv cars.csv -m P -m R --plot prediction.svg
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import WholeWithin, Within, metric_option, report, talking
from plumbline.cli.output import check_plot, file_options, plot_option, save_plot, show
from plumbline.options.option import MOST

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Systems"


@click.command("elsewhere", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("collections", nargs=-1, required=True, metavar="SCORES...")
@metric_option(help="One or two metrics. [default: all of the table]")
@click.option("--alpha", type=Within(0, 1), default=0.5, show_default=True, help="The weight of the first metric.")
@click.option("--lower", multiple=True, metavar="METRIC", help="A metric of the table that is better when lower.")
@click.option("--splits", type=WholeWithin(1, MOST), default=1000, show_default=True, help="How often one collection is split.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the splits.")
@click.option("--folds", metavar="COLUMN", help="A column with the folds of one table: each fold is a collection.")
@click.option("--pairs", is_flag=True, help="Also show every pair.")
@file_options
@plot_option("Draw the precision and recall of the predictors into a file:")
@talking
def command(
    collections: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    pairs: bool,
    form: OutputFormat,
    output: Path | None,
    plot: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Say it in words, show the tables."""
    from plumbline.cli.progress import working
    from plumbline.comparison.generalise.elsewhere import elsewhere
    from plumbline.io.bytes.atomic import check_writable

    check_writable(output, plot, force=force)
    check_plot(plot)
    with working("splitting the cases" if len(collections) == 1 else "comparing collections"):
        result = elsewhere(list(collections), list(metrics) or None, **options)
    show(result, form, output=output, force=force, pairs=pairs)
    if plot is not None:
        save_plot(result, "prediction", plot, force=force)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
