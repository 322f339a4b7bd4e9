"""Say what another policy would have earned, from a log.

Examples:
  plumbline policy log.csv --policy new.csv
  plumbline policy log.csv --policy uniform --estimator snips
  plumbline policy log.csv --policy new.csv --predictions model.csv
  plumbline policy slates.csv --weigh cascade
  plumbline policy clicks.csv --weigh position --policy new.run --examination positions.csv

LOG has a row for each action: what was done (action), with what probability (propensity), and what it earned (reward).
Lists also need a session and a position. The new policy is a table of action and probability, perhaps by case and position,
or a column `target` of the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import options, report, talking
from plumbline.cli.output import file_options, show
from plumbline.options.policies import PolicyValueOptions

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Real users"


@click.command("policy", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("log", metavar="LOG")
@options(PolicyValueOptions)
@file_options
@talking
def command(
    log: str,
    *,
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Estimate, and print the verdict."""
    from plumbline.io.bytes.atomic import check_writable
    from plumbline.truth.policies.policy_value import policy_value

    check_writable(output, force=force)
    result = policy_value(log, **given)
    show(result, form, output=output, force=force)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)
