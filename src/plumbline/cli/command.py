"""The class of all commands: help is the docstring of a command's file, and lists the options by what they are about."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from plumbline.cli.screen import for_screen
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

HEADINGS: Final = {
    "": "Options",
    "input": "Input",
    "labels": "Labels",
    "metrics": "Metrics",
    "policies": "Edge cases",
    "statistics": "Statistics",
    "output": "Output",
}
"""What help pages call the groups of options, in their order; the ones that matter most come first."""

_CHOICES: Final = pattern(r"\[([^\]|]+(?:\|[^\]|]+)+)\]$")


class GroupedOption(click.Option):
    """An option that knows under which heading help lists it."""

    def __init__(self, *names: Any, group: str = "", **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.group = group


class Command(click.Command):
    """A command whose help is the docstring of its file; blocks with indented lines are printed as they stand."""

    def __init__(self, name: str, *, help: str, **options: Any) -> None:  # noqa: A002 - click's own names
        super().__init__(name, help=_kept_lines(help), **options)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command."""
        return super().parse_args(ctx, with_long_names(args, self.get_params(ctx)))

    def get_help(self, ctx: click.Context) -> str:
        """The help page; on a narrow terminal long examples go on in the next line."""
        return for_screen(super().get_help(ctx), sys.stdout)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options under their headings."""
        listed: dict[str, list[tuple[str, str]]] = {name: [] for name in HEADINGS}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                listed[getattr(param, "group", "")].append(_narrow(*record, formatter.width))
        for name, records in listed.items():
            if records:
                with formatter.section(HEADINGS[name]):
                    formatter.write_dl(records)


def with_long_names(words: Sequence[str], params: Sequence[click.Parameter]) -> list[str]:
    """The words of a command with long names of options for short ones: `--metric AP` for `-m AP`.

    click looks for the nearest long name of each short one before it reads it, which takes as long as scoring a small file.
    Short names that are values, or are written together with something else, stay as they are.
    """
    options = [param for param in params if isinstance(param, click.Option)]
    long_names = {short: max(option.opts, key=len) for option in options for short in option.opts if short[1:2] != "-"}
    values_of = {name: option.nargs for option in options if not (option.is_flag or option.count) for name in option.opts}
    read: list[str] = []
    values = 0
    for place, word in enumerate(words):
        if values:
            values -= 1
            read.append(word)
        elif word == "--" or (len(word) > len("-m") and word[0] == "-" != word[1]):
            return [*read, *words[place:]]
        else:
            values = values_of.get(word, 0)
            lacks_value = place + values >= len(words)  # which click tells by the name that was typed
            read.append(word if lacks_value else long_names.get(word, word))
    return read


def _narrow(names: str, text: str, width: int) -> tuple[str, str]:
    """An option and its help; choices for which a line has no room are part of the text, which breaks between words."""
    choices = _CHOICES.search(names)
    if choices is None or len(names) + 2 <= width:
        return names, text
    word = names[: choices.start()].rsplit(maxsplit=1)[-1].lstrip("-").upper()
    value = "CHOICE" if "-" in word else word
    sentence, default, rest = (part.rstrip() for part in text.partition("[default: "))
    return f"{names[: choices.start()]}{value}", f"{sentence} One of {choices[1].replace('|', ', ')}. {default} {rest}".rstrip()


def _kept_lines(text: str) -> str:
    """The text with click's mark before each paragraph that has indented lines."""
    return "\n\n".join(f"\b\n{part}" if "\n  " in part else part for part in text.strip().split("\n\n"))
