"""Interleave rankings, and see from clicks which one users prefer.

Examples:
  plumbline interleave old.run new.run --seed 1 -o lists.jsonl
  plumbline interleave a.run b.run c.run --lists-per-case 100 --length 5 -o lists.csv
  plumbline interleave --log clicks.csv
  plumbline interleave --log ubi_queries.jsonl --log ubi_events.jsonl --lists lists.jsonl
  plumbline interleave old.run new.run --log impressions.csv --method probabilistic
  plumbline interleave --audit --method team-draft --method balanced

SYSTEMs are runs. Without --log, lists are made from them: every user sees one list, and each item belongs to a team. With
--log, clicks on such lists are counted: which system wins how many sessions, and how certain that is. Every method but
team-draft then also needs the SYSTEMs. With --audit, methods are tried on all small rankings: which ranking do random
clicks prefer, and does the better ranking win?
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import options, reading, report, talking
from plumbline.cli.output import file_options, show
from plumbline.cli.sources import refuse
from plumbline.options.interleaving import AuditInterleavingOptions, ListOptions, LogOptions
from plumbline.options.option import declared

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.render.formats import OutputFormat

SECTION = "Real users"
OF_MAKING = {"lists_per_case"}


@click.command("interleave", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("systems", nargs=-1, metavar="[SYSTEM]...")
@click.option("--log", "log", multiple=True, metavar="FILE", help="Count these clicks; may be repeated for queries and events.")
@click.option("--audit", is_flag=True, help="Try methods on small rankings instead.")
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="How lists are interleaved; an audit takes several. [default: team-draft]",
)
@options(ListOptions, without=("method",))
@options(LogOptions)
@options(AuditInterleavingOptions, without=("softness",))
@file_options
@reading
@talking
def command(
    systems: tuple[str, ...],
    *,
    log: tuple[str, ...],
    audit: bool,
    methods: tuple[str, ...],
    form: OutputFormat,
    output: Path | None,
    force: bool,
    quiet: bool,
    verbose: bool,
    strict: bool,
    **given: Any,
) -> int:
    """Make lists, count clicks, or audit methods."""
    from plumbline.io.bytes.atomic import check_writable

    check_writable(output, force=force)
    result = _result(systems, log, methods, given, audit=audit)
    show(result, form, output=output, force=force)
    return report(result.notices, quiet=quiet, verbose=verbose, strict=strict)


def _result(
    systems: tuple[str, ...], log: tuple[str, ...], methods: tuple[str, ...], given: dict[str, Any], *, audit: bool
) -> Any:
    from plumbline.truth.interleaving.analyse_interleaving import analyse_interleaving
    from plumbline.truth.interleaving.audit_interleaving import audit_interleaving
    from plumbline.truth.interleaving.interleave import interleave

    of_audit, of_log = set(declared(AuditInterleavingOptions)), set(declared(LogOptions))
    if audit:
        refuse(set(given) - of_audit, "does not go with --audit")
        if systems or log:
            raise click.UsageError("--audit makes its own rankings: leave out SYSTEM and --log")
        kept = {name: value for name, value in given.items() if name in of_audit}
        return audit_interleaving(methods or None, **kept | {"softness": int(kept["softness"])})
    refuse(of_audit - {"softness"}, "goes with --audit")
    if len(methods) > 1:
        raise click.UsageError("several methods go with --audit")
    chosen: dict[str, Any] = {"method": methods[0]} if methods else {}
    if not log:
        if not systems:
            raise click.UsageError("give SYSTEMs to interleave, or --log to count clicks")
        refuse(of_log, "goes with --log")
        return interleave(list(systems), **chosen, **_without(given, {"items"} | of_log))
    refuse(OF_MAKING, "makes lists, and does not go with --log")
    return analyse_interleaving(list(log), list(systems) or None, **chosen, **_without(given, {"items"} | OF_MAKING))


def _without(given: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """The options that another use has are left out."""
    return {name: value for name, value in given.items() if name not in names}
