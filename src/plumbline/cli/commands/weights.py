"""Show how much each position of a list counts.

The first N positions carry W of the score in Rel and Sens.

Examples:
  plumbline weights --n 30 --w 0.8
  plumbline weights --n 10 --w 0.8 --discount inverse_square --discount geometric --plot weights.svg
  plumbline weights --own 3:2:1 --w 0.9
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plumbline.cli.command import Command
from plumbline.cli.options import Within
from plumbline.cli.output import check_plot, format_option, plot_option, save_plot, show

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Metrics"


@click.command("weights", cls=Command, help=__doc__)
@click.option("--n", type=int, default=30, show_default=True, help="The number of positions that carry W.")
@click.option(
    "--w",
    type=Within(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="The share of the weight that the first N positions carry.",
)
@click.option(
    "--discount",
    "discounts",
    multiple=True,
    type=click.Choice(["inverse_square", "geometric", "logarithmic", "uniform"]),
    help="How the weight falls; may be repeated. [default: inverse_square]",
)
@click.option("--own", metavar="A:B:...", help="Weights of your own, a number for each position.")
@format_option
@plot_option("Also draw the curve into a file:")
@click.option("--force", is_flag=True, help="Overwrite the file of --plot.")
def command(
    n: int, w: float, discounts: tuple[str, ...], own: str | None, form: OutputFormat, plot: Path | None, *, force: bool
) -> None:
    """Print the weights, draw the curve."""
    from plumbline.tools.weights import weights
    from plumbline.views.discount import vector

    check_plot(plot)
    result = weights(n, w, discounts=discounts or "inverse_square", own=None if own is None else vector(own).tolist())
    show(result, form)
    if plot is not None:
        save_plot(result, "weights", plot, force=force)
