"""Tell which system is better, and how sure that is.

Would the verdict survive another weighting of the metrics, or other cases?

Examples:
  plumbline compare scores.csv
  plumbline compare gold.tsv systems/*.tsv --task clustering -m BCubedP -m BCubedR
  plumbline compare scores.csv -m P -m R --baseline old --gate new
  plumbline compare AP=ap.csv P@10=p10.csv --format latex

SCORES is a table of scores: system, case, metric, value; or a column for each metric; or a column for each system, with
METRIC=FILE. With a GOLD and SYSTEMs, they are evaluated first. The answer comes in words, then as a table.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import comparing, evaluating, printing, report, talking
from plumbline.cli.output import check_plot
from plumbline.cli.sources import comparison_options, given
from plumbline.errors.base import visible
from plumbline.render.present import figure_file

if TYPE_CHECKING:
    from pathlib import Path

SECTION = "Systems"
SHOWN = ("unanimity", "intervals", "references", "weights", "leads", "correlations", "parametric")


@click.command("compare", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("sources", nargs=-1, metavar="SCORES | GOLD SYSTEM...")
@comparing
@click.option("--gate", metavar="SYSTEM", help="Exit 1 if this system loses to the baseline, robustly or by every weighting.")
@click.option("--pairs", is_flag=True, help="Also show every pair.")
@printing(SHOWN, "Draw the scores over alpha into a file: SVG, PNG or PDF.")
@evaluating
@talking
def command(  # noqa: PLR0913 - one for each option
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    gate: str | None,
    pairs: bool,
    show: tuple[str, ...],
    form: str,
    output: Path | None,
    plot: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,  # noqa: ANN401 - those of compare() and of evaluate()
) -> int:
    """Compare, say it in words, show the tables."""
    from plumbline.cli.progress import working  # noqa: PLC0415
    from plumbline.comparison.compare import compare  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.bytes.atomic import check_writable, write_atomically  # noqa: PLC0415

    if gate is not None and options["baseline"] is None:
        raise click.UsageError("--gate needs --baseline")  # noqa: EM101, TRY003 - click's own way
    if gate is not None and gate == options["baseline"]:
        raise click.UsageError("--gate names the baseline itself: name the system that is to be let through")  # noqa: EM101, TRY003
    check_writable(output, plot, force=force)
    check_plot(plot)
    asked = comparison_options(sources, metrics, options)
    source = given(sources, metrics, options)
    with working("comparing"):
        chosen = None if source.evaluated else list(metrics) or None
        found = compare(source.scores, chosen, **asked)
        against = None if gate is None else found.at_least_as_good(gate)
        text = _text(found, form, show, pairs=pairs)
        picture = b"" if plot is None else figure_file(found, "alpha", plot)
    if output is None and form == "table":
        _show(found, show, pairs=pairs)
    elif output is None:
        click.echo(text, nl=False)
    else:
        with write_atomically(output, force=force) as file:
            file.write(text.encode())
    if plot is not None:
        with write_atomically(plot, force=force) as file:
            file.write(picture)
    notices = (*(notice for notice in source.notices if notice not in found.notices), *found.notices)
    code = report(notices, quiet=quiet, verbose=verbose, strict=strict)
    if against is not None:
        click.echo(f"gate: {visible(str(against))}", err=True)
    return 1 if against is not None else code


def _text(found: Any, form: str, show: tuple[str, ...], *, pairs: bool) -> str:  # noqa: ANN401 - a Comparison, which is not imported here
    from plumbline.comparison import wording as telling  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.render.latex import latex  # noqa: PLC0415
    from plumbline.render.markdown import escaped, markdown  # noqa: PLC0415
    from plumbline.render.terminal import plain  # noqa: PLC0415

    if form == "csv":
        if pairs + len(show) > 1:
            raise click.UsageError("CSV holds one table: give --pairs or one --show")  # noqa: EM101, TRY003 - click's own way
        wanted = "significance" if pairs else show[0] if show else "leaderboard"
        return telling.as_csv(getattr(found, wanted))
    if form == "json":
        return telling.as_json(found, show)
    render = {"md": markdown, "latex": latex}.get(form, plain)
    grids = telling.grids(found, show, raised=form != "table", with_pairs=pairs)
    line = {"md": "- {}\n", "latex": "% {}\n"}.get(form, "{}\n")
    words = "".join(line.format((escaped if form == "md" else visible)(sentence)) for sentence in telling.summary(found))
    return words + "\n" + "\n".join(render(grid) for grid in grids)


def _show(found: Any, show: tuple[str, ...], *, pairs: bool) -> None:  # noqa: ANN401 - as above
    """Print as the terminal wants it."""
    from plumbline.comparison import wording as telling  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.render.terminal import terminal  # noqa: PLC0415

    click.echo("\n".join(map(visible, telling.summary(found))))
    for grid in telling.grids(found, show, with_pairs=pairs):
        click.echo()
        sys.stdout.flush()
        terminal(grid, sys.stdout)
