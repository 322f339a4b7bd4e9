"""A progress bar for long work: only on a terminal, and only after a second."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sized

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
def working(what: str) -> Iterator[None]:
    """Says on a terminal what is being worked on, with the seconds so far, as soon as it takes long."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(what, total=None)
    patience = Timer(PATIENCE, bar.start)
    patience.start()
    try:
        yield
    finally:
        patience.cancel()
        patience.join()
        bar.stop()
