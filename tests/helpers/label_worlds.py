"""Hypothesis strategies for filters and classifiers, and the settings of their metrics.

Cases have one class only, lack answers or are missing; outputs have items that the gold lacks, labels that the gold lacks,
equal scores, scores of exactly 0.5 and no answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from hypothesis import strategies as st

import plumbline
from tests.helpers.metric_settings import named, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.metrics.registry import Metric

Labels = dict[str, dict[str, Any]]
Kind = Literal["decisions", "scores", "single", "several"]

ITEMS = tuple("abcdefgh")
EXTRA = "z"
"""An item that no gold has."""
CASES = ("q1", "q2", "q3", "q4", "q5")
ONE_LABEL = ("2", "10", "b", "c")
"""Two of them are numbers, whose order is not that of the alphabet."""
STRANGE = "x"
"""A label that no gold has."""
KINDS: tuple[Kind, ...] = ("decisions", "scores", "single", "several")


@dataclass(frozen=True)
class LabelWorld:
    """A gold and the output of one system, as `{case: {item: label}}`."""

    gold: Labels
    run: Labels
    kind: Kind

    @property
    def task(self) -> str:
        """The task that the labels are for."""
        return "filtering" if self.kind in {"decisions", "scores"} else "classification"

    @property
    def is_refused(self) -> bool:
        """Whether gold and output have no label in common, so that they cannot be meant for each other (E195)."""
        if self.task == "filtering":
            return False
        pairs = [(label, self.run.get(case, {}).get(item)) for case in self.gold for item, label in self.gold[case].items()]
        known, given = ({label for one in side if one for label in _labels(one)} for side in zip(*pairs, strict=True))
        foreign = bool(known and given) and not known & given
        return foreign and (min(len(known), len(given)) > 1 or all(map(str.isdigit, given)))

    def part(self, case: str) -> LabelWorld:
        """One case alone."""
        return LabelWorld({case: self.gold[case]}, {case: self.run[case]}, self.kind)


def _labels(value: Any) -> set[str]:
    return {value} if isinstance(value, str) else set(value)


@cache
def gold_labels(kind: Kind) -> st.SearchStrategy[Any]:
    """What the gold may say about an item."""
    if kind == "single":
        return st.sampled_from(ONE_LABEL)
    return st.frozensets(st.sampled_from(ONE_LABEL), max_size=3) if kind == "several" else st.integers(0, 1)


@cache
def answers(kind: Kind) -> st.SearchStrategy[Any]:
    """What a system may say about an item."""
    if kind == "scores":
        return st.sampled_from([0.0, 0.25, 0.5, 0.5, 0.75, 1.0]) | st.floats(0, 1)
    if kind == "decisions":
        return st.integers(0, 1)
    label = st.sampled_from((*ONE_LABEL, STRANGE))
    return label if kind == "single" else st.frozensets(label, max_size=3)


@cache
def judgements(kind: Kind, first: str, *others: str) -> st.SearchStrategy[dict[str, Any]]:
    """What the gold may say about a case, whose first item it always knows."""
    return st.fixed_dictionaries({first: gold_labels(kind)}, optional=dict.fromkeys(others, gold_labels(kind)))


@cache
def some_answers(kind: Kind, *items: str) -> st.SearchStrategy[dict[str, Any]]:
    """What a system may say about these items; None is no answer, and so is saying nothing."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(items, answers(kind) | st.none()))


@st.composite
def outputs(draw: st.DrawFn, gold: Labels, kind: Kind) -> Labels:
    """An output that answers at least one item of the gold; the other cases may be missing or have other items only."""
    run: Labels = {}
    for number, (case, judged) in enumerate(gold.items()):
        if number and not draw(st.booleans()):
            continue
        run[case] = draw(some_answers(kind, *judged, EXTRA))
    first = next(iter(gold))
    run[first][next(iter(gold[first]))] = draw(answers(kind))
    if LabelWorld(gold, run, kind).is_refused:
        case, item = next((case, item) for case in gold for item in gold[case] if gold[case][item])
        run.setdefault(case, {})[item] = gold[case][item]
    return run


