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

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import comparing, evaluating, report, talking
from plumbline.cli.output import check_plot, chosen_format, file_options
from plumbline.cli.output import show as print_result
from plumbline.cli.sources import comparison_options, given
from plumbline.errors.base import visible
from plumbline.render.present import figure_file

if TYPE_CHECKING:
    from plumbline.render.formats import OutputFormat

SECTION = "Systems"
SHOWN = ("unanimity", "intervals", "references", "weights", "leads", "correlations", "parametric")


@click.command("compare", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("sources", nargs=-1, metavar="SCORES | GOLD SYSTEM...")
@comparing
@click.option("--gate", metavar="SYSTEM", help="Exit 1 if this system loses to the baseline, robustly or by every weighting.")
@click.option("--pairs", is_flag=True, help="Also show every pair.")
@click.option("--show", multiple=True, type=click.Choice(SHOWN), help="Also show this table; may be repeated.")
@file_options
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the scores over alpha into a file: SVG, PNG or PDF.",
)
@evaluating
@talking
def command(  # noqa: PLR0913 - one for each option
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    gate: str | None,
    pairs: bool,
    show: tuple[str, ...],
    form: OutputFormat,
    output: Path | None,
    plot: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,  # noqa: ANN401 - those of compare() and of evaluate()
) -> int:
    """Compare, say it in words, show the tables."""
    from plumbline.cli.progress import working
    from plumbline.comparison.compare import compare
    from plumbline.io.bytes.atomic import check_writable, write_atomically

    if gate is not None and options["baseline"] is None:
        raise click.UsageError("--gate needs --baseline")  # noqa: EM101, TRY003 - click's own way
    if gate is not None and gate == options["baseline"]:
        raise click.UsageError("--gate names the baseline itself: name the system that is to be let through")  # noqa: EM101, TRY003
    check_writable(output, plot, force=force)
    check_plot(plot)
    if chosen_format(form, output).one_table and pairs + len(show) > 1:
        raise click.UsageError("this format holds one table: give --pairs or one --show")  # noqa: EM101, TRY003 - click's own way
    settings = comparison_options(sources, metrics, options)
    source = given(sources, metrics, options)
    with working("comparing"):
        chosen = None if source.evaluated else list(metrics) or None
        comparison = compare(source.scores, chosen, **settings)
        against = None if gate is None else comparison.at_least_as_good(gate)
        picture = None if plot is None else figure_file(comparison, "alpha", plot)
    print_result(comparison, form, output=output, force=force, pairs=pairs, show=show)
    if plot is not None and picture is not None:
        with write_atomically(plot, force=force) as file:
            file.write(picture)
    notices = (*(notice for notice in source.notices if notice not in comparison.notices), *comparison.notices)
    code = report(notices, quiet=quiet, verbose=verbose, strict=strict)
    if against is not None:
        click.echo(f"gate: {visible(str(against))}", err=True)
    return 1 if against is not None else code
