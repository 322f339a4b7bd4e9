"""Study the metrics themselves on the scores of many systems.

Examples:
  plumbline meta scores.csv
  plumbline meta qrels.txt runs/*.run -m AP -m P@10 -m RR --show matrix --plot tradeoff.svg
  plumbline meta mail.tsv filters/*.tsv --positive spam -m Accuracy -m Lam --disagree Accuracy Lam
  plumbline meta scores.csv --against AP --against P@10 --show strictness --show curve

SCORES is a table of scores, as for plumbline compare. With a GOLD and SYSTEMs, these are evaluated first, and more can be
said about single outputs. The answer comes in words, then as a table.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import evaluating, options, printing, report, talking
from plumbline.cli.output import check_plot
from plumbline.cli.sources import gathered, refuse
from plumbline.errors.base import visible
from plumbline.option import declared
from plumbline.options import EvaluateOptions, StudyOptions
from plumbline.render.present import figure_file

if TYPE_CHECKING:
    from pathlib import Path

SECTION = "Metrics"
SHOWN = (
    *("strictness", "curve", "robustness", "discrimination", "asl", "swaps", "correlations", "matrix"),
    *("smoothing", "effects", "tradeoff"),
)
OWN = tuple(declared(StudyOptions))
"""The options of meta() that it does not share with evaluate()."""


@click.command("meta", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("sources", nargs=-1, metavar="SCORES | GOLD SYSTEM...")
@click.option("-m", "--metric", "metrics", multiple=True, help="The metrics to study. [default: all of the table]")
@options(StudyOptions)
@options(EvaluateOptions, only=("seed",))
@click.option("--disagree", nargs=2, metavar="A B", help="Also show the outputs on which two metrics disagree most.")
@click.option("--outputs", type=click.IntRange(1), default=20, show_default=True, help="So many outputs with --disagree.")
@printing(SHOWN, "Draw strictness against robustness into a file: SVG, PNG or PDF.")
@evaluating
@talking
def command(  # noqa: PLR0913 - one for each option
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    disagree: tuple[str, str] | None,
    outputs: int,
    show: tuple[str, ...],
    form: str,
    output: Path | None,
    plot: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,  # noqa: ANN401 - those of meta() and of evaluate()
) -> int:
    """Study the metrics, say it in words, show the tables."""
    from plumbline.cli.progress import working  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.bytes.atomic import check_writable, write_atomically  # noqa: PLC0415

    if form == "csv" and len(show) + bool(disagree) > 1:
        raise click.UsageError("CSV holds one table: give --disagree or one --show")  # noqa: EM101, TRY003 - click's own way
    if not disagree:
        refuse({"outputs"}, "goes with --disagree")
    check_writable(output, plot, force=force)
    check_plot(plot)
    with working("studying metrics"):
        found = _study(sources, metrics, options)
        text = _text(found, form, show, disagree or None, outputs)
        picture = b"" if plot is None else figure_file(found, "strictness", plot)
    if output is None and form == "table":
        _show(found, show, disagree or None, outputs)
    elif output is None:
        click.echo(text, nl=False)
    for path, content in ((output, text.encode()), (plot, picture)):
        if path is not None:
            with write_atomically(path, force=force) as file:
                file.write(content)
    return report(found.notices, quiet=quiet, verbose=verbose, strict=strict)


def _study(sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> Any:  # noqa: ANN401 - a Study, which is not imported here
    from plumbline.cli.progress import watched  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.studies.meta import meta  # noqa: PLC0415

    own = {name: options.pop(name) for name in OWN}
    own["against"] = own["against"] or None
    seed = options["seed"]
    source = gathered(sources, metrics, options)
    if not source.evaluated:
        return meta(source.scores, metrics or None, **own, seed=seed)
    told = {**source.options, "seed": seed}
    return meta(None, metrics or None, gold=source.gold, systems=source.systems, watch=watched, **own, **told)


def _text(found: Any, form: str, show: tuple[str, ...], disagree: tuple[str, str] | None, top: int) -> str:  # noqa: ANN401 - as above
    from plumbline.comparison.wording import as_csv  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.render.latex import latex  # noqa: PLC0415
    from plumbline.render.markdown import escaped, markdown  # noqa: PLC0415
    from plumbline.render.terminal import plain  # noqa: PLC0415
    from plumbline.studies import tables as telling  # noqa: PLC0415

    if form == "csv":
        return as_csv(found.disagreements(*disagree, top) if disagree else telling.frame(found, *show))
    if form == "json":
        return telling.as_json(found, disagree, top)
    render = {"md": markdown, "latex": latex}.get(form, plain)
    line = {"md": "- {}\n", "latex": "% {}\n"}.get(form, "{}\n")
    parts = _parts(found, show, disagree, top)
    told = ["".join(line.format((escaped if form == "md" else visible)(sentence)) for sentence in some) for some, _ in parts]
    drawn = [render(grid) if grid is not None else "" for _, grid in parts]
    return "\n".join(text for pair in zip(told, drawn, strict=True) for text in pair if text)


def _parts(found: Any, show: tuple[str, ...], disagree: tuple[str, str] | None, top: int) -> list[tuple[list[str], Any]]:  # noqa: ANN401 - as above
    """Sentences and the table that follows them, in the order in which they are shown."""
    from plumbline.studies import tables as telling  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.studies import wording as words  # noqa: PLC0415 - heavy imports when they are needed

    first, *more = telling.grids(found, show)
    parts: list[tuple[list[str], Any]] = [(words.summary(found), first), *(([], grid) for grid in more)]
    if disagree:
        grid, reasons = telling.disagreement(found, *disagree, top)
        parts += [([], grid), (reasons, None)]
    return parts


def _show(found: Any, show: tuple[str, ...], disagree: tuple[str, str] | None, top: int) -> None:  # noqa: ANN401 - as above
    """Print as the terminal wants it."""
    from plumbline.render.terminal import terminal  # noqa: PLC0415 - heavy imports when they are needed

    for place, (sentences, grid) in enumerate(_parts(found, show, disagree, top)):
        if place:
            click.echo()
        if sentences:
            click.echo("\n".join(map(visible, sentences)) + ("\n" if grid is not None else ""))
        sys.stdout.flush()
        if grid is not None:
            terminal(grid, sys.stdout)
