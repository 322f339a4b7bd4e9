"""Make a small collection and show what plumbline says about it.

The collection is written into FOLDER. A few commands are shown with their output, and a report on everything is
written; --tour shows every command.
"""

from __future__ import annotations

import os
import shlex
from contextlib import chdir
from glob import glob
from pathlib import Path

import click

from plumbline.cli.command import Command
from plumbline.cli.screen import echo
from plumbline.errors import BadUsage, files
from plumbline.errors.base import visible

SECTION = "Start here"


@click.command("demo", cls=Command, help=__doc__)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="plumbline-demo")
@click.option("--tour", is_flag=True, help="Show every command, not only a few.")
@click.option("--force", is_flag=True, help="Write into a folder that exists already.")
@click.pass_context
def command(ctx: click.Context, folder: Path, *, tour: bool, force: bool) -> None:
    """Write a small made collection into FOLDER and show commands on it with their output."""
    from plumbline.demo.alerts import write_alerts
    from plumbline.demo.clusters import write_clusters
    from plumbline.demo.collection import write_collection
    from plumbline.demo.dossier import PAGE, write_dossier
    from plumbline.demo.labels import write_labels
    from plumbline.demo.tour import HIGHLIGHTS, TOUR
    from plumbline.demo.tweets import write_tweets

    if folder.exists() and not force:
        raise BadUsage(files.exists(str(folder)))
    try:
        parts = (write_collection, write_labels, write_clusters, write_alerts, write_tweets, write_dossier)
        written = [name for write in parts for name in write(folder)]
    except OSError as error:
        raise BadUsage(files.unreadable(str(folder), error.strerror or str(error))) from None
    echo(f"Wrote {len(written)} files into {visible(str(folder))}: rankings, filters, classes, clusterings and alerts.")
    if tour:
        _describe_systems()
    with chdir(folder):
        for text, line in TOUR if tour else HIGHLIGHTS:
            _step(ctx, text, line)
        page = _page(ctx, PAGE)
    if page is not None:
        echo(f"\nOpen {visible(str(folder / page))} in a browser: the report on everything, in one file.")
    more = "" if tour else " `plumbline demo --tour` shows every command."
    echo(f"Now it is your turn: cd {visible(str(folder))}{os.sep} and try `plumbline --help`.{more}")


def _describe_systems() -> None:
    from plumbline.demo.alerts import MONITORS
    from plumbline.demo.collection import SYSTEMS
    from plumbline.demo.labels import FILTERS
    from plumbline.demo.tweets import GROUPINGS, TUNED

    described = {
        "Judgements of 20 cases, and six rankings": {name: system.description for name, system in SYSTEMS.items()},
        "Ten streams of mail, and four spam filters": {name: system.description for name, system in FILTERS.items()},
        "Alerts about eight brands by priority and topic, and five systems": {
            **{name: system.description for name, system in MONITORS.items()},
            "scored": "a ranking by one program, topics by another",
        },
        "Tweets about forty brands grouped by topic, and five systems": {
            **{name: system.description for name, system in GROUPINGS.items()},
            TUNED: "like words, with some answers drawn again: neither better nor worse",
        },
    }
    for heading, systems in described.items():
        echo(f"\n{heading}:")
        for name, description in systems.items():
            echo(f"  {name:<8}{description}")


def _page(ctx: click.Context, name: str) -> Path | None:
    """The last step writes a report; without the extra that draws figures it says what to install."""
    from plumbline.demo.dossier import NAME

    page = Path(name)
    page.unlink(missing_ok=True)
    try:
        _step(ctx, "Everything on one page, with figures and commands to reproduce it.", f"report {NAME} -o {name} --quiet")
    except BadUsage as error:
        echo(str(error))
    return page if page.exists() else None


def _step(ctx: click.Context, text: str, line: str) -> None:
    echo(f"\n{text}\n$ plumbline {line}")
    arguments = [name for word in shlex.split(line) for name in (sorted(glob(word)) or [word])]  # noqa: PTH207 - patterns as a shell reads them
    group = ctx.find_root().command
    assert isinstance(group, click.Group)  # noqa: S101 - the root is the program itself
    chosen = group.get_command(ctx, arguments[0])
    assert chosen is not None  # noqa: S101 - the tour names commands that exist
    chosen.main(arguments[1:], prog_name=f"plumbline {arguments[0]}", standalone_mode=False)
