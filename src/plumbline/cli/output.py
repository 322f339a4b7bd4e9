"""Where results go: stdout in the asked format, or a file that appears whole."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from plumbline.cli.trec_format import trec_format
from plumbline.io.bytes.atomic import write_atomically
from plumbline.render.latex import latex
from plumbline.render.markdown import markdown
from plumbline.render.rows import delimited, json_lines, json_whole
from plumbline.render.terminal import plain, terminal

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.scores import Scores


def show(scores: Scores, form: str, *, per_case: bool, output: Path | None, force: bool) -> None:
    """Print, or write to a file."""
    if output is not None and output.suffix == ".parquet":
        scores.save(output, force=force)
    elif output is not None:
        with write_atomically(output, force=force) as file:
            file.write(text(scores, form, per_case=per_case).encode())
    elif form == "table" and not per_case:
        terminal(scores.grid(), sys.stdout)
    else:
        click.echo(text(scores, form, per_case=per_case), nl=False)


def text(scores: Scores, form: str, *, per_case: bool) -> str:
    """The scores in one of the text formats."""
    cases = scores.per_case if per_case else None
    reasons = {column.name: column.undefined for column in scores.columns}
    if form in {"csv", "tsv"}:
        return delimited(cases, scores.mean, "," if form == "csv" else "\t")
    if form == "jsonl":
        return json_lines(cases, scores.mean, reasons)
    if form == "json":
        notices = [{"code": notice.code, "text": notice.headline(), "help": notice.help} for notice in scores.notices]
        return json_whole(cases, scores.mean, reasons, scores.made, notices)
    if form == "trec_eval":
        return trec_format(scores, per_case=per_case)
    render = {"md": markdown, "latex": latex}.get(form, plain)
    return "\n".join(render(grid) for grid in ([scores.case_grid()] if per_case else []) + [scores.grid()])
