"""Pages of everything that is declared once: commands, options, file formats, output formats and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from plumbline.cli.app import plumbline
from plumbline.figures.registry import FIGURES
from plumbline.io.registry import readers, writers
from plumbline.options.evaluation import CompareOptions, EvaluateOptions
from plumbline.options.option import declared
from plumbline.render.formats import output_formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.options.option import Option

GROUPS: Final = {
    "input": "Input",
    "labels": "Labels, classes and clusters",
    "policies": "Edge cases",
    "metrics": "Metrics",
    "statistics": "Statistics",
    "output": "Output",
}


def commands_page() -> Iterator[str]:
    """What `--help` of every command says."""
    yield "# Commands\n"
    yield "What `plumbline COMMAND --help` says, for every command. Commands are also functions: see [Python](api.md)."
    root = click.Context(plumbline, info_name="plumbline", terminal_width=100, max_content_width=100)
    for name in plumbline.list_commands(root):
        command = plumbline.get_command(root, name)
        if command is not None:
            context = click.Context(command, info_name=name, parent=root, terminal_width=100, max_content_width=100)
            yield f"\n## `plumbline {name}` {{#{name}}}\n\n```text\n{command.get_help(context)}\n```"


def options_page() -> Iterator[str]:
    """The options of evaluate and compare, by group."""
    yield "# Options\n"
    yield "An option is declared once. It has the same name and meaning in Python, on the command line, in `pyproject.toml`"
    yield "and in the plan of a report. A misspelt name is an error with a suggestion. An option without effect is refused."
    yield "`plumbline COMMAND --help` lists the options of a command."
    for function, group in (("evaluate", EvaluateOptions), ("compare", CompareOptions)):
        yield f"\n## Options of `{function}`\n"
        yield {
            "evaluate": "`report`, `plot`, `sweep`, `confusion`, `losses`, `internal`, `meta`, `why` take those that fit.",
            "compare": "`report` and `plot` take them too.",
        }[function]
        records = list(declared(group).values())
        for name, title in GROUPS.items():
            chosen = [record for record in records if record.group == name]
            if chosen:
                yield f"\n### {title}" + (f" {{#{function}-{name}}}" if function != "evaluate" else "") + "\n"
                yield "| Python | command line | value | default | tasks | meaning |\n| --- | --- | --- | --- | --- | --- |"
                yield from map(_option_row, chosen)


def _option_row(record: Option) -> str:
    flag = f"`{record.spelling}`" if record.on_command_line else ""
    tasks = ", ".join(record.tasks) or "all"
    value = ", ".join(f"`{word}`" for word in record.allowed) or record.expects
    older = f" Formerly `{'`, `'.join(record.renamed_from)}`." if record.renamed_from else ""
    return f"| `{record.name}` | {flag} | {value} | {_default(record)} | {tasks} | {_cell(record.help)}{older} |"


def _default(record: Option) -> str:
    if record.shown_default:
        return _cell(record.shown_default)
    return "" if record.default in (None, ()) else f"`{record.default}`"


def formats_page() -> Iterator[str]:
    """File formats that are read and written, formats of results, and kinds of figures."""
    yield "# Formats and figures\n"
    yield "## Files that plumbline reads\n"
    yield "plumbline recognises a format by the content of a file. `--reader` sets it, and `--gold-reader` and"
    yield "`--output-reader` set it for one side. [Reading files](reading-files.md) explains the columns.\n"
    yield "| `--reader` | what it reads | tables | file names |\n| --- | --- | --- | --- |"
    for reader in readers().values():
        yield f"| `{reader.name}` | {_cell(reader.about)} | {', '.join(reader.kinds)} | {_words(reader.suffixes)} |"
    yield "\n## Files that `plumbline convert` writes\n"
    yield "| format | tables | file names |\n| --- | --- | --- |"
    for writer in writers().values():
        yield f"| `{writer.name}` | {', '.join(writer.kinds)} | {_words(writer.suffixes)} |"
    yield "\n## Formats of results\n"
    yield "`--format` sets the format; with `-o FILE` the file name does.\n"
    yield "| `--format` | meaning | file names |\n| --- | --- | --- |"
    for output in output_formats().values():
        names = _words((output.name, *output.aliases))
        yield f"| {names} | {_cell(output.description)} | {_words(output.suffixes)} |"
    yield "\n## Figures\n"
    yield "`plumbline plot KIND` draws one. The [gallery](figures-gallery.md) shows them.\n"
    yield "| kind | title | tasks |\n| --- | --- | --- |"
    for figure in FIGURES.values():
        yield f"| `{figure.name}` | {_cell(figure.title)} | {', '.join(figure.tasks) or 'all'} |"


def _words(words: tuple[str, ...]) -> str:
    return " ".join(f"`{word}`" for word in words)


def _cell(text: Any) -> str:  # noqa: ANN401 - whatever a record holds
    return str(text).replace("|", "\\|")
