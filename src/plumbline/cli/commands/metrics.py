"""List the metrics, or explain one.

NAME is explained by its formula, range, parameters, treatment of ties, undefined cases, paper, and names in other tools.
"""

from __future__ import annotations

import click

from plumbline.cli.command import Command
from plumbline.cli.options import task_option
from plumbline.cli.screen import echo

SECTION = "Metrics"


@click.command("metrics", cls=Command, help=__doc__)
@click.argument("name", required=False)
@task_option(help="Only the metrics of this task.")
@click.option("--agreement", is_flag=True, help="List coefficients of agreement between assessors instead of metrics.")
def command(name: str | None, task: str | None, *, agreement: bool) -> None:
    """List all metrics, or explain NAME: formula, range, parameters, ties, undefined, paper, names elsewhere."""
    if agreement:
        from plumbline.tools import coefficients

        echo(coefficients.listing() if name is None else coefficients.card(name))
        return
    from plumbline.metrics.names import describe, task_of
    from plumbline.tools.describe import card, listing

    echo(listing(task) if name is None else card(describe(name, task or task_of([name]))))
