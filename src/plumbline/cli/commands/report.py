"""Write one HTML page with everything about some systems.

It holds the verdict, the leaderboard, figures, data, and the commands that reproduce them.

Examples:
  plumbline report qrels.txt runs/*.run -m AP -m nDCG@10 -o report.html
  plumbline report mail.tsv filters/*.tsv --positive spam -o report.html
  plumbline report scores.csv --baseline old -o report.html
  plumbline report dossier.toml -o report.html

The page is one file: it needs no network, no server and no other file. SCORES is a table of scores as `compare` takes it, or
what `evaluate -o scores.parquet` wrote; PLAN is a TOML file with several parts. With a GOLD and SYSTEMs there is more to see.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import comparing, evaluating, output_option, report, talking
from plumbline.cli.screen import echo
from plumbline.cli.sources import comparison_options, gathered, refuse
from plumbline.errors.base import visible

if TYPE_CHECKING:
    from plumbline.reports.building import Chapter

SECTION = "Start here"
TYPED = "plumbline.typed"


class Remembering(Command):
    """A command that keeps what was typed, to say how its result was made."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words before they are understood."""
        ctx.meta[TYPED] = tuple(args)
        return super().parse_args(ctx, args)


@click.command("report", cls=Remembering, help=__doc__, no_args_is_help=True)
@click.argument("sources", nargs=-1, metavar="PLAN | SCORES | GOLD SYSTEM...")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="report.html",
    show_default=True,
    help="The page.",
)
@click.option("--title", help="What the page is called. [default: how many systems, by which metrics]")
@output_option(
    "--front",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A TOML file with what comes before the results: title, introduction, date, logo, links, teams.",
)
@output_option(
    "--also",
    metavar="FILE",
    multiple=True,
    type=click.Path(dir_okay=False, exists=True),
    help="Add a part with a result saved by agree, aggregate, pool, clicks or another command; may be repeated.",
)
@output_option("--floor", is_flag=True, help="Also show outputs that ignore the gold.")
@output_option("--force", is_flag=True, help="Overwrite the page.")
@comparing
@evaluating
@talking
def command(
    sources: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    output: Path,
    title: str | None,
    front: Path | None,
    also: tuple[str, ...],
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Evaluate, compare, write the page, and say where it is."""
    from plumbline.cli.progress import comparing, working
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.reports.front import FrontMatter
    from plumbline.reports.plan import chapters, front_file, is_plan
    from plumbline.reports.report import further_chapters, require_extra, write

    require_extra()
    check_writable(output, force=force)
    if len(sources) == 1 and is_plan(sources[0]):
        refuse({"metrics", "front", "also", *options}, "has no effect on a plan: write it there")
        with working("evaluating"):
            plan_title, made = chapters(Path(sources[0]), _typed())
    else:
        plan_title, matter = (None, FrontMatter()) if front is None else front_file(front)
        made = [replace(_chapter(sources, metrics, options), front=matter), *further_chapters(also, _typed())]
    with comparing("writing the report", quiet=quiet):
        write(made, output, title=title or plan_title, force=force)
    echo(f"Wrote {visible(str(output))}: open it in a browser, or mail it; it is one file.")
    notices = dict.fromkeys(notice for chapter in made for notice in chapter.subject.all_notices)
    return report(tuple(notices), quiet=quiet, verbose=verbose, strict=strict)


def _chapter(sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> Chapter:
    """A gold and systems, evaluated, or a table of scores."""
    from plumbline.cli.progress import watched
    from plumbline.reports.building import Chapter, subject_of_report

    comparing = comparison_options(sources, metrics, options)
    source = gathered(sources, metrics, options)
    if not source.evaluated:
        subject = subject_of_report(source.scores, metrics=metrics, comparing=comparing)
        return Chapter(subject, command=_typed(), files={"scores": source.scores})
    outputs = {"gold": source.gold, "systems": source.systems, "watch": watched, **source.options}
    return Chapter(subject_of_report(metrics=metrics, comparing=comparing, **outputs), command=_typed())


def _typed() -> tuple[str, ...]:
    return ("report", *click.get_current_context().meta[TYPED])
