"""Validate files without scoring.

Judgements among FILES, or for labels the first file, are aligned with the outputs.

Examples:
  plumbline check qrels.txt runs/*.run
  plumbline check --role gold judgements.csv
  plumbline check --format github qrels.txt run.txt
  plumbline check --task filtering --positive spam gold.tsv filters/*.tsv
  plumbline check --task organization gold.json systems/*.json
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.command import Command
from plumbline.cli.options import TASKS, fitted, labels, reading
from plumbline.errors.base import READ_AS

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.tools.check import Checked

SECTION = "Files"


@click.command("check", cls=Command, help=__doc__, no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, metavar="FILES...")
@click.option("--role", type=click.Choice(["gold", "output"]), help="What the files are. [default: told by their columns]")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "github"]), default="text", show_default=True, help="How to print."
)
@click.option("--task", type=click.Choice(TASKS), help="What the files hold. [default: ranking; with --positive filtering]")
@click.option("--strict", is_flag=True, help="Notices are errors: exit 1.")
@labels
@reading
def command(
    files: tuple[str, ...],
    role: str | None,
    form: str,
    task: str | None,
    *,
    strict: bool,
    **options: Any,  # noqa: ANN401 - passed on to request()
) -> int:
    """Check and print what was found; exit 1 if something is wrong."""
    from plumbline.evaluation.request import request  # noqa: PLC0415
    from plumbline.tools.check import check_files, check_labels  # noqa: PLC0415 - heavy imports when they are needed

    asked = request(None, task=task, **fitted(options, task=task))
    lists = asked.task == "ranking"
    found = check_files(files, asked.reading, role) if lists else check_labels(files, asked)  # type: ignore[arg-type]
    if form == "json":
        click.echo(json.dumps([_plain(one) for one in found], indent=1, ensure_ascii=False))
    else:
        for one in found:
            _print(one, github=form == "github", gold="judgements" if lists else "the gold")
    wrong = [said for one in found for said in one.diagnostics if not said.is_notice or (strict and said.code != READ_AS)]
    return 1 if wrong else 0


def _print(one: Checked, *, github: bool, gold: str) -> None:
    from plumbline.errors import visible  # noqa: PLC0415
    from plumbline.errors.base import plural  # noqa: PLC0415

    told = [said for said in one.diagnostics if said.code != READ_AS]
    if github:
        for said in told:
            click.echo(_annotation(said, one.path))
        return
    if all(said.is_notice for said in one.diagnostics):
        reader = next((said.text for said in one.diagnostics if said.code == READ_AS), "read")
        kind = gold if one.role == "gold" else "an output"
        click.echo(f"{visible(one.path)}: fine, {kind}, {plural(one.rows, 'row')} in {plural(one.cases, 'case')}, {reader}")
    for said in told:
        click.echo(str(said))


def _annotation(said: Diagnostic, path: str) -> str:
    kind = "notice" if said.is_notice else "error"
    place = said.place
    at = "" if place is None or place.line is None else f",line={place.line}" + (f",col={place.column}" if place.column else "")
    text = said.text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::{kind} file={path}{at},title={said.code}::{text}"


def _plain(one: Checked) -> dict[str, object]:
    diagnostics = [
        {
            "code": said.code,
            "text": said.text,
            "line": said.place.line if said.place else None,
            "column": said.place.column if said.place else None,
            "help": said.help,
        }
        for said in one.diagnostics
    ]
    return {"path": one.path, "role": one.role, "rows": one.rows, "cases": one.cases, "diagnostics": diagnostics}
