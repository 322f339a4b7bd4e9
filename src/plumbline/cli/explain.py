"""plumbline explain"""

from __future__ import annotations

import inspect

import click

from plumbline.errors import BadUsage, explanations, usage


@click.command("explain", no_args_is_help=True)
@click.argument("code")
def command(code: str) -> None:
    """Explain a diagnostic CODE such as E104: what it means and what to do."""
    known = explanations()
    if code.upper() not in known:
        raise BadUsage(usage.unknown_code(code, list(known)))
    title, text = known[code.upper()]
    click.echo(f"{code.upper()}  {title}\n\n{inspect.cleandoc(text)}")
