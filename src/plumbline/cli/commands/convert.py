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

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import TASKS, reading, report
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.io.table import ReadOptions, Role

SECTION = "Files"


@click.command("convert", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--role",
    type=click.Choice(["gold", "output"]),
    help="What the file is. [default: told by its columns, else by the ending of OUT]",
)
@click.option("--task", type=click.Choice(TASKS), default="ranking", show_default=True, help="What the file holds.")
@click.option("--clusters", metavar="FILE", help="The clusters of the items that IN puts in order. Organization.")
@click.option("--label-separator", metavar="TEXT", help="Splits a label into several, e.g. '|'.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@reading
def command(
    source: str,
    target: Path,
    role: str | None,
    task: str,
    *,
    clusters: str | None,
    force: bool,
    **options: Any,  # noqa: ANN401 - passed on to ReadOptions
) -> None:
    """Read, check and write."""
    if task != "organization" and clusters is not None:
        raise click.UsageError("--clusters goes with --task organization")  # noqa: EM101, TRY003 - click's own way
    written = convert(source, target, task, role, clusters, force=force, **options)
    report(written.notices, quiet=False, verbose=False, strict=False)
    assumed = ", written as an output with scores; --role gold writes judgements" if written.assumed_output else ""
    click.echo(f"{target}: {written.rows:,} rows{assumed}", err=True)


@dataclass(frozen=True)
class Written:
    """What convert did."""

    rows: int
    notices: list[Diagnostic]
    assumed_output: bool
    """Whether neither the columns nor the ending nor the user told what the file is."""


def convert(
    source: str,
    target: Path,
    task: str = "ranking",
    role: str | None = None,
    clusters: str | None = None,
    *,
    force: bool = False,
    **options: Any,  # noqa: ANN401 - passed on to ReadOptions
) -> Written:
    """Read a file, check it and write it in the format of the target."""
    from plumbline.io.memory.compose import Composed  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.read import read  # noqa: PLC0415 - as above
    from plumbline.io.table import ReadOptions  # noqa: PLC0415 - as above
    from plumbline.io.write import write  # noqa: PLC0415 - as above

    chosen = ReadOptions(**options, kind=task_named(task).table)
    known = role or _role(source, target, chosen)
    kind: Role = "gold" if known == "gold" else "output"
    table = read(source if clusters is None else Composed(source, clusters), kind, chosen)
    unwritten = write(table, target, kind, force=force)
    notices = [*table.notices, *unwritten] if chosen.kind == "levels" else unwritten
    return Written(len(table.frame), notices, assumed_output=known is None)


def _role(source: str, target: Path, options: ReadOptions) -> Role | None:
    """What the columns of IN and the ending of OUT say that the file is; they must not contradict each other."""
    from plumbline.errors import BadUsage, files  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.bytes.content import load  # noqa: PLC0415 - as above
    from plumbline.io.roles import role_of, role_of_organization  # noqa: PLC0415 - as above
    from plumbline.io.write import role_by_suffix  # noqa: PLC0415 - as above

    if options.kind == "levels":
        return role_of_organization(source, options)
    if options.kind != "scores":
        return "gold"
    by_columns, by_suffix = role_of(load(source, options.max_bytes), options), role_by_suffix(target)
    if None not in {by_columns, by_suffix} and by_columns != by_suffix:
        raise BadUsage(files.other_role(source, str(target), gold=by_columns == "gold"))
    return by_columns or by_suffix
