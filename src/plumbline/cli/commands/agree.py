"""Measure how much assessors agree, and what another judge changes.

JUDGEMENTS are tables with a column for the assessor, matrices with a column for each, or a file for each assessor. With
--systems, every system is evaluated with the judgements of each assessor.

Examples:
  plumbline agree labels.csv
  plumbline agree labels.csv --level ordinal --show pairs --show by-case
  plumbline agree anna.qrels ben.qrels gpt.qrels --reference anna
  plumbline agree human.qrels llm.qrels --reference human --systems runs/*.run -m nDCG@10
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import metric_option, options, report, talking
from plumbline.cli.output import file_options, show
from plumbline.options.judgements import AgreeOptions

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Gold"


class AgreeCommand(Command):
    """A command in which --systems takes all words up to the next option, as a pattern in the shell gives them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat --systems before each of its files."""
        spread: list[str] = []
        inside = False
        for word in args:
            inside = word == "--systems" or (inside and not word.startswith("-"))
            if inside and word != "--systems":
                spread.append("--systems")
            if not (inside and word == "--systems"):
                spread.append(word)
        return super().parse_args(ctx, spread)


@click.command("agree", cls=AgreeCommand, help=__doc__, no_args_is_help=True)
@click.argument("judgements", nargs=-1, required=True, metavar="JUDGEMENTS...")
@click.option(
    "--systems",
    multiple=True,
    metavar="FILE...",
    help="Outputs to evaluate with each assessor: all files up to the next option.",
)
@metric_option(help="A metric of the systems; may be repeated.")
@click.option(
    "--show",
    "shown",
    multiple=True,
    metavar="TABLE",
    help="Also show a table: why, disputed, pairs, by-case, without, cuts, judges, confusion, systems or unanimous; may be "
    "repeated.",
)
@options(AgreeOptions)
@file_options
@talking
def command(
    judgements: tuple[str, ...],
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    shown: tuple[str, ...],
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Read, compute, say it in words and show the tables."""
    from plumbline.cli.progress import working
    from plumbline.truth.agree import agree

    with working("comparing assessors"):
        result = agree(list(judgements), list(systems) or None, list(metrics) or None, **given)
    show(result, form, output=output, force=force, show=shown)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
