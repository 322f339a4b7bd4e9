"""Tell which differences would hold on other cases or collections.

SCORES are tables of the same systems from several collections, or one table, which is split in halves.

Examples:
  plumbline elsewhere banks.csv cars.csv music.csv -m P -m R
  plumbline elsewhere scores.csv --pairs
"""

from __future__ import annotations

import sys
from typing import Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import Within, report, talking

SECTION = "Systems"


@click.command("elsewhere", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("collections", nargs=-1, required=True, metavar="SCORES...")
@click.option("-m", "--metric", "metrics", multiple=True, help="One or two metrics. [default: all of the table]")
@click.option("--alpha", type=Within(0, 1), default=0.5, show_default=True, help="The weight of the first metric.")
@click.option("--lower", multiple=True, metavar="METRIC", help="A metric of the table that is better when lower.")
@click.option("--splits", type=click.IntRange(1), default=1000, show_default=True, help="How often one collection is split.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the splits.")
@click.option("--pairs", is_flag=True, help="Also show every pair.")
@click.option("--format", "form", type=click.Choice(["table", "csv"]), default="table", show_default=True, help="How to print.")
@talking
def command(
    collections: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    pairs: bool,
    form: str,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,  # noqa: ANN401 - passed on to elsewhere()
) -> int:
    """Say it in words, show the tables."""
    from plumbline.cli.progress import working  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.comparison.generalise.elsewhere import elsewhere  # noqa: PLC0415
    from plumbline.comparison.wording import as_grid  # noqa: PLC0415
    from plumbline.render.terminal import terminal  # noqa: PLC0415

    with working("splitting the cases" if len(collections) == 1 else "comparing collections"):
        found = elsewhere(list(collections), list(metrics) or None, **options)
    if form == "csv":
        click.echo((found.pairs if pairs else found.predictors).write_csv(), nl=False)
        return report(found.notices, quiet=quiet, verbose=verbose, strict=strict)
    click.echo("\n".join(found.told) + "\n")
    terminal(as_grid(found.predictors, "precision of each predictor at some recalls"), sys.stdout)
    if not found.correlations.is_empty():
        click.echo()
        terminal(as_grid(found.correlations, "agreement of the rankings of systems"), sys.stdout)
    if pairs:
        click.echo()
        terminal(as_grid(found.pairs, "every pair"), sys.stdout)
    return report(found.notices, quiet=quiet, verbose=verbose, strict=strict)
