"""Validate files without scoring.

Judgements among FILES (for labels, the first file) are aligned with the outputs.

Examples:
  plumbline check qrels.txt runs/*.run
  plumbline check --role gold judgements.csv
  plumbline check --format github qrels.txt run.txt
  plumbline check --task filtering --positive spam gold.tsv filters/*.tsv
  plumbline check --task organization gold.json systems/*.json
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import fitted, labels, options, reading, task_option
from plumbline.cli.output import format_option, show
from plumbline.errors.base import READ_AS
from plumbline.options.evaluation import PolicyOptions

if TYPE_CHECKING:
    from plumbline.io.table import Role
    from plumbline.render.formats import OutputFormat

SECTION = "Files"
policies_of_files = options(PolicyOptions, only=("on_duplicate", "missing"))


@click.command("check", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, metavar="FILES...")
@click.option("--role", type=click.Choice(["gold", "output"]), help="What the files are. [default: as their columns say]")
@format_option
@task_option(help="What the files hold. [default: ranking; with --positive filtering]")
@click.option("--strict", is_flag=True, help="Treat notices as errors: exit 1.")
@labels
@policies_of_files
@reading
def command(
    files: tuple[str, ...],
    role: Role | None,
    form: OutputFormat,
    task: str | None,
    *,
    strict: bool,
    **given: Any,
) -> int:
    """Check and print the result; exit 1 if something is wrong."""
    from plumbline.cli.progress import working
    from plumbline.tools.check import check

    with working("checking"):
        checked = check(files, task=task, role=role, **fitted(given, task=task))
    show(checked, form)
    wrong = [one for one in checked.notices if not one.is_notice or (strict and one.code != READ_AS)]
    return 1 if wrong else 0
