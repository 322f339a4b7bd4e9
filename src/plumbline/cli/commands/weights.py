"""Show how much each position of a list counts.

The first N positions carry W of the score in Rel and Sens.

Examples:
  plumbline weights --n 30 --w 0.8
  plumbline weights --n 10 --w 0.8 --discount inverse_square --discount geometric --plot weights.svg
  plumbline weights --own 3:2:1 --w 0.9
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from plumbline.cli.command import Command
from plumbline.cli.options import Within

SECTION = "Metrics"


@click.command("weights", cls=Command, help=__doc__)
@click.option("--n", type=click.IntRange(1), default=30, show_default=True, help="So many positions carry W.")
@click.option(
    "--w",
    type=Within(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="What the first N positions carry.",
)
@click.option(
    "--discount",
    "discounts",
    multiple=True,
    type=click.Choice(["inverse_square", "geometric", "logarithmic", "uniform"]),
    help="How the weight falls; may be repeated. [default: inverse_square]",
)
@click.option("--own", metavar="A:B:...", help="Weights of your own, a number for each position.")
@click.option("--format", "form", type=click.Choice(["table", "csv"]), default="table", show_default=True, help="How to print.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Also draw the curve into an SVG file.")
@click.option("--force", is_flag=True, help="Overwrite the file of --plot.")
def command(
    n: int, w: float, discounts: tuple[str, ...], own: str | None, form: str, plot: Path | None, *, force: bool
) -> None:
    """Print the weights, draw the curve."""
    from plumbline.io.bytes.atomic import write_atomically  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.render.terminal import terminal  # noqa: PLC0415
    from plumbline.tools.weights import weights  # noqa: PLC0415
    from plumbline.views.discount import vector  # noqa: PLC0415

    found = weights(n, w, discounts=discounts or "inverse_square", own=None if own is None else vector(own).tolist())
    if form == "csv":
        click.echo(found.table.write_csv(), nl=False)
    else:
        terminal(found.grid(), sys.stdout)
    if plot is not None:
        with write_atomically(plot, force=force) as file:
            file.write(found.to_svg().encode())
