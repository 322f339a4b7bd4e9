"""Options that several commands share, and what commands do with notices."""

from __future__ import annotations

import math
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from plumbline.errors.base import READ_AS
from plumbline.io.registry import readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from plumbline.errors import Diagnostic

C = TypeVar("C", bound="Callable[..., Any]")

FORMATS = ("table", "md", "latex", "csv", "json")
TASKS = ("ranking", "filtering", "classification", "clustering", "organization")


class Number(type(click.FLOAT)):  # type: ignore[misc]  # click has no other name for it
    """A number that is neither infinite nor no number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's signature
        """The number, if it is one."""
        return _finite(super().convert(value, param, ctx), self, param, ctx)


class Within(click.FloatRange):
    """The same within bounds, which alone would let pass what is no number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's signature
        """The number, if it is one."""
        return _finite(super().convert(value, param, ctx), self, param, ctx)


class Registered(click.Choice):  # type: ignore[type-arg]  # generic only in newer versions of click
    """One of the names that a function lists, which is imported when the names are needed: "module:function"."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # click sets it, here it is looked up
        """The names, as they are registered."""
        module, _, function = self.function.partition(":")
        return tuple(getattr(import_module(module), function)())


def _finite(number: float, kind: click.ParamType[Any], param: click.Parameter | None, ctx: click.Context | None) -> float:
    if not math.isfinite(number):
        kind.fail(f"{number} is no finite number.", param, ctx)
    return number


def _split(context: click.Context, option: click.Parameter, value: str | None) -> list[str] | None:  # noqa: ARG001 - click's way
    return None if value is None else [name.strip() for name in value.split(",")]


_READING = [
    click.option("--reader", type=click.Choice(list(readers())), help="Read files as this kind instead of looking at them."),
    click.option("--gold-reader", type=click.Choice(list(readers())), help="The same for the gold only."),
    click.option("--output-reader", type=click.Choice(list(readers())), help="The same for the outputs only."),
    click.option(
        "--order",
        type=click.Choice(["score", "rank", "file"]),
        default="score",
        show_default=True,
        help="What orders the items of a list.",
    ),
    click.option("--tag", help="Read only the rows with this run tag."),
    click.option("--max-bytes", type=click.IntRange(1), help="Allow compressed files to unpack to this many bytes."),
]

_POLICIES = [
    click.option(
        "--as", "as_", type=click.Choice(["trec_eval", "trec_eval9"]), help="Take over the conventions of another tool."
    ),
    click.option(
        "--rel", type=Number(), help="Grade from which an item is relevant, for metrics that do not say. [default: 1]"
    ),
    click.option(
        "--ties",
        type=click.Choice(["id", "average", "best", "worst", "levels"]),
        help="How equal scores are ordered. [default: id, descending]",
    ),
    click.option(
        "--on-duplicate",
        type=click.Choice(["error", "first", "last", "best"]),
        help="Which copy of a repeated item to keep. [default: error]",
    ),
    click.option(
        "--missing",
        type=click.Choice(["worst", "skip", "error"]),
        help="What a case that a system lacks counts as. [default: worst]",
    ),
    click.option(
        "--undefined",
        type=click.Choice(["skip", "zero", "one", "error"]),
        help="What an undefined value counts as. [default: skip]",
    ),
    click.option("--depth", type=click.IntRange(1), help="Look only at the first items of each list."),
    click.option("--judged-only/--all-items", default=None, help="Drop unjudged items before ranking."),
    click.option("--seed", type=int, help="Seed for sampling the orders of equal scores. [default: 0]"),
]

_LABELS = [
    click.option(
        "--positive", multiple=True, metavar="LABEL", help="The label of the positive class; may be repeated. Filtering."
    ),
    click.option("--classes", callback=_split, metavar="A,B,...", help="The classes, in their order. Classification."),
    click.option("--multilabel", is_flag=True, help="Items may have several labels, one a row. Classification."),
    click.option(
        "--label-separator", metavar="TEXT", help="Splits a label into several, e.g. '|'. Classification, clustering."
    ),
    click.option(
        "--missing-items",
        type=click.Choice(["negative", "wrong", "singleton", "one-cluster", "drop", "absent", "error"]),
        help="What an item without an answer counts as. [default: negative; for classifiers wrong, for clusters singleton]",
    ),
    click.option(
        "--noise", metavar="LABEL", help="The label of items outside every cluster; each becomes its own. Clustering."
    ),
]

_POSITIVE_FROM = [
    click.option("--threshold", type=Number(), help="The score from which an item is positive. Filtering."),
]

_POSITIVE_BY_SCORE = [
    click.option("--positive-from", type=Number(), help="The score from which an item is positive. Filtering."),
]
"""For a command that has another threshold."""

_SPACE = [
    click.option(
        "--features",
        metavar="FILE",
        help="A row of numbers for each item: item column and numbers, vectors, or a matrix in the gold's order. Clustering.",
    ),
    click.option("--distances", metavar="FILE", help="A square table of distances between items, likewise. Clustering."),
]

_COMPOSING = [
    click.option(
        "--priority", multiple=True, metavar="FILE", help="A ranking or filter that --clusters makes an organization of."
    ),
    click.option(
        "--clusters", multiple=True, metavar="FILE", help="A clustering of the items of --priority; one may do for all."
    ),
    click.option("--gold-clusters", metavar="FILE", help="The clusters of the items that the GOLD puts in order."),
    click.option("--lengths", metavar="FILE", help="How many words items have, for discount=time: columns item,length."),
]

_COMPARING = [
    click.option("-m", "--metric", "metrics", multiple=True, help="The metrics to compare by. [default: all of the table]"),
    click.option("--task", type=click.Choice(TASKS), help="What kind of output it is, with a gold."),
    click.option("--baseline", metavar="SYSTEM", help="Compare with this system only."),
    click.option("--alpha", type=Within(0, 1), default=0.5, show_default=True, help="The weight of the first metric."),
    click.option(
        "--mean", type=click.Choice(["harmonic", "geometric", "arithmetic"]), help="How metrics are combined. [default: F]"
    ),
    click.option(
        "--threshold",
        type=Number(),
        default=0.25,
        show_default=True,
        help="The UIR from which an improvement is called robust.",
    ),
    click.option(
        "--test",
        type=Registered("plumbline.comparison.significance.registry:test_names"),
        default="randomization",
        show_default=True,
        help="The significance test.",
    ),
    click.option(
        "--correction",
        type=Registered("plumbline.comparison.significance.registry:correction_names"),
        default="holm",
        show_default=True,
        help="For many tests at once.",
    ),
    click.option("--level", type=Within(0, 1), default=0.05, show_default=True, help="Significant below this p."),
    click.option("--lower", multiple=True, metavar="METRIC", help="A metric of the table that is better when lower."),
    click.option("--eps", type=Within(0), default=0.0, show_default=True, help="Differences up to this are none."),
    click.option(
        "--resamples", type=click.IntRange(1), help="How often to draw, if a test does. [default: as often as needed]"
    ),
]
COMPARED_BY = ("baseline", "alpha", "mean", "threshold", "test", "correction", "level", "lower", "eps", "resamples")
"""The options of compare() among them."""

_TALKING = [
    click.option("-q", "--quiet", is_flag=True, help="No notices."),
    click.option("-v", "--verbose", is_flag=True, help="Also say how each file was read."),
    click.option("--strict", is_flag=True, help="Notices are errors: exit 1."),
]


def _together(options: list[Any]) -> Callable[[C], C]:
    def decorate(command: C) -> C:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def printing(shown: Sequence[str], drawn: str) -> Callable[[C], C]:
    """Which tables are shown beside the first, in which format, and where to; `drawn` tells what the picture is."""
    return _together(
        [
            click.option("--show", multiple=True, type=click.Choice(shown), help="Also show this table; may be repeated."),
            click.option(
                "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print."
            ),
            click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file."),
            click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help=drawn),
            click.option("--force", is_flag=True, help="Overwrite the files of -o and --plot."),
        ]
    )


composing = _together(_COMPOSING)
labels = _together([*_LABELS, *_POSITIVE_FROM])
reading = _together(_READING)
space = _together(_SPACE)
policies = _together(_POLICIES)
talking = _together(_TALKING)
comparing = _together(_COMPARING)
evaluating = _together([*_POSITIVE_BY_SCORE, *_LABELS, *_SPACE, *_COMPOSING, *_POLICIES, *_READING])
"""How systems are evaluated before they are compared."""


def fitted(options: dict[str, Any], metrics: Sequence[str] = (), task: str | None = None) -> dict[str, Any]:
    """The options without the settings of other tasks; what was typed and would change nothing for the task is refused.

    Settings stand in pyproject.toml or in the environment, for many runs of a command and so for many tasks.
    """
    from plumbline.errors import BadUsage, usage  # noqa: PLC0415
    from plumbline.evaluation.request import HOMES, chosen_task, is_idle  # noqa: PLC0415 - heavy imports when they are needed

    context = click.get_current_context()
    known = {option.name: max(option.opts, key=len) for option in context.command.params}
    score = "positive_from" if "positive_from" in known else "threshold"
    positive = bool(options.get("positive")) or options.get(score) is not None
    told = chosen_task(options.get("task") or task, metrics, positive=positive)
    left = dict(options)
    for name in HOMES:
        own = score if name == "threshold" else name
        if own not in left or not is_idle(name, left[own], told):
            continue
        if typed(own):
            raise BadUsage(usage.not_for_task(known[own], told, list(HOMES[name])))
        left[own] = _UNSAID.get(name)
    return {**left, **dict.fromkeys(name for name in _misplaced(left, told, metrics) if not typed(name))}


def _misplaced(options: dict[str, Any], task: str, metrics: Sequence[str]) -> list[str]:
    """Options that are refused later, with words of their own, if they were typed."""
    from plumbline.align.policy import ITEM_RULES  # noqa: PLC0415 - heavy imports when they are needed

    fits = {
        "missing_items": options.get("missing_items") in ITEM_RULES.get(task, ()),
        "floor_rate": bool(options.get("floor")),
        "lengths": any("discount=time" in name.replace(" ", "") for name in metrics),
    }
    return [name for name, fit in fits.items() if options.get(name) is not None and not fit]


def typed(name: str) -> bool:
    """Whether an option of the command was typed, and is no default and no setting."""
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


_UNSAID = {"positive": (), "multilabel": False, "order": "score", "floor": False}
"""What options hold that were not told, if not nothing."""


def report(notices: Iterable[Diagnostic], *, quiet: bool, verbose: bool, strict: bool) -> int:
    """Print notices below the result; the exit code that they deserve."""
    shown = [notice for notice in notices if verbose or notice.code != READ_AS]
    if not quiet:
        sys.stdout.flush()
        for notice in shown:
            click.echo(str(notice), err=True)
    return 1 if strict and any(notice.code != READ_AS for notice in notices) else 0
