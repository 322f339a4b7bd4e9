"""Show the terms that add up to one score.

The score is METRIC of one system in one case.

Examples:
  plumbline why AP qrels.txt runs/*.run --system bm25 --case 301
  plumbline why 'nDCG(gain=exp)@10' qrels.txt run.txt --case 301
  plumbline why 'F(P@10,R@10)' qrels.txt run.txt --case 301
  plumbline why Lam gold.tsv filter.tsv --positive spam
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import composing, fitted, items, labels, policies, reading, task_option
from plumbline.cli.output import format_option, show

if TYPE_CHECKING:
    from plumbline.render.formats import OutputFormat

SECTION = "Systems"

MOST_ROWS = 40


@click.command("why", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("metric")
@click.argument("gold")
@click.argument("systems", nargs=-1, metavar="SYSTEM...")
@task_option()
@click.option("--case", help="The case to look at. [default: the only one]")
@click.option("--item", help="The item to look at. [default: all]")
@click.option("--system", help="The system to look at. [default: the first]")
@format_option
@labels
@items
@composing
@policies
@reading
def command(
    metric: str,
    gold: str,
    systems: tuple[str, ...],
    *,
    case: str | None,
    system: str | None,
    form: OutputFormat,
    **options: Any,
) -> None:
    """Take one score apart."""
    from plumbline.cli.composition import composed
    from plumbline.tools.why import why

    chosen = fitted(options, [metric])
    show(why(*composed(gold, systems, chosen), metric, case=case, system=system, **chosen), form)
