"""Options of commands: made from the records in `plumbline.options`, and those that only commands have."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from plumbline.cli.command import GroupedOption
from plumbline.cli.screen import echo
from plumbline.errors.base import READ_AS
from plumbline.errors.condensing import condensed
from plumbline.options.evaluation import (
    CompareOptions,
    EvaluateOptions,
    ItemOptions,
    LabelOptions,
    PolicyOptions,
    ReadOptions,
    TaskOptions,
)
from plumbline.options.option import Labels, Names, declared, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.options.option import Option

    ChoiceType = click.ParamType[str]
else:
    ChoiceType = click.ParamType  # generic for type checkers only: older versions of click cannot be subscripted

LARGEST: Final = 2**31 - 1
C = TypeVar("C", bound="Callable[..., Any]")


class Number(type(click.FLOAT)):  # type: ignore[misc]  # click has no other name for it
    """A finite number."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, if it is one."""
        return _finite(super().convert(value, param, ctx), self, param, ctx)


class Within(click.FloatRange):
    """A finite number within bounds; click's own bounds let NaN pass."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, if it is one."""
        return _finite(super().convert(value, param, ctx), self, param, ctx)

    def _describe_range(self) -> str:
        return _range(self.min, self.max)


class WholeWithin(click.IntRange):
    """A whole number within bounds."""

    name = "integer"

    def _describe_range(self) -> str:
        return _range(self.min, self.max)


def _range(least: float | None, most: float | None) -> str:
    """Bounds in words; the largest number that a computer word holds is none that a user would think of."""
    if least is None:
        return f"up to {_plain(most)}"
    return f"{_plain(least)} or more" if most is None or most >= LARGEST else f"{_plain(least)} to {_plain(most)}"


def _plain(bound: float | None) -> str:
    """A whole number with all its digits, whatever its size."""
    return f"{bound:,.0f}" if bound is not None and bound == int(bound) else f"{bound:g}"


def _finite(number: float, kind: click.ParamType[Any], param: click.Parameter | None, ctx: click.Context | None) -> float:
    if not math.isfinite(number):
        kind.fail(f"{number} is not a finite number.", param, ctx)
    return number


class LazyChoice(ChoiceType):
    """One of the words of an option, which are listed only when they are needed: registries take time to import."""

    name = "choice"

    def __init__(self, record: Option) -> None:
        self.record = record

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word, if it is one of them; the default is."""
        if value != self.record.default and value not in self.record.allowed:
            self.fail(f"{value!r} is not known; {suggestion(value, self.record.allowed)}", param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """All words, for the help page."""
        return f"[{'|'.join(self.record.allowed)}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The words that begin like this."""
        return click.Choice(self.record.allowed).shell_complete(ctx, param, incomplete)


def _split(context: click.Context, option: click.Parameter, value: str | None) -> list[str] | None:
    return None if value is None else [name.strip() for name in value.split(",")]


def _type(record: Option) -> click.ParamType[Any]:
    """What click converts the typed word to."""
    if record.choices or record.allowed:
        return LazyChoice(record)
    least, most = record.within
    if record.type is int:
        return click.INT if record.within == (None, None) else WholeWithin(_as_int(least), _as_int(most))
    if record.type is float:
        return Number() if record.within == (None, None) else Within(least, most)
    return click.STRING


def _as_int(bound: float | None) -> int | None:
    return None if bound is None else int(bound)


def flag(record: Option, help: str | None = None) -> Callable[[C], C]:  # noqa: A002 - click's own word
    """The option of a command that a record describes."""
    text = help or record.help
    if record.tasks and help is None:
        text = f"{text} {', '.join(record.tasks).capitalize()}."
    unless_given = record.shown_default or record.amounts_to
    if unless_given:
        text = f"{text} [default: {unless_given}]"
    settings: dict[str, Any] = {"help": text, "metavar": record.metavar}
    if record.type is bool:
        settings = {"help": text, "default": record.default, "is_flag": True}
    elif record.metavar == "A,B,...":
        settings["callback"] = _split
    elif record.type in (Labels, Names):
        settings["multiple"] = True
    else:
        settings |= {"type": _type(record), "default": record.default, "show_default": record.default is not None}
    return click.option(
        record.spelling, record.name, cls=GroupedOption, group="" if record.leading else record.group, **settings
    )


def options(
    group: type, *, only: Collection[str] | None = None, without: Collection[str] = (), helps: Mapping[str, str] | None = None
) -> Callable[[C], C]:
    """The options that a TypedDict of `plumbline.options` declares; `helps` has other words for some of them."""

    def decorate(command: C) -> C:
        records = [record for name, record in declared(group).items() if record.on_command_line and name not in without]
        chosen = [record for record in records if only is None or record.name in only]
        return together([flag(one, (helps or {}).get(one.name)) for one in chosen])(command)

    return decorate


