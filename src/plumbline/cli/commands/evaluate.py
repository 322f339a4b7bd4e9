"""Score systems against a gold standard.

Examples:
  plumbline evaluate qrels.txt runs/*.run -m AP -m nDCG@10
  plumbline evaluate qrels.txt bm25=a/run.txt new=b/run.txt --per-case --format csv
  plumbline evaluate qrels.txt run.txt -m official --as trec_eval --format trec_eval
  plumbline evaluate gold.tsv filters/*.tsv --task filtering --positive spam -m Lam -m 'F(Rel,Sens)' --floor
  plumbline evaluate gold.tsv labels/*.tsv --task classification -m Accuracy -m 'F(P,R)'
  plumbline evaluate gold.tsv clusters/*.tsv --task clustering -m BCubedP -m Silhouette --features vectors.csv
  plumbline evaluate gold.json --task organization --priority run.txt --clusters clusters.tsv

GOLD and SYSTEM are TREC, CSV, TSV, JSON, JSON Lines, EvALL, Parquet or Arrow files, compressed or not; `-` is standard
input, NAME=PATH names a system. Results go to stdout, notices to stderr.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import TASKS, Within, composing, fitted, labels, policies, reading, report, space, talking
from plumbline.cli.output import file_options, show

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Systems"


@click.command("evaluate", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("gold")
@click.argument("systems", nargs=-1, metavar="SYSTEM...")
@click.option(
    "-m", "--metric", "metrics", multiple=True, help="A metric such as nDCG(gain=exp)@10, or a group: official, all_trec, set."
)
@click.option("--task", type=click.Choice(TASKS), help="What kind of output it is.")
@click.option("--floor", is_flag=True, help="Add outputs that ignore the gold, and mark what beats them all. Labels only.")
@click.option("--floor-rate", type=Within(0, 1), help="The rate of the random filter of --floor. [default: 0.5]")
@click.option(
    "--zscores", metavar="FILE", help="Standardise by the means and deviations of other systems: case metric mean std."
)
@click.option("--per-case", is_flag=True, help="Also print the value of every case.")
@file_options
@click.option(
    "--names",
    type=click.Choice(["file", "tag"]),
    default="file",
    show_default=True,
    help="Call systems after their file or their run tag.",
)
@labels
@space
@composing
@policies
@reading
@talking
def command(  # noqa: PLR0913 - one for each option
    gold: str,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    per_case: bool,
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **options: Any,  # noqa: ANN401 - passed on to evaluate()
) -> int:
    """Evaluate, print, say what should be said."""
    from plumbline.cli.composition import composed  # noqa: PLC0415
    from plumbline.cli.progress import watched  # noqa: PLC0415 - heavy imports when they are needed
    from plumbline.evaluation.evaluate import evaluate  # noqa: PLC0415

    own = fitted(options, metrics)
    scores = evaluate(*composed(gold, systems, own), metrics or None, watch=watched, **own)
    show(scores, form, output=output, force=force, per_case=per_case)
    return report(scores.notices, quiet=quiet, verbose=verbose, strict=strict)
