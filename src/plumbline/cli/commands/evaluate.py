"""Score systems against a gold standard.

Examples:
  plumbline evaluate qrels.txt runs/*.run -m AP -m nDCG@10
  plumbline evaluate qrels.txt bm25=a/run.txt new=b/run.txt --per-case --format csv
  plumbline evaluate qrels.txt runs/*.run -m AP --per-case scores/
  plumbline evaluate qrels.txt run.txt -m official --as trec_eval --format trec_eval
  plumbline evaluate gold.tsv filters/*.tsv --task filtering --positive spam -m Lam -m 'F(Rel,Sens)' --floor
  plumbline evaluate gold.tsv labels/*.tsv --task classification -m Accuracy -m 'F(P,R)'
  plumbline evaluate gold.tsv clusters/*.tsv --task clustering -m BCubedP -m Silhouette --features vectors.csv
  plumbline evaluate gold.json --task organization --priority run.txt --clusters clusters.tsv

GOLD and SYSTEM are TREC, CSV, TSV, JSON, JSON Lines, EvALL, Parquet or Arrow files, compressed or not; `-` is standard
input, NAME=PATH names a system. Results go to stdout, notices to stderr.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import composing, fitted, metric_option, options, output_option, report, talking
from plumbline.cli.output import file_options, show
from plumbline.cli.screen import echo
from plumbline.options.engines import EvaluateAnywhereOptions

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Start here"
PER_CASE = "--per-case"
FOLDER = "--per-case-to"


class Evaluating(Command):
    """A command whose `--per-case` may be followed by a folder."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `--per-case FOLDER/` and `--per-case=FOLDER` as another option than `--per-case` alone."""
        return super().parse_args(ctx, with_folder(args))


def with_folder(args: list[str]) -> list[str]:
    """The words of a command, in which `--per-case` with a folder has another name."""
    read, words = list[str](), list(args)
    while words:
        word = words.pop(0)
        if word == "--":
            return [*read, word, *words]
        if word == PER_CASE and words and _is_target(words[0]):
            word = f"{PER_CASE}={words.pop(0)}"
        read.append(f"{FOLDER}{word.removeprefix(PER_CASE)}" if word.startswith(f"{PER_CASE}=") else word)
    return read


def _is_target(word: str) -> bool:
    from plumbline.io.scores.dataset.layout import is_target

    return is_target(word)


@click.command("evaluate", cls=Evaluating, help=__doc__, no_args_is_help=True)
@click.argument("gold")
@click.argument("systems", nargs=-1, metavar="SYSTEM...")
@metric_option(help="A metric such as nDCG(gain=exp)@10, or a group: official, all_trec, set.")
@click.option(
    PER_CASE,
    is_flag=True,
    help="Also print the value of every case; or write Parquet files to the folder that follows, which ends with /.",
)
@click.option(FOLDER, "folder", type=click.Path(), hidden=True, help="The folder of --per-case FOLDER/.")
@output_option("--explain", is_flag=True, help="Print what would be done, instead of doing it.")
@file_options
@options(EvaluateAnywhereOptions)
@composing
@talking
def command(
    gold: str,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    per_case: bool,
    folder: str | None,
    explain: bool,
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Evaluate and print, then the notices."""
    if given.get("features") is None and given.get("distances") is None:
        _start_no_threads()
    from plumbline.cli.composition import composed
    from plumbline.cli.progress import watched, working
    from plumbline.evaluation.evaluate import evaluate

    chosen = fitted(given, metrics)
    if folder is not None:
        _check_folder(folder, output, force=force)
    if explain:
        return _explain(composed(gold, systems, chosen), metrics, chosen)
    with working("evaluating"):
        scores = evaluate(*composed(gold, systems, chosen), metrics or None, watch=watched, **chosen)
    if folder is not None:
        scores.save(folder, force=force)
    show(scores, form, output=output, force=force, per_case=per_case)
    return report(scores.notices, quiet=quiet, verbose=verbose, strict=strict)


def _start_no_threads() -> None:
    """Let NumPy start no threads, which multiply matrices and take longer than scoring a small file.

    It starts them when it is imported, whether they are needed or not. Who chose a number keeps it.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _check_folder(folder: str, output: Path | None, *, force: bool) -> None:
    """Before any work is done: whether scores can be written there, and whether the file of -o can."""
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.io.scores.dataset.writing import check_target

    check_target(folder, force=force)
    check_writable(output, force=force)


def _explain(sources: tuple[Any, Any], metrics: tuple[str, ...], chosen: dict[str, Any]) -> int:
    """Print the plan."""
    from plumbline.evaluation.engines.plan import explained
    from plumbline.evaluation.evaluation import evaluation_of
    from plumbline.options.engines import EngineOptions

    options = {name: value for name, value in chosen.items() if name not in EngineOptions.__annotations__}
    echo(explained(evaluation_of(*sources, metrics or None, **options), chosen.get("engine"), chosen.get("memory")))
    return 0
