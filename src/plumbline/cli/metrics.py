"""plumbline metrics"""

from __future__ import annotations

import click


@click.command("metrics")
@click.argument("name", required=False)
@click.option("--task", type=click.Choice(["ranking"]), help="Only the metrics of this task.")
def command(name: str | None, task: str | None) -> None:
    """List all metrics, or explain NAME: formula, range, parameters, ties, undefined, paper, names elsewhere."""
    from plumbline.describe import card, listing  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.metrics.names import describe  # noqa: PLC0415

    click.echo(listing(task) if name is None else card(describe(name)))
