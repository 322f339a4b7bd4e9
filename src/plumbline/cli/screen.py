"""Text that is not a result: on a terminal its lines break between words, and a pipe gets them as they are."""

from __future__ import annotations

import sys
from typing import IO

import click


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print on standard output or standard error, no wider than the terminal there."""
    click.echo(for_screen(text, sys.stderr if err else sys.stdout), err=err, nl=nl)


def for_screen(text: str, file: IO[str]) -> str:
    """A text in lines no wider than the terminal that shows it."""
    if not file.isatty():
        return text
    from plumbline.render.folding import folded
    from plumbline.render.terminal import columns_of

    return folded(text, columns_of(file))
