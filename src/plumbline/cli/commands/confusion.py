"""Print the confusion matrix of every system.

It counts which class of the gold was given which label.

Examples:
  plumbline confusion gold.tsv labels.tsv
  plumbline confusion gold.tsv labels/*.tsv --case news --format latex
  plumbline confusion gold.tsv filter.tsv --task filtering --positive spam --format csv
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import fitted, labels, policies, reading, report, talking

SECTION = "Systems"


@click.command("confusion", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@click.option(
    "--task",
    type=click.Choice(["classification", "filtering"]),
    help="What kind of output it is. [default: classification; with --positive filtering]",
)
@click.option("--case", help="The case to look at. [default: all together]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "md", "latex"]),
    default="table",
    show_default=True,
    help="How to print.",
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.option("--force", is_flag=True, help="Overwrite the file of -o.")
@labels
@policies
@reading
@talking
def command(  # noqa: PLR0913 - one for each option
    gold: str,
    systems: tuple[str, ...],
    *,
    case: str | None,
    form: str,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,  # noqa: ANN401 - passed on to confusion()
) -> int:
    """Count, print, say what should be said."""
    from plumbline.io.bytes.atomic import write_atomically  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.render.latex import latex  # noqa: PLC0415
    from plumbline.render.markdown import markdown  # noqa: PLC0415
    from plumbline.render.terminal import plain, terminal  # noqa: PLC0415
    from plumbline.tools.confusion import confusion, task_of_matrix  # noqa: PLC0415

    found = confusion(gold, systems, **fitted(options, task=task_of_matrix(options["positive"])))
    if output is None and form == "table":
        for name in found.systems:
            terminal(found.grid(name, case), sys.stdout)
    else:
        draw = {"latex": latex, "md": markdown}.get(form, plain)
        text = (
            found.counts(case).write_csv()
            if form == "csv"
            else "\n".join(draw(found.grid(name, case)) for name in found.systems)
        )
        if output is None:
            click.echo(text, nl=False)
        else:
            with write_atomically(output, force=force) as file:
                file.write(text.encode())
    return report(found.notices, quiet=quiet, verbose=verbose, strict=strict)
