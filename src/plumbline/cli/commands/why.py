"""Show the terms that add up to one score.

The score is METRIC of one system in one case.

Examples:
  plumbline why AP qrels.txt runs/*.run --system bm25 --case 301
  plumbline why 'nDCG(gain=exp)@10' qrels.txt run.txt --case 301
  plumbline why 'F(P@10,R@10)' qrels.txt run.txt --case 301
  plumbline why Lam gold.tsv filter.tsv --positive spam
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import TASKS, composing, fitted, labels, policies, reading, space

if TYPE_CHECKING:
    import polars as pl

    from plumbline.tools.why import Why

SECTION = "Systems"

MOST_ROWS = 40


@click.command("why", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("metric")
@click.argument("gold")
@click.argument("systems", nargs=-1, metavar="SYSTEM...")
@click.option("--task", type=click.Choice(TASKS), help="What kind of output it is.")
@click.option("--case", help="The case to look at. [default: the only one]")
@click.option("--item", help="The item to look at, of a clustering. [default: all]")
@click.option("--system", help="The system to look at. [default: the first]")
@labels
@space
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
    **options: Any,  # noqa: ANN401 - passed on to why()
) -> None:
    """Take one score apart."""
    from plumbline.cli.composition import composed  # noqa: PLC0415
    from plumbline.tools.why import why  # noqa: PLC0415 - heavy imports when they are needed

    own = fitted(options, [metric])
    _show(why(*composed(gold, systems, own), metric, case=case, system=system, **own))


def _show(found: Why) -> None:
    from plumbline.errors import visible  # noqa: PLC0415
    from plumbline.render.formula import plain_formula  # noqa: PLC0415
    from plumbline.render.grid import UNDEFINED  # noqa: PLC0415

    for part in found.parts:
        _show(part)
    value = UNDEFINED if found.value is None else f"{found.value:.6f}"
    click.echo(visible(f"{found.measure} of {found.system} in case {found.case}: {value}"))
    if found.formula:
        click.echo(f"  {plain_formula(found.formula)}")
    if found.reason:
        click.echo(f"  undefined: {found.reason}")
    if found.filled:
        click.echo(f"  = {found.filled}")
    if not found.parts and (not found.reason or found.probabilities):
        _show_terms(found)


def _show_terms(found: Why) -> None:
    from plumbline.render.grid import UNDEFINED  # noqa: PLC0415

    if found.losses:
        told = ", ".join(f"{lost:.6g} to {cause}" for cause, lost in found.losses.items())
        click.echo(f"  lost: {told}")
    for table in (found.rows, found.pairs) if found.losses else (found.rows,):
        _show_table(table, "" if found.losses else "no judged item is shown")
    for name, value in found.probabilities.items():
        click.echo(f"  {name} = {UNDEFINED if value is None else f'{value:.6g}'}")
    if found.total is not None and found.divisor is not None and found.value is not None:
        click.echo(f"  sum of the terms {found.total:.6g} / {found.divisor:.6g} = {found.value:.6f}")


def _show_table(table: pl.DataFrame, otherwise: str) -> None:
    from plumbline.render.grid import Cell, Grid  # noqa: PLC0415
    from plumbline.render.terminal import terminal  # noqa: PLC0415

    shown = table.head(MOST_ROWS)
    rows = tuple(tuple(Cell(_text(value)) for value in row) for row in shown.iter_rows())
    if rows:
        terminal(Grid(tuple(shown.columns), rows), sys.stdout)
    elif otherwise:
        click.echo(f"  {otherwise}")
    if len(table) > MOST_ROWS:
        click.echo(f"  and {len(table) - MOST_ROWS} more rows")


def _text(value: object) -> str:
    from plumbline.render.grid import UNDEFINED  # noqa: PLC0415

    return UNDEFINED if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
