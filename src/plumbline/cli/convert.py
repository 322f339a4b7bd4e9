"""plumbline convert"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plumbline.cli.options import TASKS, reading

HELP = """Rewrite the file IN as OUT; the ending of OUT tells the format.

\b
Examples:
  plumbline convert run.txt run.parquet
  plumbline convert results.csv run.txt.gz
  plumbline convert --role gold judgements.json qrels.txt
  plumbline convert --task classification labels.tsv labels.parquet
"""


@click.command("convert", help=HELP, no_args_is_help=True)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--role", type=click.Choice(["gold", "output"]), help="What the file is. [default: told by its columns]")
@click.option("--task", type=click.Choice(TASKS), default="ranking", show_default=True, help="What the file holds.")
@click.option("--label-separator", metavar="TEXT", help="Splits a label into several, e.g. '|'.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@reading
def command(
    source: str,
    target: Path,
    role: str | None,
    task: str,
    *,
    force: bool,
    **options: Any,  # noqa: ANN401 - passed on to ReadOptions
) -> None:
    """Read, check and write."""
    from plumbline.io.content import load  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.guess import role_of  # noqa: PLC0415
    from plumbline.io.read import read  # noqa: PLC0415
    from plumbline.io.table import ReadOptions  # noqa: PLC0415
    from plumbline.io.write import write  # noqa: PLC0415

    chosen = ReadOptions(**options, labels=task != "ranking", clusters=task == "clustering")
    kind = role or ("gold" if chosen.labels else role_of(load(source, chosen.max_bytes), chosen.reader))
    read_in = read(source, kind, chosen)  # type: ignore[arg-type]  # click checked the choices
    write(read_in, target, kind, force=force)  # type: ignore[arg-type]  # click checked the choices
    click.echo(f"{target}: {len(read_in.frame):,} rows", err=True)
