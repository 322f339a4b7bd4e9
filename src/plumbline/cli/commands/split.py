"""Make folds that do not leak, or check existing ones.

Examples:
  plumbline split items.csv --folds 10 --repeats 10 --stratify label --group user -o folds.csv
  plumbline split items.csv --hold-out 0.2 --stratify label -o folds.csv
  plumbline split items.csv --time published --gap 7d --folds 5 -o folds.csv
  plumbline split items.csv --check folds.csv --group user --text text

ITEMS is a table with a row for each item. The folds are a small table: repeat, fold, item, part. With --check, existing
folds are searched instead for groups, times and texts on both sides, and for items that are tested twice or never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import options, report, talking, typed
from plumbline.cli.output import file_options, show
from plumbline.options.folds import CheckFoldsOptions, ColumnOptions, SplitOptions

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat
    from plumbline.truth.folds.result import Split

SECTION = "Gold"
OF_CHECK = ("text", "similar")


@click.command("split", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("items", metavar="ITEMS")
@options(SplitOptions)
@click.option("--check", metavar="FOLDS", help="Check these folds instead of making some.")
@options(CheckFoldsOptions, only=OF_CHECK)
@file_options
@talking
def command(
    items: str,
    check: str | None,
    *,
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Split, or check; exit 1 if something leaks."""
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.truth.folds.leaks import FoldCheck, check_folds
    from plumbline.truth.folds.split import split

    check_writable(output, force=force)
    of_columns = set(ColumnOptions.__annotations__)
    fitting = {*of_columns, *OF_CHECK} if check is not None else set(given) - set(OF_CHECK)
    idle = next((name for name in given if name not in fitting and typed(name)), None)
    if idle is not None:
        where = "goes with --check" if check is None else "does not go with --check"
        raise click.UsageError(f"--{idle.strip('_').replace('_', '-')} {where}")
    kept = {name: value for name, value in given.items() if name in fitting}
    result: Split | FoldCheck = split(items, **kept) if check is None else check_folds(items, check, **kept)
    show(result, form, output=output, force=force)
    code = report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
    return 1 if isinstance(result, FoldCheck) and not result.ok else code
