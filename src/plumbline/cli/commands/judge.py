"""Make a page on which assessors judge a pool, offline.

Examples:
  plumbline judge pool.jsonl --texts corpus.jsonl --topics topics.tsv -o judge.html
  plumbline judge pool.jsonl --texts corpus.jsonl --grades "0 no,1 partly,2 yes" --known gold.csv -o judge.html

Mail the page to assessors. They judge with a key for each grade and mail back a table of judgements, which plumbline agree and
plumbline aggregate read. What they judge stays in their browser until then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import options, report, talking
from plumbline.cli.screen import echo
from plumbline.options.pools import JudgeOptions

SECTION = "Gold"


@click.command("judge", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("pool")
@click.option("--texts", required=True, metavar="FILE", help="The text of each item: item and text as JSON lines, CSV or TSV.")
@options(JudgeOptions)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The page to write.",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@talking
def command(
    pool: str,
    *,
    texts: str,
    output: Path,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Write the page."""
    from plumbline.truth.pools.judge import judge, summary

    pages = judge(pool, texts, **options)
    written = pages.write(output, force=force)
    echo(f"{written[0]}{f' and {len(written) - 1} more' if len(written) > 1 else ''}: {summary(pages)}")
    return report(pages.notices, quiet=quiet, verbose=verbose, strict=strict)
