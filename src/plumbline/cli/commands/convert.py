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
from plumbline.cli.options import TASKS, reading, report

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
    if task == "organization":
        rows, notices = convert_organization(source, target, role, clusters, force=force, **options)
        report(notices, quiet=False, verbose=False, strict=False)
        told = ""
    else:
        rows, told = _convert(source, target, role, task, force=force, **options)
    click.echo(f"{target}: {rows:,} rows{told}", err=True)


def _convert(source: str, target: Path, role: str | None, task: str, *, force: bool, **options: Any) -> tuple[int, str]:  # noqa: ANN401 - as above
    """Write what is no organization; how many rows there were, and as what they were taken where nothing told it."""
    from plumbline.io.formats.write import write  # noqa: PLC0415
    from plumbline.io.read import read  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.table import ReadOptions  # noqa: PLC0415

    chosen = ReadOptions(**options, labels=task != "ranking", clusters=task == "clustering")
    known = role or ("gold" if chosen.labels else _told(source, target, chosen))
    kind = known or "output"
    read_in = read(source, kind, chosen)  # type: ignore[arg-type]  # click checked the choices
    write(read_in, target, kind, force=force)  # type: ignore[arg-type]  # click checked the choices
    return len(read_in.frame), "" if known else ", written as an output with scores; --role gold writes judgements"


def _told(source: str, target: Path, options: ReadOptions) -> Role | None:
    """What the columns of IN and the ending of OUT say that the file is; they must not contradict each other."""
    from plumbline.errors import BadUsage, files  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.bytes.content import load  # noqa: PLC0415
    from plumbline.io.formats.guess import meant_role, told_role  # noqa: PLC0415

    told, meant = told_role(load(source, options.max_bytes), options.reader), meant_role(target)
    if None not in {told, meant} and told != meant:
        raise BadUsage(files.other_role(source, str(target), gold=told == "gold"))
    return told or meant


def convert_organization(
    source: str,
    target: Path,
    role: str | None,
    clusters: str | None,
    *,
    force: bool,
    **options: Any,  # noqa: ANN401 - as above
) -> tuple[int, list[Diagnostic]]:
    """Write levels and clusters; how many rows there were, and what should be said."""
    from plumbline.io.formats.guess import organization_role  # noqa: PLC0415
    from plumbline.io.formats.write_organization import write_organization  # noqa: PLC0415
    from plumbline.io.memory.compose import Composed  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.read import read  # noqa: PLC0415
    from plumbline.io.table import ReadOptions  # noqa: PLC0415

    chosen = ReadOptions(**options, organization=True)
    kind = role or organization_role(source, chosen)
    read_in = read(source if clusters is None else Composed(source, clusters), kind, chosen)  # type: ignore[arg-type]  # click checked
    unwritten = write_organization(read_in, target, force=force)
    return len(read_in.frame), [*read_in.notices, *unwritten]
