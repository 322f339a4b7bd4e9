"""Make a small collection and take a tour of it.

The collection is written into FOLDER, and every command is shown with its output.
"""

from __future__ import annotations

import os
import shlex
from contextlib import chdir
from glob import glob
from pathlib import Path

import click

from plumbline.cli.command import Command
from plumbline.errors import BadUsage, files
from plumbline.errors.base import visible

SECTION = "Help"


@click.command("demo", cls=Command, help=__doc__)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="plumbline-demo")
@click.option("--force", is_flag=True, help="Write into a folder that exists already.")
@click.pass_context
def command(ctx: click.Context, folder: Path, *, force: bool) -> None:
    """Write a small made collection into FOLDER and take a tour on it: every command is shown with its output."""
    from plumbline.demo.alerts import MONITORS, write_alerts
    from plumbline.demo.clusters import write_clusters
    from plumbline.demo.collection import SYSTEMS, write_collection
    from plumbline.demo.dossier import PAGE, write_dossier
    from plumbline.demo.labels import FILTERS, write_labels
    from plumbline.demo.tour import TOUR
    from plumbline.demo.tweets import GROUPINGS, TUNED, write_tweets

    if folder.exists() and not force:
        raise BadUsage(files.exists(str(folder)))
    try:
        parts = (write_collection, write_labels, write_clusters, write_alerts, write_tweets, write_dossier)
        written = [name for write in parts for name in write(folder)]
    except OSError as error:
        raise BadUsage(files.unreadable(str(folder), error.strerror or str(error))) from None
    click.echo(f"Wrote {len(written)} files into {visible(str(folder))}: judgements of 20 cases and six rankings,")
    for name, ranking in SYSTEMS.items():
        click.echo(f"  {name:<8}{ranking.description}")
    click.echo(
        "ten streams of mail and four spam filters, tickets with two classifiers, pages about people in five clusterings:"
    )
    for name, kind in FILTERS.items():
        click.echo(f"  {name:<8}{kind.description}")
    click.echo("alerts about eight brands by priority and topic, with five systems:")
    for name, monitor in MONITORS.items():
        click.echo(f"  {name:<8}{monitor.description}")
    click.echo("  scored  a ranking by one program, topics by another")
    click.echo("and tweets about forty brands grouped by topic, with five systems:")
    for name, grouping in GROUPINGS.items():
        click.echo(f"  {name:<8}{grouping.description}")
    click.echo(f"  {TUNED:<8}like words, with some answers drawn again: neither better nor worse")
    with chdir(folder):
        for text, line in TOUR:
            _step(ctx, text, line)
        page = _page(ctx, PAGE)
    click.echo(f"\nNow it is your turn: cd {visible(str(folder))}{os.sep} and try `plumbline --help`.")
    if page is not None:
        click.echo(f"The report on everything: {visible(str(folder / page))}")


def _page(ctx: click.Context, name: str) -> Path | None:
    """The last step writes a report; without the extra that draws figures it says what to install."""
    from plumbline.demo.dossier import NAME

    page = Path(name)
    page.unlink(missing_ok=True)
    try:
        _step(ctx, "Everything on one page: verdicts, figures, and how to reproduce them.", f"report {NAME} -o {name} --quiet")
    except BadUsage as error:
        click.echo(str(error))
    return page if page.exists() else None


def _step(ctx: click.Context, text: str, line: str) -> None:
    click.echo(f"\n{text}\n$ plumbline {line}", color=True)
    arguments = [name for word in shlex.split(line) for name in (sorted(glob(word)) or [word])]  # noqa: PTH207 - patterns as a shell reads them
    group = ctx.find_root().command
    assert isinstance(group, click.Group)  # noqa: S101 - the root is the program itself
    chosen = group.get_command(ctx, arguments[0])
    assert chosen is not None  # noqa: S101 - the tour names commands that exist
    chosen.main(arguments[1:], prog_name=f"plumbline {arguments[0]}", standalone_mode=False)
