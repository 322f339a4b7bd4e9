"""Say what to judge next, or how far a pool can be trusted.

Examples:
  plumbline pool runs/*.run --depth 10 -o pool.jsonl
  plumbline pool runs/*.run --budget 2000 --method bandit --judged qrels.txt
  plumbline pool runs/*.run --strata "1-10:1 11-50:0.3 51-100:0.1" --seed 7 -o pool.jsonl
  plumbline pool runs/*.run --depth 20 --simulate qrels.txt --method rrf --method bandit --stop quiet:50

With SYSTEMs alone, their lists are pooled: -o writes what to judge, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import options, reading, report, talking
from plumbline.cli.output import file_options, show
from plumbline.pool_options import MakeOptions

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Gold"


@click.command("pool", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@options(MakeOptions)
@file_options
@reading
@talking
def command(
    systems: tuple[str, ...],
    *,
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,  # noqa: ANN401 - passed on to pool()
) -> int:
    """Pool the lists."""
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.truth.pools.pool import pool

    check_writable(output, force=force)
    result = pool(list(systems), **options)
    show(result, form, output=output, force=force)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
