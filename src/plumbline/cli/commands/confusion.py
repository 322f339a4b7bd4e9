"""Print the confusion matrix of every system.

It counts how many items of each class in the gold were given each label.

Examples:
  plumbline confusion gold.tsv labels.tsv
  plumbline confusion gold.tsv labels/*.tsv --case news --format latex
  plumbline confusion gold.tsv filter.tsv --task filtering --positive spam --format csv
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import fitted, labels, policies, reading, report, talking, task_option
from plumbline.cli.output import file_options, show

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Systems"


@click.command("confusion", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@task_option(
    only=("classification", "filtering"),
    help="What kind of output this is. [default: classification; with --positive filtering]",
)
@click.option("--case", help="The case to look at. [default: all together]")
@file_options
@labels
@policies
@reading
@talking
def command(
    gold: str,
    systems: tuple[str, ...],
    *,
    case: str | None,
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Count and print, then the notices."""
    from plumbline.tools.confusion import confusion, task_of_matrix

    result = confusion(gold, systems, **fitted(options, task=task_of_matrix(options["positive"])))
    show(result, form, output=output, force=force, case=case)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
