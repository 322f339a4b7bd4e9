"""List the metrics, or explain one.

NAME is explained by its formula, range, parameters, treatment of ties, undefined cases, paper, and names in other tools.
"""

from __future__ import annotations

import click

from plumbline.cli.command import Command
from plumbline.cli.options import task_option

SECTION = "Metrics"


@click.command("metrics", cls=Command, help=__doc__)
@click.argument("name", required=False)
@task_option(help="Only the metrics of this task.")
def command(name: str | None, task: str | None) -> None:
    """List all metrics, or explain NAME: formula, range, parameters, ties, undefined, paper, names elsewhere."""
    from plumbline.metrics.names import describe, task_of
    from plumbline.tools.describe import card, listing

    click.echo(listing(task) if name is None else card(describe(name, task or task_of([name]))))
