"""plumbline compare"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plumbline.cli.options import TASKS, composing, labels_without_threshold, policies, reading, report, space, talking

HELP = """Which system is better, and would the verdict survive another weighting or other cases?

\b
Examples:
  plumbline compare scores.csv
  plumbline compare gold.tsv systems/*.tsv --task clustering -m BCubedP -m BCubedR
  plumbline compare scores.csv -m P -m R --baseline old --gate new
  plumbline compare AP=ap.csv P@10=p10.csv --format latex

SCORES is a table of scores: system, case, metric, value; or a column for each metric; or a column for each system, with
METRIC=FILE. With a GOLD and SYSTEMs, they are evaluated first. The answer comes in words, then as a table.
"""
SHOWN = ("unanimity", "intervals", "references", "weights", "leads", "correlations", "parametric")
FORMATS = ("table", "md", "latex", "csv", "json")


@click.command("compare", help=HELP, no_args_is_help=True)
@click.argument("sources", nargs=-1, metavar="SCORES | GOLD SYSTEM...")
@click.option("-m", "--metric", "metrics", multiple=True, help="The metrics to compare by. [default: all of the table]")
@click.option("--task", type=click.Choice(TASKS), help="What kind of output it is, with a gold.")
@click.option("--baseline", metavar="SYSTEM", help="Compare with this system only.")
@click.option("--alpha", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="The weight of the first metric.")
@click.option(
    "--mean", type=click.Choice(["harmonic", "geometric", "arithmetic"]), help="How metrics are combined. [default: F]"
)
@click.option(
    "--threshold", type=float, default=0.25, show_default=True, help="The UIR from which an improvement is called robust."
)
@click.option(
    "--test",
    type=click.Choice(["randomization", "t", "wilcoxon", "sign", "bootstrap", "tukey", "randomised_tukey", "nemenyi"]),
    default="randomization",
    show_default=True,
    help="The significance test.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bonferroni", "benjamini_hochberg", "none"]),
    default="holm",
    show_default=True,
    help="For many tests at once.",
)
@click.option("--level", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Significant below this p.")
@click.option("--lower", multiple=True, metavar="METRIC", help="A metric of the table that is better when lower.")
@click.option("--eps", type=click.FloatRange(0), default=0.0, show_default=True, help="Differences up to this are none.")
@click.option("--resamples", type=click.IntRange(1), help="How often to draw, if a test does. [default: as often as needed]")
@click.option("--gate", metavar="SYSTEM", help="Exit 1 if this system is not robustly at least as good as the baseline.")
@click.option("--pairs", is_flag=True, help="Also show every pair.")
@click.option("--show", multiple=True, type=click.Choice(SHOWN), help="Also show this table; may be repeated.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw scores over alpha into an SVG file.")
@click.option("--force", is_flag=True, help="Overwrite the files of -o and --plot.")
@click.option("--positive-from", type=float, help="The score from which an item is positive. Filtering.")
@labels_without_threshold
@space
@composing
@policies
@reading
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
    from plumbline.compare.comparing import compare  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.io.atomic import write_atomically  # noqa: PLC0415

    if gate is not None and options["baseline"] is None:
        raise click.UsageError("--gate needs --baseline")  # noqa: EM101, TRY003 - click's own way
    own = ("baseline", "alpha", "mean", "threshold", "test", "correction", "level", "lower", "eps", "resamples")
    asked = {name: options.pop(name) for name in own}
    scores, said = _scores(sources, metrics, options)
    found = compare(scores, list(metrics) or None, **asked, seed=options.get("seed") or 0)
    text = _text(found, form, show, pairs=pairs)
    if output is None:
        click.echo(text, nl=False)
    else:
        with write_atomically(output, force=force) as file:
            file.write(text.encode())
    if plot is not None:
        with write_atomically(plot, force=force) as file:
            file.write(found.to_svg().encode())
    code = report((*said, *found.notices), quiet=quiet, verbose=verbose, strict=strict)
    against = None if gate is None else found.at_least_as_good(gate)
    if against is not None:
        click.echo(f"gate: {against}", err=True)
    return 1 if against is not None else code


def _scores(sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """The table of scores, or the scores of systems that are evaluated first, with what is to be said about them."""
    composed_of = options["priority"] or options["gold_clusters"]
    if not sources:
        raise click.UsageError("Missing argument 'SCORES | GOLD SYSTEM...'.")  # noqa: EM101, TRY003 - click's own way
    if (len(sources) == 1 and not composed_of) or _are_named_tables(sources):
        return sources[0] if len(sources) == 1 else list(sources), ()
    from plumbline.cli.composition import composed  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.cli.progress import watched  # noqa: PLC0415
    from plumbline.evaluation import evaluate  # noqa: PLC0415

    gold, *systems = sources
    options["threshold"] = options.pop("positive_from")
    scores = evaluate(*composed(gold, tuple(systems), options), metrics or None, watch=watched, **options)
    return scores, scores.notices


def _are_named_tables(sources: tuple[str, ...]) -> bool:
    """`METRIC=FILE` each; of a gold and systems, the gold has no name."""
    return all("=" in source and not Path(source).exists() for source in sources)


def _text(found: Any, form: str, show: tuple[str, ...], *, pairs: bool) -> str:  # noqa: ANN401 - a Comparison, which is not imported here
    from plumbline.compare import telling  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.render.latex import latex  # noqa: PLC0415
    from plumbline.render.markdown import markdown  # noqa: PLC0415
    from plumbline.render.terminal import plain  # noqa: PLC0415

    if form == "csv":
        wanted = "significance" if pairs else show[0] if show else "leaderboard"
        return str(telling.flat(getattr(found, wanted)).write_csv())
    if form == "json":
        return str(found.to_json())
    render = {"md": markdown, "latex": latex}.get(form, plain)
    grids = [telling.board(found, raised=form != "table"), *([telling.pairs(found)] if pairs else [])]
    grids += [telling.as_grid(getattr(found, name), name) for name in show]
    mark = {"latex": "% "}.get(form, "")
    words = "".join(f"{mark}{line}\n" for line in telling.summary(found))
    return words + "\n" + "\n".join(render(grid) for grid in grids)
