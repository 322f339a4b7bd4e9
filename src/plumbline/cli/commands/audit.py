"""Search for inputs on which a metric breaks a constraint.

Which constraints does a metric keep, and what is the smallest input on which it breaks the others?

Examples:
  plumbline audit "F(P,R)" MI --task filtering
  plumbline audit --task ranking --format latex -o table.tex
  plumbline audit my_metrics:f2

METRIC is a name, or module:function for a function of your own, which is called as
  filtering     f(tp, fp, fn, tn)      four counts
  ranking       f(grades, relevant)    1 and 0 from the top; how many are relevant in all
  clustering    f(clusters, classes)   lists of lists of items
  organization  f(levels, gold)        lists of levels of clusters of items
and returns a number, or None where it is undefined. Without METRIC all metrics of the task are audited.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plumbline.cli.command import Command
from plumbline.cli.options import FORMATS, report, talking

if TYPE_CHECKING:
    from plumbline.audits.result import Audit
    from plumbline.metrics.registry import Task

SECTION = "Metrics"
TASKS = ("ranking", "filtering", "clustering", "organization")
FEW = 5
"""With more metrics counterexamples are left out unless asked for."""


@click.command("audit", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("metrics", nargs=-1, metavar="METRIC...")
@click.option("--task", type=click.Choice(TASKS), help="What kind of output it is for. [default: told by METRIC]")
@click.option(
    "--constraint", "--constraints", "constraints", multiple=True, metavar="NAME", help="Only this one; may be repeated."
)
@click.option("--budget", type=click.IntRange(1), default=20_000, show_default=True, help="How many pairs to try for each.")
@click.option("--seed", type=int, default=0, show_default=True, help="For the larger pairs, which are drawn.")
@click.option("--lower", multiple=True, metavar="METRIC", help="A function of your own that is better when lower.")
@click.option("--list", "listing", is_flag=True, help="Only tell what the constraints of the task demand.")
@click.option("--counterexamples/--no-counterexamples", "examples", default=None, help="Draw them. [default: up to 5 metrics]")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.option("--force", is_flag=True, help="Overwrite the file of -o.")
@talking
def command(  # noqa: PLR0913 - one for each option
    metrics: tuple[str, ...],
    task: Task | None,
    constraints: tuple[str, ...],
    *,
    budget: int,
    seed: int,
    lower: tuple[str, ...],
    listing: bool,
    examples: bool | None,
    form: str,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
) -> int:
    """Audit, print the table, draw the counterexamples."""
    from plumbline.audits.audit import asked_task, audit  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.audits.constraints.every import demands  # noqa: PLC0415
    from plumbline.cli.progress import working  # noqa: PLC0415
    from plumbline.io.bytes.atomic import write_atomically  # noqa: PLC0415

    if not metrics and task is None:
        raise click.UsageError("give a METRIC, or --task for all metrics of a task")  # noqa: EM101, TRY003 - click's own way
    if listing:
        click.echo(demands(task or asked_task(metrics), constraints or None))
        return 0
    with working("auditing"):
        found = audit(metrics, task=task, constraints=constraints or None, budget=budget, seed=seed, lower=lower)
    drawn = len(found.metrics) <= FEW if examples is None else examples
    if output is not None:
        with write_atomically(output, force=force) as file:
            file.write(_text(found, form, drawn=drawn).encode())
    elif form == "table":
        _show(found, drawn=drawn)
    else:
        click.echo(_text(found, form, drawn=drawn), nl=False)
    return report(found.notices, quiet=quiet, verbose=verbose, strict=strict)


def _show(found: Audit, *, drawn: bool) -> None:
    from plumbline.render.terminal import terminal  # noqa: PLC0415 - heavy imports when they are needed

    terminal(found.grid(), sys.stdout)
    if drawn:
        click.echo(f"\n{found.counterexamples()}")


def _text(found: Audit, form: str, *, drawn: bool) -> str:
    from plumbline.render.terminal import plain  # noqa: PLC0415 - heavy imports when they are needed

    if form == "json":
        return found.to_json()
    if form == "csv":
        return found.table.write_csv()
    if form in {"md", "latex"}:
        return found.to_markdown() if form == "md" else found.to_latex()
    return plain(found.grid()) + (f"\n{found.counterexamples()}\n" if drawn else "")
