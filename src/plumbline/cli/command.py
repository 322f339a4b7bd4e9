"""The class of all commands: help is the docstring of a command's file."""

from __future__ import annotations

from typing import Any

import click


class Command(click.Command):
    """A command whose help is the docstring of its file; blocks with indented lines are printed as they stand."""

    def __init__(self, name: str, *, help: str, **options: Any) -> None:  # noqa: A002, ANN401 - click's own names
        super().__init__(name, help=_kept_lines(help), **options)


def _kept_lines(text: str) -> str:
    """The text with click's mark before each paragraph that has indented lines."""
    return "\n\n".join(f"\b\n{part}" if "\n  " in part else part for part in text.strip().split("\n\n"))
