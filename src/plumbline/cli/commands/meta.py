"""Study the metrics themselves on the scores of many systems.

Examples:
  plumbline meta scores.csv
  plumbline meta qrels.txt runs/*.run -m AP -m P@10 -m RR --show matrix --plot tradeoff.svg
  plumbline meta mail.tsv filters/*.tsv --positive spam -m Accuracy -m Lam --disagree Accuracy Lam
  plumbline meta scores.csv --against AP --against P@10 --show strictness --show curve
  plumbline meta scores.csv --preferences preferences.csv --show stability --show consistency

SCORES is a table of scores, as for plumbline compare. With a GOLD and SYSTEMs, the systems are evaluated first, and
more can be said about single outputs. The answer comes in words, then as a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import evaluating, metric_option, options, report, talking
from plumbline.cli.output import check_plot, chosen_format, file_options, plot_option, save_plot
from plumbline.cli.output import show as display
from plumbline.cli.sources import gathered, refuse
from plumbline.options.evaluation import EvaluateOptions, StudyOptions
from plumbline.options.option import MOST, declared

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat
    from plumbline.studies.study import Study

SECTION = "Metrics"
SHOWN = (
    *("strictness", "curve", "robustness", "discrimination", "asl", "swaps", "stability"),
    *("consistency", "noise", "preferences", "correlations", "matrix", "smoothing", "effects", "tradeoff"),
)
STUDY_ONLY = tuple(declared(StudyOptions))
"""The options of meta() that it does not share with evaluate()."""


@click.command("meta", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("sources", nargs=-1, metavar="SCORES | GOLD SYSTEM...")
@metric_option(help="The metrics to study. [default: all of the table]")
@options(StudyOptions)
@options(EvaluateOptions, only=("seed",))
@click.option("--disagree", nargs=2, metavar="A B", help="Also show the outputs on which two metrics disagree most.")
@click.option(
    "--outputs",
    type=click.IntRange(1, MOST),
    default=20,
    show_default=True,
    help="The number of outputs that --disagree shows.",
)
@click.option("--show", multiple=True, type=click.Choice(SHOWN), help="Also show this table; may be repeated.")
@file_options
@plot_option("Draw strictness against robustness into a file:")
@evaluating
@talking
def command(
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    disagree: tuple[str, str] | None,
    outputs: int,
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
    """Study the metrics, say it in words, show the tables."""
    from plumbline.cli.progress import working
    from plumbline.io.bytes.atomic import check_writable

    chosen = chosen_format(form, output)
    if chosen.one_table and len(show) + bool(disagree) > 1:
        message = f"{chosen.name.upper()} holds one table: give --disagree or one --show"
        raise click.UsageError(message)
    if not disagree:
        refuse({"outputs"}, "goes with --disagree")
    check_writable(output, plot, force=force)
    check_plot(plot)
    view: dict[str, Any] = {"show": show, "disagree": disagree or None, "outputs": outputs}
    with working("studying metrics"):
        study = _study(sources, metrics, options)
        study.to_blocks(**view)  # tables are computed when they are first used
    display(study, form, output=output, force=force, **view)
    if plot is not None:
        save_plot(study, "strictness", plot, force=force)
    return report(study.notices, quiet=quiet, verbose=verbose, strict=strict)


def _study(sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> Study:
    from plumbline.cli.progress import watched
    from plumbline.studies.meta import meta

    studied = {name: options.pop(name) for name in STUDY_ONLY}
    studied["against"] = studied["against"] or None
    seed = options["seed"]
    source = gathered(sources, metrics, options)
    if not source.evaluated:
        return meta(source.scores, metrics or None, **studied, seed=seed)
    evaluated = {**source.options, "seed": seed}
    return meta(None, metrics or None, gold=source.gold, systems=source.systems, watch=watched, **studied, **evaluated)
