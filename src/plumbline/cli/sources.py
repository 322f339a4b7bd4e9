"""`SCORES | GOLD SYSTEM...`: a table of scores, or a gold and systems that are evaluated first."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import click

from plumbline.cli.options import COMPARED_BY, fitted, is_set, typed
from plumbline.cli.screen import echo

FEW_CASES = 30
"""With up to so many cases, the items of the outputs may be the units of a comparison."""


@dataclass(frozen=True)
class Given:
    """What a command was given: a table of scores, or scores with the gold, the systems and the options they were made of."""

    scores: Any
    """What compare() takes: Scores, a path, or a list of paths."""
    gold: Any = None
    systems: Any = None
    options: dict[str, Any] = field(default_factory=dict)
    """Those of evaluate()."""
    notices: tuple[Any, ...] = ()

    @property
    def evaluated(self) -> bool:
        """Whether systems were evaluated; else there is a table of scores."""
        return self.gold is not None


def given(sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> Given:
    """The table of scores, or the scores of systems that are evaluated first; `options` are those of evaluate()."""
    source = gathered(sources, metrics, options)
    if not source.evaluated:
        return source
    from plumbline.cli.progress import watched, working
    from plumbline.evaluation.evaluate import evaluate

    with working("evaluating"):
        scores = evaluate(source.gold, source.systems, metrics or None, watch=watched, **source.options)
    chosen = click.get_current_context().params
    if scores.per_case["case"].n_unique() > FEW_CASES and not chosen.get("units") and chosen.get("test") != "mcnemar":
        scores = replace(scores, evaluation=None)  # nothing here looks at the outputs again, and they take memory
    return replace(source, scores=scores, notices=scores.notices)


def gathered(sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> Given:
    """The table of scores, or a gold and systems that are still to be evaluated and have no scores yet."""
    if "positive_from" in options:
        _take_old_name(options)
    if not sources:
        raise click.UsageError("Missing argument 'SCORES | GOLD SYSTEM...'.")
    if is_table(sources, options):
        given_ones = {name for name, value in options.items() if value is not None}
        refuse(given_ones - {"seed"}, "goes with a GOLD and SYSTEMs, not with a table of scores")
        return Given(sources[0] if len(sources) == 1 else list(sources))
    from plumbline.cli.composition import composed

    first, *others = sources
    chosen = fitted(options, metrics)
    gold, systems = composed(first, tuple(others), chosen)
    return Given(None, gold, systems, chosen)


def is_table(sources: tuple[str, ...], options: dict[str, Any]) -> bool:
    """Whether a table of scores was given, and no gold and systems."""
    composed_of = options["priority"] or options["gold_clusters"]
    return (len(sources) == 1 and not composed_of) or _are_named_tables(sources)


def comparison_options(sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The options of compare(), taken out of those of a command.

    Up to version 0.1 these commands called the score threshold --positive-from and the UIR threshold --threshold.
    """
    old_uir = None if is_set("uir_threshold") else options["threshold"]
    if options["positive_from"] is not None:
        _take_old_name(options)
    elif old_uir is not None and not _takes_threshold(sources, metrics, options):
        options["threshold"] = None
    elif old_uir is not None:
        say("threshold_of_scores")
        old_uir = None
    if old_uir is not None:
        options["uir_threshold"] = old_uir
        say("renamed_option", "--threshold", "--uir-threshold")
    chosen = {name: options.pop(name) for name in COMPARED_BY}
    if not is_table(sources, options):
        options["folds"] = chosen.pop("folds")  # they are those of the outputs, and the scores remember them
    return {**chosen, "seed": options["seed"]}


def _take_old_name(options: dict[str, Any]) -> None:
    """Take --positive-from, which is now --threshold, if it was given."""
    value = options.pop("positive_from", None)
    if value is not None:
        options["threshold"] = value
        say("renamed_option", "--positive-from", "--threshold")


def say(notice: str, *values: str) -> None:
    """Print a notice of `plumbline.errors.notices`, before there is a result that could carry it."""
    from plumbline.errors import notices

    if not click.get_current_context().params.get("quiet"):
        echo(str(getattr(notices, notice)(*values)), err=True)


def _takes_threshold(sources: tuple[str, ...], metrics: tuple[str, ...], options: dict[str, Any]) -> bool:
    """Whether a score threshold can be meant: filters are evaluated."""
    from plumbline.evaluation.request import chosen_task, idle_options

    task = chosen_task(options["task"], metrics, {"positive": options["positive"]})
    return not is_table(sources, options) and not idle_options({"threshold": options["threshold"]}, task)


def refuse(names: set[str], reason: str) -> None:
    """An option that would change nothing is refused, so that nobody relies on it."""
    for option in click.get_current_context().command.params:
        if option.name in names and typed(option.name):
            message = f"{max(option.opts, key=len)} {reason}"
            raise click.UsageError(message)


def _are_named_tables(sources: tuple[str, ...]) -> bool:
    """`METRIC=FILE` each; of a gold and systems, the gold has no name."""
    from plumbline.io.paths import split_name

    return all(split_name(source)[0] for source in sources)
