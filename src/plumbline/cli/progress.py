"""What takes long is said on a terminal, after a second: what is done, how many systems and how much of a file are read."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeVar

from plumbline.errors import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sized

    from rich.progress import Progress, TaskID

T = TypeVar("T")

PATIENCE: Final = 1.0
"""Seconds before anything appears."""
SHOWN: Final[list[Progress]] = []
"""What is on the terminal: work inside other work adds a line to it."""


def watched(items: Iterable[T], everything: Sized) -> Iterator[T]:
    """The items, one after the other, with their number on stderr while they take long."""
    if not sys.stderr.isatty():
        yield from items
        return
    with _display() as bar:
        task = bar.add_task(_counted(0, everything))
        for number, item in enumerate(items, 1):
            yield item
            bar.update(task, description=_counted(number, everything))
        bar.remove_task(task)


def _counted(number: int, everything: Sized) -> str:
    return f"systems read: {number:,} of {len(everything):,}"


@contextmanager
def comparing(what: str = "comparing", *, quiet: bool = False) -> Iterator[None]:
    """As `working`, for a comparison: what it will take is printed first if that is much, then the share that is done."""
    from plumbline.cli.screen import echo
    from plumbline.comparison.effort import told_to
    from plumbline.comparison.significance.progress import heard_by

    def tell(effort: object) -> None:
        if not quiet:
            echo(f"{effort}", err=True)

    with working(what) as advance, told_to(tell), heard_by(advance):
        yield


@contextmanager
def working(what: str) -> Iterator[Callable[[float], None]]:
    """Says on a terminal what is being worked on, with the seconds so far, as soon as it takes long.

    Whoever knows which share is done may call what it yields: then there are per cents.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with _display() as bar:
        task = bar.add_task(what)
        yield lambda share: bar.update(task, description=f"{what} {share:.0%}")
        bar.remove_task(task)


@contextmanager
def _display() -> Iterator[Progress]:
    """The lines on the terminal, until the outermost work is done."""
    if SHOWN:
        yield SHOWN[-1]
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from plumbline.io.bytes.on_disk import progress_to

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    patience = Timer(PATIENCE, bar.start)
    patience.daemon = True
    SHOWN.append(bar)
    patience.start()
    try:
        with progress_to(_Files(bar)):
            yield bar
    finally:
        SHOWN.remove(bar)
        patience.cancel()
        patience.join()
        bar.stop()


class _Files:
    """A line for each large file that is being read."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._tasks: dict[str, tuple[TaskID, int]] = {}
        self._one_at_a_time = Lock()

    def __call__(self, label: str, done: int, size: int) -> None:
        """Show the share that is read; a file that is read has no line."""
        with self._one_at_a_time:
            task, before = self._tasks.get(label, (None, 0))
            if done < before:  # several threads read, and the first pass is the one that takes long
                return
            share = f"reading {visible(Path(label).name)}: {done / size:.0%}"
            if task is None:
                task = self._bar.add_task(share)
            else:
                self._bar.update(task, description=share, visible=done < size)
            self._tasks[label] = (task, done)