def together(decorators: Sequence[Callable[[C], C]]) -> Callable[[C], C]:
    """Several options as one decorator, in their order on the help page."""

    def decorate(command: C) -> C:
        for option in reversed(decorators):
            command = option(command)
        return command

    return decorate


def task_option(
    *,
    only: Sequence[str] | None = None,
    default: str | None = None,
    help: str | None = None,  # noqa: A002 - click's own word
) -> Callable[[C], C]:
    """The option --task, perhaps for some tasks only."""
    record = declared(TaskOptions)["task"]
    limited = record if only is None else replace(record, choices=tuple(only))
    return flag(replace(limited, default=default, shown_default="" if help or default else record.shown_default), help)


output_option = partial(click.option, cls=GroupedOption, group="output")
statistics_option = partial(click.option, cls=GroupedOption, group="statistics")
_input_option = partial(click.option, cls=GroupedOption, group="input")
labels = options(LabelOptions)
policies = options(PolicyOptions)
reading = options(ReadOptions)
items = options(ItemOptions)
composing = together(
    [
        _input_option(
            "--priority",
            multiple=True,
            metavar="FILE",
            help="A ranking or filter, to be combined with --clusters.",
        ),
        _input_option(
            "--clusters", multiple=True, metavar="FILE", help="A clustering of the items of --priority; one can serve for all."
        ),
        _input_option("--gold-clusters", metavar="FILE", help="The clusters of the items that the GOLD ranks."),
    ]
)
talking = together(
    [
        output_option("-q", "--quiet", is_flag=True, help="Print no notices."),
        output_option("-v", "--verbose", is_flag=True, help="Also say how each file was read."),
        output_option("--strict", is_flag=True, help="Treat notices as errors: exit 1."),
    ]
)
metric_option = partial(click.option, "-m", "--metric", "metrics", multiple=True, metavar="METRIC")
metrics_of_table = metric_option(help="The metrics to compare by. [default: all of the table]")
OF_SYSTEMS = ("names", "floor", "floor_rate", "zscores", "seed", "folds")
"""Options of evaluate() that commands leave out which evaluate systems only to compare them."""
COMPARED_BY = tuple(name for name in CompareOptions.__annotations__ if name != "seed")
"""The options of compare() that it does not share with evaluate()."""
comparing = together([metrics_of_table, options(CompareOptions)])
evaluating = together(
    [
        options(EvaluateOptions, without=OF_SYSTEMS),
        composing,
        click.option("--positive-from", type=Number(), hidden=True, help="The old name of --threshold."),
    ]
)
"""How systems are evaluated before they are compared."""
OLD_NAMES = {"threshold": "positive_from"}
"""Names that options had up to version 0.1, where they could be typed."""


def fitted(options: dict[str, Any], metrics: Sequence[str] = (), task: str | None = None) -> dict[str, Any]:
    """The options without settings that belong to other tasks; what was typed and would change nothing is refused.

    Settings stand in pyproject.toml or in the environment, for many runs of a command and so for many tasks.
    """
    from plumbline.errors import BadUsage, usage
    from plumbline.errors.faces import option
    from plumbline.evaluation.request import chosen_task, idle_options

    chosen = chosen_task(options.get("task") or task, metrics, options)
    kept, known = dict(options), declared(EvaluateOptions)
    for name in idle_options(options, chosen):
        if typed(name):
            raise BadUsage(usage.not_for_task(option(name), chosen.name, list(known[name].tasks)))
        kept[name] = known[name].default
    fits = {
        "missing_items": kept.get("missing_items") in chosen.item_rules,
        "floor_rate": bool(kept.get("floor")),
        "lengths": any("discount=time" in name.replace(" ", "") for name in metrics),
    }
    return kept | {name: None for name, fit in fits.items() if not fit and name in kept and not typed(name)}


def typed(name: str) -> bool:
    """Whether an option of the command was typed, and is neither a default nor a setting."""
    context = click.get_current_context()
    spelled = (name, OLD_NAMES.get(name, name))
    return any(context.get_parameter_source(one) is click.core.ParameterSource.COMMANDLINE for one in spelled)


def is_set(name: str) -> bool:
    """Whether an option of the command was typed or stands in the settings, and is not a default."""
    source = click.get_current_context().get_parameter_source(name)
    return source not in (None, click.core.ParameterSource.DEFAULT)


def report(notices: Sequence[Diagnostic], *, quiet: bool, verbose: bool, strict: bool) -> int:
    """Print notices below the result; the exit code that they deserve."""
    decided = [notice for notice in notices if notice.code != READ_AS]
    shown = list(notices) if verbose else condensed(decided)
    if not quiet:
        sys.stdout.flush()
        for notice in shown:
            echo(str(notice), err=True)
    return 1 if strict and decided else 0
