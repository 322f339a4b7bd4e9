"""Find a weighting that reverses the order of two systems.

Examples:
  plumbline reversal P=0.8,R=0.3 P=0.5,R=0.4
  plumbline reversal 0.8,0.3 0.5,0.4 --mean harmonic
  plumbline reversal AP=0.3,time=1.5 AP=0.2,time=0.5 --lower time

FIRST and SECOND are the scores of two systems by the same metrics: with names, or only numbers. Only an improvement by every
metric cannot be undone by any weighting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plumbline.cli.command import Command
from plumbline.cli.output import file_options, show

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.comparison.weighting.blends import Mean
    from plumbline.render.formats import OutputFormat

SECTION = "Systems"


@click.command("reversal", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.option(
    "--mean",
    type=click.Choice(["arithmetic", "harmonic", "geometric"]),
    default="arithmetic",
    show_default=True,
    help="The mean that is weighted; harmonic is F.",
)
@click.option("--lower", multiple=True, metavar="METRIC", help="A metric that is better when lower; may be repeated.")
@file_options
def command(
    first: str, second: str, *, mean: Mean, lower: tuple[str, ...], form: OutputFormat, output: Path | None, force: bool
) -> None:
    """Find the weights, print them."""
    from plumbline.tools.reversal import reversal

    show(reversal(_scores(first), _scores(second), mean=mean, lower=lower), form, output=output, force=force)


def _scores(typed: str) -> dict[str, float] | list[float]:
    """`P=0.8,R=0.3` or `0.8,0.3`."""
    parts = [part.rpartition("=") for part in typed.split(",")]
    try:
        numbers = [float(value) for _, _, value in parts]
    except ValueError:
        message = f"{typed!r} is not a list of scores such as P=0.8,R=0.3"
        raise click.UsageError(message) from None
    names = [name.strip() for name, sign, _ in parts if sign]
    if not names:
        return numbers
    if len(set(names)) < len(parts):
        message = f"{typed!r} needs another name for each score, as in P=0.8,R=0.3"
        raise click.UsageError(message)
    return dict(zip(names, numbers, strict=True))
