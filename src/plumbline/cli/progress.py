"""A progress bar for long work: only on a terminal, and only after a second."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sized

T = TypeVar("T")

PATIENCE: Final = 1.0
"""Seconds before the bar appears."""


def watched(items: Iterable[T], everything: Sized) -> Iterator[T]:
    """The items, one after the other, with a bar on stderr while they take long."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    start, shown = time.monotonic(), False
    with Progress(console=Console(stderr=True), transient=True, disable=False, auto_refresh=False) as bar:
        task = bar.add_task("reading systems", total=len(everything), visible=False)
        for item in items:
            yield item
            shown = shown or time.monotonic() - start > PATIENCE
            bar.update(task, advance=1, visible=shown, refresh=shown)


@contextmanager
def comparing(what: str = "comparing", *, quiet: bool = False) -> Iterator[None]:
    """As `working`, for a comparison: what it will take is printed first if that is much, then the share that is done."""
    import click

    from plumbline.comparison.effort import told_to
    from plumbline.comparison.significance.progress import heard_by

    def tell(effort: object) -> None:
        if not quiet:
            click.echo(f"{effort}", err=True)

    with working(what) as advance, told_to(tell), heard_by(advance):
        yield


@contextmanager
def working(what: str) -> Iterator[Callable[[float], None]]:
    """Says on a terminal what is being worked on, with the seconds so far, as soon as it takes long.

    Whoever knows which share is done may call what it yields: then there is a bar with per cents.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}{task.fields[share]}"), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=None, share="")
    patience = Timer(PATIENCE, bar.start)
    patience.start()
    try:
        yield lambda share: bar.update(task, share=f" {share:.0%}")
    finally:
        patience.cancel()
        patience.join()
        bar.stop()
