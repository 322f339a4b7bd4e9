"""Commands: how they are found, listed and described.

A command is a file in `plumbline.cli.commands`. Its docstring is the help, of which the first line stands in the list of
commands; `SECTION` is the heading there; `command` is what click runs. Files are found by walking, and their first lines are
read without importing them, so that `plumbline --help` is instant.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from plumbline.cli import commands
from plumbline.declarations import module_paths, module_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

START: Final = ("evaluate", "compare", "report", "demo")
"""The order in which newcomers need the commands of the first heading; all others are in alphabetical order."""
SECTIONS: Final = ("Start here", "Systems", "Metrics", "Gold", "Real users", "Files", "Help")
"""The headings of the list of commands; others follow in alphabetical order."""
_SECTION: Final = '\nSECTION = "'


def is_command(name: str) -> bool:
    """Whether there is a command of this name; no file is read to know that, unless they are packed into one."""
    paths = module_paths(commands.__name__)
    return name in (command_names() if paths is None else paths)


@cache
def command_names() -> dict[str, str]:
    """The summary of each command by its name, in the order of the help page."""
    return {name: summary for _, listed in sections() for name, summary in listed}


@cache
def sections() -> list[tuple[str, list[tuple[str, str]]]]:
    """The headings with their commands, each with its summary."""
    by_section: dict[str, list[tuple[str, str]]] = {}
    for name, summary, section in _walk():
        by_section.setdefault(section, []).append((name, summary))
    for listed in by_section.values():
        listed.sort(key=lambda one: START.index(one[0]) if one[0] in START else len(START))
    order = [*(name for name in SECTIONS if name in by_section), *sorted(by_section.keys() - set(SECTIONS))]
    return [(name, by_section[name]) for name in order]


def _walk() -> Iterator[tuple[str, str, str]]:
    for name, source in module_texts(commands.__name__).items():
        summary = source.removeprefix('"""').partition("\n")[0].removesuffix('"""')
        section = source.partition(_SECTION)[2].partition('"')[0]
        if not source.startswith('"""') or not section:
            message = f"the command {name} needs a docstring and a SECTION"
            raise ValueError(message)
        yield name, summary, section


def load_command(name: str) -> click.Command:
    """The command of this name, imported now."""
    command: click.Command = import_module(f"{commands.__name__}.{name}").command
    return command
