"""Draw one figure into a file.

The file is SVG, PNG, PDF, or JSON (Vega-Lite). Without arguments, list the kinds of figures.

Examples:
  plumbline plot
  plumbline plot bars qrels.txt runs/*.run -m AP -m nDCG@10 -o bars.pdf --width 3.3in
  plumbline plot differences scores.csv -m accuracy --system new --system old -o differences.svg
  plumbline plot graph scores.csv -o graph.png --dark

SCORES is a table of scores as `compare` takes it. Some kinds need a GOLD and SYSTEMs, not only scores.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import COMPARED_BY, Within, comparing, evaluating, output_option, report, talking
from plumbline.cli.screen import echo
from plumbline.cli.sources import comparison_options, gathered, refuse
from plumbline.errors.base import visible

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.figures.figure import Figure
    from plumbline.figures.subject import Subject

SECTION = "Systems"


@click.command("plot", cls=Command, help=__doc__)
@click.argument("kind", required=False)
@click.argument("sources", nargs=-1, metavar="SCORES | GOLD SYSTEM...")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file. [default: KIND.svg]")
@click.option("--system", "systems", multiple=True, metavar="NAME", help="Show this system; may be repeated. [default: all]")
@click.option("--width", metavar="SIZE", help="Width of the whole figure: pixels, or 3.3in, 84mm, 240pt.")
@output_option("--height", metavar="SIZE", help="Height of the area without its axes, likewise.")
@output_option("--dark", is_flag=True, help="Draw for a dark background.")
@output_option("--scale", type=Within(0.5, 20), default=3.0, show_default=True, help="Dots per pixel of a PNG.")
@output_option("--floor", is_flag=True, help="Also show outputs that ignore the gold.")
@output_option("--force", is_flag=True, help="Overwrite the file.")
@comparing
@evaluating
@talking
def command(
    kind: str | None,
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    output: Path | None,
    scale: float,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Draw, write, and say where it is."""
    from plumbline.cli.progress import working
    from plumbline.figures.figure import SIZES, require_altair
    from plumbline.figures.registry import find_figure
    from plumbline.figures.saving import check_format, pixels, save

    if kind is None:
        _list_kinds()
        return 0
    chosen = find_figure(kind)
    refuse(set(COMPARED_BY) - set(chosen.compare_options), f"changes nothing in the figure {kind}")
    target = output or Path(f"{kind}.svg")
    require_altair()
    check_format(target)
    sizes = {name: options.pop(name) for name in SIZES}
    looks = {
        "metrics": metrics,
        "systems": options.pop("systems"),
        "theme": "dark" if options.pop("dark") else "light",
        **{name: None if size is None else pixels(size) for name, size in sizes.items()},
    }
    if options["task"] is None and not options["positive"]:
        options["task"] = chosen.default_task
    subject = _subject(chosen, sources, metrics, options)
    with working("drawing"):
        chart, cramped = _drawn(chosen, subject, looks)
        save(chart, target, scale=scale, force=force)
    echo(f"Wrote {visible(str(target))}.")
    notices = subject.all_notices if chosen.tests else subject.notices
    return report((*notices, *cramped), quiet=quiet, verbose=verbose, strict=strict)


def _list_kinds() -> None:
    """The kinds with what they show."""
    from plumbline.figures.registry import FIGURES

    listed = click.HelpFormatter()
    listed.write_dl([(one.name, one.title) for one in FIGURES.values()])
    echo(listed.getvalue(), nl=False)


def _subject(chosen: Figure, sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> Subject:
    """What is drawn: a table of scores, or systems that are evaluated first; some figures need neither."""
    from plumbline.cli.progress import watched
    from plumbline.figures.figure import views_by_task
    from plumbline.figures.subject import subject_of

    if not sources and chosen.applies(nothing := subject_of(task=options["task"])):
        return nothing
    comparing = comparison_options(sources, metrics, options)
    source = gathered(sources, metrics, options)
    if not source.evaluated:
        return subject_of(source.scores, metrics=metrics, comparing=comparing)
    outputs = {"gold": source.gold, "systems": source.systems, "watch": watched, **source.options}
    return subject_of(metrics=metrics, comparing=comparing, views=views_by_task([chosen]), **outputs)


def _drawn(chosen: Figure, subject: Subject, looks: dict[str, Any]) -> tuple[Any, tuple[Diagnostic, ...]]:
    """The figure in its size, and what is to be said about it; if it cannot be drawn, those that can are named."""
    from plumbline.errors import BadUsage, figures
    from plumbline.figures.fitting import fitted
    from plumbline.figures.registry import FIGURES

    width = looks.pop("width")
    against = chosen.why_not(subject, **{name: value for name, value in looks.items() if name in chosen.options})
    if against is not None:
        others = [one.name for one in FIGURES.values() if one.applies(subject)]
        raise BadUsage(figures.cannot_draw(chosen.name, against, others))
    if width is None:
        return chosen.draw(subject, **looks), ()
    made = fitted(lambda inner: chosen.draw(subject, width=inner, **looks), width)
    return made.chart, (figures.little_room(width, made.width),) if made.cut or made.width > width else ()
