"""Say what to judge next, or how far a pool can be trusted.

Examples:
  plumbline pool runs/*.run --depth 10 -o pool.jsonl
  plumbline pool runs/*.run --budget 2000 --method bandit --judged qrels.txt
  plumbline pool runs/*.run --strata "1-10:1 11-50:0.3 51-100:0.1" --seed 7 -o pool.jsonl
  plumbline pool runs/*.run --depth 20 --simulate qrels.txt --method rrf --method bandit --stop quiet:50
  plumbline pool qrels.txt runs/*.run --teams teams.csv --show bounds

With SYSTEMs alone, their lists are pooled: -o writes what to judge, in order. With a GOLD first, the pool is inspected: how
deep it is, how much of each system is judged, and how much a system that was not pooled loses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import metric_option, options, reading, report, talking
from plumbline.cli.output import file_options, show
from plumbline.cli.sources import refuse
from plumbline.options.option import declared
from plumbline.options.pools import MakeOptions, TrustOptions

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Gold"
SHARED = {"rel", "on_duplicate", "seed", "judged_only"}
"""Options that both uses have."""


@click.command("pool", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("sources", nargs=-1, required=True, metavar="[GOLD] SYSTEM...")
@options(MakeOptions)
@metric_option(help="With a GOLD: what systems are scored by. [default: nDCG@10, AP]")
@options(TrustOptions)
@file_options
@reading
@talking
def command(
    sources: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Pool the lists, or inspect the gold."""
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.truth.pools.inspect_pool import inspect_pool
    from plumbline.truth.pools.pool import pool

    check_writable(output, force=force)
    made, trusted = set(declared(MakeOptions)), set(declared(TrustOptions))
    if _starts_with_gold(sources):
        refuse(made - SHARED | {"judged_only"}, "makes a pool, and goes with SYSTEMs alone")
        first, *systems = sources
        kept = {name: value for name, value in options.items() if name not in made - SHARED | {"judged_only"}}
        result: Any = inspect_pool(first, systems, metrics or None, **kept)
    else:
        refuse(trusted | {"metrics"}, "inspects a pool, and goes with a GOLD before the SYSTEMs")
        result = pool(list(sources), **{name: value for name, value in options.items() if name not in trusted})
    show(result, form, output=output, force=force)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)


def _starts_with_gold(sources: tuple[str, ...]) -> bool:
    """Whether the first of several files holds judgements."""
    from plumbline.io.bytes.content import load
    from plumbline.io.paths import is_file
    from plumbline.io.roles import role_of
    from plumbline.io.table import ReadOptions

    first = sources[0]
    return len(sources) > 1 and is_file(first) and role_of(load(first), ReadOptions()) == "gold"
