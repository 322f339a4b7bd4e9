"""plumbline why"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.options import policies, reading

if TYPE_CHECKING:
    from plumbline.why import Why

MOST_ROWS = 40

HELP = """Show the terms that add up to one score: METRIC of a system in a case.

\b
Examples:
  plumbline why AP qrels.txt runs/*.run --system bm25 --case 301
  plumbline why 'nDCG(gain=exp)@10' qrels.txt run.txt --case 301
  plumbline why 'F(P@10,R@10)' qrels.txt run.txt --case 301
"""


@click.command("why", help=HELP, no_args_is_help=True)
@click.argument("metric")
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@click.option("--case", required=True, help="The case to look at.")
@click.option("--system", help="The system to look at. [default: the first]")
@policies
@reading
def command(
    metric: str,
    gold: str,
    systems: tuple[str, ...],
    *,
    case: str,
    system: str | None,
    **options: Any,  # noqa: ANN401 - passed on to why()
) -> None:
    """Take one score apart."""
    from plumbline.io.table import ReadOptions  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.why import why  # noqa: PLC0415

    reading_options = ReadOptions(*(options.pop(name) for name in ("reader", "order", "tag", "max_bytes")))
    _show(why(gold, systems, metric, case=case, system=system, options=reading_options, **options))


def _show(found: Why) -> None:
    from plumbline.errors import visible  # noqa: PLC0415
    from plumbline.formula import plain_formula  # noqa: PLC0415
    from plumbline.render.grid import UNDEFINED  # noqa: PLC0415

    for part in found.parts:
        _show(part)
    value = UNDEFINED if found.value is None else f"{found.value:.6f}"
    click.echo(visible(f"{found.measure} of {found.system} in case {found.case}: {value}"))
    if found.formula:
        click.echo(f"  {plain_formula(found.formula)}")
    if found.reason:
        click.echo(f"  undefined: {found.reason}")
    elif not found.parts:
        _show_terms(found)


def _show_terms(found: Why) -> None:
    from plumbline.render.grid import Cell, Grid  # noqa: PLC0415
    from plumbline.render.terminal import terminal  # noqa: PLC0415

    shown = found.rows.head(MOST_ROWS)
    rows = tuple(
        tuple(Cell(f"{value:.6g}" if isinstance(value, float) else str(value)) for value in row) for row in shown.iter_rows()
    )
    if rows:
        terminal(Grid(tuple(shown.columns), rows), sys.stdout)
    else:
        click.echo("  no judged item is shown")
    if len(found.rows) > MOST_ROWS:
        click.echo(f"  and {len(found.rows) - MOST_ROWS} more judged items")
    if found.total is not None and found.divisor is not None and found.value is not None:
        click.echo(f"  sum of the terms {found.total:.6g} / {found.divisor:.6g} = {found.value:.6f}")
