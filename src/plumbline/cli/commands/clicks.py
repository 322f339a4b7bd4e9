"""Fit click models to a log, and turn clicks into a gold.

LOG has a row for each result that was shown: session, case, item, position, clicked. UBI 1.3 is read too. With -o, the
relevance of items by one model is written as a gold, for metrics such as ERR(prob=given). With --simulate, the files are
rankings for which clicks are simulated.

Examples:
  plumbline clicks log.jsonl
  plumbline clicks log.jsonl --model cascade -o gold.qrels
  plumbline clicks log.jsonl --model pbm --propensities -o positions.csv
  plumbline clicks log.jsonl --model dbn --systems old.run --systems new.run
  plumbline clicks --simulate qrels.txt old.run new.run --model sdbn --sessions 10000 --seed 1 -o clicks.jsonl
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import options, report, talking, typed
from plumbline.cli.output import format_option, show
from plumbline.options.clicks import ClicksOptions, SimulateClicksOptions

if TYPE_CHECKING:
    from plumbline.render.formats import OutputFormat

SECTION = "Gold"
OF_SIMULATION = ("sessions", "depth")
SHARED = ("model", "seed")


@click.command("clicks", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, metavar="LOG...")
@options(ClicksOptions)
@click.option("--systems", multiple=True, metavar="FILE", help="Rankings to score by metrics from the models; may be repeated.")
@click.option("--propensities", is_flag=True, help="Show the probability that each rank is examined, instead of the models.")
@click.option("--simulate", metavar="GOLD", help="Simulate clicks on the rankings LOG..., from the grades of this gold.")
@options(SimulateClicksOptions, only=OF_SIMULATION)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the gold to a file, such as gold.qrels, or the propensities, or the simulated log; .parquet saves everything.",
)
@click.option(
    "--parameters",
    "parameters_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write all parameters with their intervals to a file.",
)
@click.option(
    "--cases",
    "cases_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write how well models predict each case to a file for plumbline compare.",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@format_option
@talking
def command(
    files: tuple[str, ...],
    systems: tuple[str, ...],
    simulate: str | None,
    *,
    propensities: bool,
    output: Path | None,
    parameters_file: Path | None,
    cases_file: Path | None,
    form: OutputFormat,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Fit and show, or draw."""
    from plumbline.cli.progress import working
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.truth.clicks.clicks import clicks
    from plumbline.truth.clicks.simulate_clicks import simulate_clicks
    from plumbline.truth.writing import write_clicks, write_relevance

    check_writable(output, force=force)
    for path in (parameters_file, cases_file):
        check_writable(path, force=force)
    _refuse_idle(given, simulating=simulate is not None)
    if simulate is not None:
        drawn = simulate_clicks(
            simulate, list(files), **{name: given[name] for name in (*SHARED, *OF_SIMULATION) if typed(name)}
        )
        if output is not None:
            write_clicks(drawn, output, force=force)
        if parameters_file is not None:
            show(drawn, form, output=parameters_file, force=force, table="parameters")
        show(drawn, form)
        return report(drawn.notices, quiet=quiet, verbose=verbose, strict=strict)
    kept = {name: value for name, value in given.items() if name not in OF_SIMULATION}
    with working("fitting click models"):
        result = clicks(list(files), list(systems) or None, **kept)
    if propensities:
        show(result, form, output=output, force=force, table="positions")
    else:
        if output is not None:
            write_relevance(result, output, force=force)
        show(result, form)
    for path, table in ((parameters_file, "parameters"), (cases_file, "cases")):
        if path is not None:
            show(result, form, output=path, force=force, table=table)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)


def _refuse_idle(given: dict[str, Any], *, simulating: bool) -> None:
    """Refuse options that would change nothing."""
    idle = [name for name in given if typed(name) and (name in OF_SIMULATION) is not simulating and name not in SHARED]
    idle += [name for name in ("systems", "propensities", "cases_file") if simulating and typed(name)]
    if idle:
        where = "does not go with --simulate" if simulating else "goes with --simulate"
        raise click.UsageError(f"--{idle[0].removesuffix('_file').replace('_', '-')} {where}")
