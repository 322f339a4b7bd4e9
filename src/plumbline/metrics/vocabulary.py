"""The names of the metrics of a task: their own, their aliases, and those of other programs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from plumbline.lazily import pattern
from plumbline.metrics.foreign_names import names_elsewhere
from plumbline.metrics.registry import all_metrics, metrics_named
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.metrics.registry import Metric

    Known = tuple[Metric, dict[str, Any]]
    """A metric and the parameters that a name sets."""


_PLAIN: Final = pattern(r"([A-Za-z]+)(?:@\d+)?")


class UnknownMetricError(Exception):
    """A name that no metric of the task has; hints are looked for only where the user is to see them."""

    def __init__(self, name: str, typed: str, task: str) -> None:
        super().__init__(name)
        self.name, self.typed, self.task = name, typed, task


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All names of the metrics of a task."""

    spelled: dict[str, Known]
    """Names and aliases as they are spelled: trec_eval's `rbp` is not quite our `RBP`."""
    lowered: dict[str, Known]
    """The same without regard to capitals; a metric's own name goes before an alias."""
    spelled_elsewhere: frozenset[str]
    """The names that other programs have for the metrics, without their parameters."""
    elsewhere: dict[str, Metric]
    """The metrics that they stand for, without regard to capitals; a metric's own names go before."""
    templates: list[tuple[re.Pattern[str], Metric, dict[str, Any]]]
    """Aliases with a number in them, such as `ndcg_cut_{k}`."""

    @classmethod
    def of(cls, metrics: Iterable[Metric]) -> Vocabulary:
        """The names that these metrics declare."""
        known = list(metrics)
        aliases = [(alias, metric, dict(presets)) for metric in known for alias, presets in metric.aliases.items()]
        spelled = {alias: (metric, presets) for alias, metric, presets in aliases if "{" not in alias}
        spelled.update({metric.name: (metric, {}) for metric in known})
        foreign = [(name, metric) for metric in reversed(known) if not metric.combines for name in names_elsewhere(metric)]
        return cls(
            spelled,
            {name.lower(): meant for name, meant in spelled.items()},
            frozenset(name for name, _ in foreign),
            {name.lower(): metric for name, metric in foreign},
            [(_pattern(alias), metric, presets) for alias, metric, presets in aliases if "{" in alias],
        )


def _pattern(alias: str) -> re.Pattern[str]:
    return pattern(re.sub(r"\{(\w+)\}", r"(?P<\1>[0-9.]+)", alias), re.IGNORECASE)


def vocabulary(task: str) -> Vocabulary:
    """The names of a task, made anew when a metric was declared."""
    return _of_metrics(tuple(all_metrics(task).values()))


def vocabulary_for(names: Iterable[str], task: str) -> Vocabulary:
    """A vocabulary that reads these names as that of the task does: of their metrics alone, if all are names such as P@10.

    A metric's own name goes before all others, so what other metrics are called does not matter to it.
    """
    plain = _plain(tuple(names))
    metrics = None if plain is None else metrics_named(plain, task)
    return vocabulary(task) if metrics is None else _of_metrics(metrics)


@lru_cache(maxsize=64)
def _plain(names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The metrics of these names, if all are such names; training loops ask for the same again and again."""
    matches = [_PLAIN.fullmatch(name.strip()) for name in names]
    return tuple(dict.fromkeys(match[1] for match in matches if match)) if all(matches) else None


@lru_cache(maxsize=32)
def _of_metrics(metrics: tuple[Metric, ...]) -> Vocabulary:
    return Vocabulary.of(metrics)


def look_up(name: str, typed: str, task: str, names: Vocabulary | None = None) -> Known:
    """The metric of a name without its parameters, and the parameters that the name itself sets."""
    names = names or vocabulary(task)
    exact = names.spelled.get(name) or names.lowered.get(name.lower())
    if exact is not None:
        return exact
    for template, metric, presets in names.templates:
        if match := template.fullmatch(name):
            return metric, {**presets, **match.groupdict()}
    if name.lower() in names.elsewhere:
        return names.elsewhere[name.lower()], {}
    raise UnknownMetricError(name, typed, task)