@st.composite
def label_worlds(draw: st.DrawFn, kinds: Iterable[Kind], most: int = 6) -> LabelWorld:
    """A gold of one to five cases, none without items, and a system that answers at least one item."""
    kind = draw(st.sampled_from(list(kinds)))
    gold = {case: draw(judgements(kind, *ITEMS[:most])) for case in CASES[: draw(st.integers(1, len(CASES)))]}
    return LabelWorld(gold, draw(outputs(gold, kind)), kind)


def perfect(world: LabelWorld) -> LabelWorld:
    """The same gold with itself as output."""
    return LabelWorld(world.gold, world.gold, world.kind)


# --- worlds that every property meets ---------------------------------------------------------------------------------

PLAIN: dict[Kind, LabelWorld] = {
    "decisions": LabelWorld(
        {"q1": {"a": 1, "b": 0, "c": 1, "d": 0, "e": 0}, "q2": {"a": 0, "b": 0}, "q3": {"a": 1, "b": 0}},
        {"q1": {"a": 1, "b": 1, "c": 0, "z": 1}, "q2": {"a": 1, "b": None}},
        "decisions",
    ),
    "scores": LabelWorld(
        {"q1": {"a": 1, "b": 0, "c": 1, "d": 0, "e": 0}, "q2": {"a": 1, "b": 1}, "q3": {"a": 1, "b": 0}},
        {"q1": {"a": 0.9, "b": 0.75, "c": 0.5, "d": 0.5}, "q2": {"a": 0.5, "b": None}},
        "scores",
    ),
    "single": LabelWorld(
        {"q1": {"a": "2", "b": "10", "c": "b", "d": "2", "e": "10"}, "q2": {"a": "2", "b": "2"}, "q3": {"a": "2", "b": "b"}},
        {"q1": {"a": "2", "b": "2", "c": "b", "d": "x"}, "q2": {"a": "2", "b": None}},
        "single",
    ),
    "several": LabelWorld(
        {
            "q1": {"a": {"2", "10"}, "b": {"10"}, "c": set(), "d": {"b", "c"}, "e": set()},
            "q2": {"a": {"2"}},
            "q3": {"a": {"2"}, "b": {"b"}},
        },
        {"q1": {"a": {"2"}, "b": {"10", "x"}, "c": set(), "d": None}, "q2": {"a": set()}},
        "several",
    ),
}


# --- names ------------------------------------------------------------------------------------------------------------

VIEWS = ("smooth", "average")
"""Parameters of the view, which are tried together with every setting of the others."""


def all_of(kind: Kind) -> dict[str, Metric]:
    """Every metric that has a meaning for such labels."""
    task = PLAIN[kind].task
    return {name: metric for name, metric in plumbline.all_metrics(task).items() if kind in kinds_of(metric)}


def few_of(kind: Kind) -> list[str]:
    """Two settings of each of them: by default, and with everything else than the default."""
    settings = [spelled_labels(metric, kind) for metric in all_of(kind).values()]
    return list(dict.fromkeys(name for names in settings for name in (names[0], names[-1]) if "average=none" not in name))


def kinds_of(metric: Metric) -> tuple[Kind, ...]:
    """The worlds that a metric has a meaning in."""
    if metric.task == "filtering":
        return ("decisions", "scores")
    return ("single",) if metric.single_label else ("single", "several")


def spelled_labels(metric: Metric, kind: Kind) -> list[str]:
    """Names of a metric with each setting, under every smoothing or average."""
    views = [
        {parameter.name: value}
        for parameter in metric.parameters
        if parameter.name in VIEWS
        for value in parameter.tried()
        if (value, kind) != ("samples", "single")
    ]
    settings = [{**each, **view} for each, view in product(settings_of(metric, VIEWS), views or [{}])]
    return list(dict.fromkeys(named(metric, setting) for setting in settings))
