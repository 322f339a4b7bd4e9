"""Say which system is better, and how certain that is.

Examples:
  plumbline compare scores.csv
  plumbline compare gold.tsv systems/*.tsv --task clustering -m BCubedP -m BCubedR
  plumbline compare scores.csv -m P -m R --baseline old --gate not-worse --margin 0.01
  plumbline compare AP=ap.csv P@10=p10.csv --format latex

SCORES is a table of scores: system, case, metric, value; or a column for each metric; or a column for each system, with
METRIC=FILE. With a GOLD and SYSTEMs, they are evaluated first. The answer comes in words, then as a table.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import comparing, evaluating, output_option, report, statistics_option, talking
from plumbline.cli.output import check_plot, chosen_format, file_options
from plumbline.cli.output import show as print_result
from plumbline.cli.screen import echo
from plumbline.cli.sources import comparison_options, given
from plumbline.errors import BadUsage, files
from plumbline.errors.base import visible
from plumbline.render.present import figure_file

if TYPE_CHECKING:
    from plumbline.comparison.comparison import Comparison
    from plumbline.comparison.gate import Gate
    from plumbline.render.formats import OutputFormat

SECTION = "Start here"
SHOWN = (
    *("unanimity", "intervals", "references", "weights", "leads", "classes", "correlations", "parametric", "posterior"),
    *("repeats", "threshold"),
)


@click.command("compare", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("sources", nargs=-1, metavar="SCORES | GOLD SYSTEM...")
@comparing
@click.option(
    "--gate",
    metavar="[not-worse|better]",
    help="Exit 1 if a system is significantly worse than the baseline, or lower by more than --margin; or unless it is better.",
)
@statistics_option(
    "--gate-on", "gate_metrics", multiple=True, metavar="METRIC", help="The metrics of the gate; may be repeated."
)
@output_option("--summary", type=click.Path(dir_okay=False, path_type=Path), help="Append the gate as Markdown to this file.")
@output_option("--floor", is_flag=True, help="Also show outputs that ignore the gold.")
@click.option("--pairs", is_flag=True, help="Also show every pair.")
@output_option("--show", multiple=True, type=click.Choice(SHOWN), help="Also show this table; may be repeated.")
@file_options
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the scores over alpha into a file: SVG, PNG or PDF.",
)
@evaluating
@talking
def command(
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    gate: str | None,
    gate_metrics: tuple[str, ...],
    summary: Path | None,
    pairs: bool,
    show: tuple[str, ...],
    form: OutputFormat,
    output: Path | None,
    plot: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Compare, say it in words, show the tables."""
    from plumbline.cli.progress import comparing as watching
    from plumbline.comparison.compare import compare, unit_column
    from plumbline.io.bytes.atomic import check_writable, write_atomically

    if gate is None and (gate_metrics or summary is not None):
        raise click.UsageError("--gate-on and --summary go with --gate")
    if gate is not None and options["baseline"] is None:
        raise click.UsageError("--gate needs --baseline")
    check_writable(output, plot, force=force)
    check_plot(plot)
    if chosen_format(form, output).one_table and pairs + len(show) > 1:
        raise click.UsageError("this format holds one table: give --pairs or one --show")
    settings = comparison_options(sources, metrics, options)
    options |= unit_column(settings.get("units"), options.get("columns"))
    source = given(sources, metrics, options)
    with watching(quiet=quiet):
        chosen = None if source.evaluated else list(metrics) or None
        comparison = compare(source.scores, chosen, **settings)
        gated = None if gate is None else _gate(comparison, gate, gate_metrics)
        picture = None if plot is None else figure_file(comparison, "alpha", plot)
    print_result(comparison, form, output=output, force=force, pairs=pairs, show=show, gate=gated)
    if plot is not None and picture is not None:
        with write_atomically(plot, force=force) as file:
            file.write(picture)
    notices = (*(notice for notice in source.notices if notice not in comparison.notices), *comparison.notices)
    code = report(notices, quiet=quiet, verbose=verbose, strict=strict)
    if gated is None:
        return code
    if form.name == "github":
        click.echo(f"::{'notice' if gated.passed else 'error'} title=gate::{visible(str(gated))}")
    elif output is not None or form.one_table or form.name == "json":
        echo(visible(str(gated)), err=True)
    if summary is not None:
        _append(gated.to_markdown(), summary)
    return code if gated.passed else 1


def _append(text: str, path: Path) -> None:
    """Append to a file that other steps of a job may have begun."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BadUsage(files.unreadable(str(path), error.strerror or str(error))) from None


def _gate(comparison: Comparison, word: str, metrics: tuple[str, ...]) -> Gate:
    """The gate; up to version 0.1 the option named the system that was to be let through."""
    from plumbline.cli.sources import say
    from plumbline.comparison.gate import CONDITIONS
    from plumbline.comparison.reading import resolved

    names = [measure.name for measure in comparison.measures]
    chosen = resolved(metrics, names, {}) if metrics else ()
    if word not in CONDITIONS and word in comparison.systems:
        if word == comparison.baseline:
            raise click.UsageError("--gate names the baseline itself")
        say("renamed_option", f"--gate {word}", "--gate not-worse")
        return comparison.gate("not-worse", systems=[word], metrics=chosen)
    return comparison.gate(word, metrics=chosen)  # type: ignore[arg-type]  # which checks it
