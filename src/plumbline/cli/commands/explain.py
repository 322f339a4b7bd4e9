"""Explain a diagnostic code such as E104.

It says what the CODE means and what to do.
"""

from __future__ import annotations

import click

from plumbline.cli.command import Command
from plumbline.cli.screen import echo
from plumbline.tools.explain import explain

SECTION = "Help"


@click.command("explain", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("code")
def command(code: str) -> None:
    """Explain a diagnostic CODE such as E104: what it means and what to do."""
    from plumbline.render.folding import paragraphs

    echo(paragraphs(explain(code)))
