"""Rewrite a file in another format.

The ending of OUT decides the format.

Examples:
  plumbline convert run.txt run.parquet
  plumbline convert results.csv run.txt.gz
  plumbline convert --role gold judgements.json qrels.txt
  plumbline convert --task classification labels.tsv labels.parquet
  plumbline convert --task organization --clusters clusters.tsv run.txt organization.csv
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import reading, report, task_option
from plumbline.cli.screen import echo
from plumbline.render.formats import render
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from plumbline.io.table import Role

SECTION = "Files"


@click.command("convert", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--role",
    type=click.Choice(["gold", "output"]),
    help="What the file is. [default: as its columns say, else the ending of OUT]",
)
@task_option(help="What the file holds. [default: as it says, else ranking]")
@click.option("--clusters", metavar="FILE", help="The clusters of the items that IN ranks, for an organization.")
@click.option("--label-separator", metavar="TEXT", help="Split a label into several at this text, e.g. '|'.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@reading
def command(
    source: str,
    target: Path,
    role: Role | None,
    task: str | None,
    *,
    clusters: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Read, check and write."""
    from plumbline.cli.progress import working
    from plumbline.tools.convert import convert

    if clusters is not None and (task is None or task_named(task).table != "levels"):
        raise click.UsageError("--clusters goes with --task organization")
    with working("converting"):
        written = convert(source, target, task=task, role=role, clusters=clusters, force=force, **options)
    report(written.notices, quiet=False, verbose=False, strict=False)
    echo(render(written), nl=False, err=True)
