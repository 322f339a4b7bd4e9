"""Where results go: to stdout in an output format, or to a file that appears only when it is complete."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from plumbline.cli.options import output_option
from plumbline.cli.screen import echo
from plumbline.errors.base import BadUsage

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.render.formats import OutputFormat
    from plumbline.render.result import Result

    FormatType = click.ParamType[OutputFormat]
else:
    FormatType = click.ParamType  # generic for type checkers only: older versions of click cannot be subscripted

C = TypeVar("C", bound="Callable[..., Any]")


class _Format(FormatType):
    """The name of an output format, or one of its other names."""

    name = "format"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """All names, as click shows a choice."""
        from plumbline.render.formats import format_names

        return f"[{'|'.join(format_names())}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The names that begin like this."""
        from plumbline.render.formats import format_names

        return click.Choice(format_names()).shell_complete(ctx, param, incomplete)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> OutputFormat:
        """The format."""
        from plumbline.render.formats import find_format

        try:
            return find_format(value) if isinstance(value, str) else value
        except BadUsage as error:
            problem = error.diagnostics[0]
            self.fail(f"{problem.message}: {problem.advice}", param, ctx)


WIDE = "plumbline.wide"


def _remember(context: click.Context, option: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's way
    context.meta[WIDE] = value


def format_option(command: C) -> C:
    """The options --format, with every output format there is, and --wide."""
    form = click.option("--format", "form", type=_Format(), default="table", show_default=True, help="How to print.")
    wide = output_option(
        "--wide", is_flag=True, expose_value=False, callback=_remember, help="Show all columns, however narrow the terminal is."
    )
    return form(wide(command))


def file_options(command: C) -> C:
    """The options --format, -o and --force."""
    force = output_option("--force", is_flag=True, help="Overwrite the file of -o.")
    output = click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write to a file; without --format its ending sets the format, and .parquet saves everything for plumbline.load.",
    )
    return format_option(output(force(command)))


def show(result: Result, form: OutputFormat, *, output: Path | None = None, force: bool = False, **view: Any) -> None:
    """Print a result, or write it to a file; `view` chooses a part of the result."""
    from plumbline.io.bytes.atomic import write_atomically
    from plumbline.render.document import Document

    if output is None:
        wide = bool(click.get_current_context().meta.get(WIDE))
        form.print(Document(result, view=view, wide=wide), sys.stdout)
    elif output.suffix == ".parquet":
        result.save(output, force=force)
    else:
        chosen = chosen_format(form, output)
        with write_atomically(output, force=force) as file:
            file.write(chosen.convert(Document(result, view=view)).encode())
        _tell_of_ending(output, chosen)


def _tell_of_ending(output: Path, chosen: OutputFormat) -> None:
    """Say so where a file has the ending of another format, or of none that is known."""
    from plumbline.errors import files
    from plumbline.render.formats import format_of

    meant = format_of(output)
    unknown = meant is None and chosen.name == "table" and bool(output.suffix)
    contradicts = unknown or (meant is not None and meant.name != chosen.name)
    if contradicts and not click.get_current_context().params.get("quiet"):
        notice = files.format_of_file(str(output), chosen.name, None if meant is None else meant.name)
        echo(str(notice), err=True)


def chosen_format(form: OutputFormat, output: Path | None) -> OutputFormat:
    """The format that was typed, or else the one that the ending of the file means."""
    from plumbline.render.formats import format_of

    source = click.get_current_context().get_parameter_source("form")
    typed = source is not None and source is not click.core.ParameterSource.DEFAULT
    return form if typed or output is None else format_of(output) or form


def plot_option(help_text: str) -> Callable[[C], C]:
    """The option --plot, with what it draws."""
    return click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help=f"{help_text} SVG, PNG or PDF.")


def check_plot(path: Path | None) -> None:
    """Before any work is done: whether figures can be drawn, and into such a file."""
    if path is not None:
        from plumbline.figures.figure import require_altair
        from plumbline.figures.saving import check_format

        require_altair()
        check_format(path)


def save_plot(result: Result, figure: str, path: Path, *, force: bool) -> None:
    """Write one figure of a result."""
    from plumbline.io.bytes.atomic import write_atomically
    from plumbline.render.present import figure_file

    content = figure_file(result, figure, path)
    with write_atomically(path, force=force) as file:
        file.write(content)
