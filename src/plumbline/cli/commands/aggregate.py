"""Turn many votes into one gold, and show who is a free-loader.

JUDGEMENTS are as for plumbline agree. With -o, the gold is written in the format of the file's ending, such as gold.qrels.

Examples:
  plumbline aggregate labels.csv -o gold.csv
  plumbline aggregate labels.csv --method dawid-skene --gold known.csv -o gold.qrels --assessors workers.csv
  plumbline aggregate labels.csv --without free-loader
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import metric_option, options, report, talking
from plumbline.cli.output import format_option, show
from plumbline.options.judgements import AggregateOptions

if TYPE_CHECKING:
    from plumbline.render.formats import OutputFormat

SECTION = "Gold"


@click.command("aggregate", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("judgements", nargs=-1, required=True, metavar="JUDGEMENTS...")
@options(AggregateOptions)
@click.option(
    "--systems", multiple=True, metavar="FILE", help="Outputs to evaluate with and without the assessors of --without."
)
@metric_option(help="A metric of the systems; may be repeated.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the gold to a file, such as gold.qrels.",
)
@click.option(
    "--assessors",
    "assessors_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the table of assessors to a file.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save everything to a file for plumbline report and plumbline.load, such as votes.parquet.",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@format_option
@talking
def command(
    judgements: tuple[str, ...],
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    output: Path | None,
    assessors_file: Path | None,
    save: Path | None,
    form: OutputFormat,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Read, aggregate, write the gold, show the assessors."""
    from plumbline.cli.progress import working
    from plumbline.truth.aggregate import aggregate
    from plumbline.truth.writing import write_labels

    with working("aggregating votes"):
        result = aggregate(list(judgements), list(systems) or None, list(metrics) or None, **given)
    if output is not None:
        write_labels(result, output, expected=given.get("as_") == "expected", force=force)
    if assessors_file is not None:
        show(result, form, output=assessors_file, force=force, table="assessors")
    if save is not None:
        result.save(save, force=force)
    show(result, form)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
