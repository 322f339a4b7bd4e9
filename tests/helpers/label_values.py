"""Values of filters and classifiers, as plumbline finds them and as the slow implementations do."""

from __future__ import annotations

import inspect
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

import plumbline
from plumbline.metrics.measure import Single
from tests.helpers.classification_oracles import CLASSIFICATION, averaged, of_class
from tests.helpers.filtering_oracles import (
    ANSWERED,
    CELLS,
    FILTERING,
    PROBABILITIES,
    SCORED,
    Answered,
    Counts,
    Scored,
    Value,
    harmonic,
)
from tests.helpers.oracle_files import load_oracles
from tests.helpers.score_values import Values, values_of

if TYPE_CHECKING:
    from plumbline.metrics.measure import Measure
    from tests.helpers.classification_oracles import Items
    from tests.helpers.label_worlds import LabelWorld

OPEN_SCORE = 0.5
"""A filter that gives this score gives no answer."""


def label_values(names: list[str], world: LabelWorld, **options: Any) -> Values:
    """Every value of the system of a world."""
    return values_of(plumbline.evaluate(world.gold, {"system": world.run}, names, task=world.task, **options), "system")


def measures(names: list[str], world: LabelWorld) -> list[Measure]:
    """The measures behind names, one for each class where all are asked for."""
    every = sorted(labels_of(world)) if any("average=none" in name for name in names) else []
    spelled = [
        name.replace("average=none", f"class={label}")
        for name in names
        for label in (every if "average=none" in name else [""])
    ]
    return list(dict.fromkeys(plumbline.parse(name, task=world.task) for name in spelled))


def labels_of(world: LabelWorld) -> set[str]:
    """Every label that occurs for an item of the gold."""
    kept = [*world.gold.values(), *({k: v for k, v in run.items() if k in world.gold[c]} for c, run in world.run.items())]
    return {label for labels in kept for value in labels.values() for label in _set(value) or ()}


def oracle_values(names: list[str], world: LabelWorld, **options: Any) -> Values:
    """The same by the slow implementations."""
    actual: Values = {}
    for measure in measures(names, world):
        for case in world.gold:
            parts = [_worst_if_missing(part, world, case, **options) for part in measure.parts]
            value = parts[0] if isinstance(measure, Single) else harmonic(parts[0], parts[1], measure.alpha)
            actual[case, str(measure)] = None if value is None else float(value)
    return actual


def _worst_if_missing(single: Single, world: LabelWorld, case: str, **options: Any) -> Value:
    """The value, or for a missing case the worst end of the range, unless the gold allows no value at all."""
    if world.run.get(case):
        return _value(single, world, case, **options)
    gold = world.gold[case]
    wrong = {item: 1 - label for item, label in gold.items()} if world.task == "filtering" else dict.fromkeys(gold)
    end = single.metric.range[single.metric.better == "lower"]
    ends = [_value(single, replace(world, run={case: run}), case) for run in (wrong, gold)]
    possible = any(value is not None for value in (ends if world.task == "filtering" else ends[1:]))
    return ends[0] if end is None or not possible else end


def _value(single: Single, world: LabelWorld, case: str, **options: Any) -> Value:
    run = {item: label for item, label in world.run[case].items() if label is not None}
    if world.task == "filtering":
        return filter_oracle(single, world.gold[case], run, **options)
    items = [(_set(label) or frozenset(), _set(run.get(item))) for item, label in world.gold[case].items()]
    return class_oracle(single, items, several=world.kind == "several")


# --- filters ----------------------------------------------------------------------------------------------------------


def filter_oracle(single: Single, gold: dict[str, int], run: dict[str, float], missing_items: str = "negative") -> Value:
    """One case; an item without an answer is negative, or wrong as asked."""
    load_oracles("filtering")
    name, details = single.metric.name, dict(single.arguments)
    if name in ANSWERED:
        return ANSWERED[name](_answered(gold, run))
    if name in SCORED:
        missing = (0.0, 1.0) if name in PROBABILITIES else (-inf, inf)
        return SCORED[name](_with_scores(gold, run, missing_items, missing), **details)
    answers = {item: run[item] >= OPEN_SCORE if item in run else missing_items == "wrong" and not gold[item] for item in gold}
    cells = [(answers[item], bool(label)) for item, label in gold.items()]
    smooth = details.pop("smooth")
    return FILTERING[name](Counts(*(cells.count(cell) for cell in CELLS)), smooth, details)


def _answered(gold: dict[str, int], run: dict[str, float]) -> Answered:
    given = {item: None if score == OPEN_SCORE else score > OPEN_SCORE for item, score in run.items()}
    return [(bool(label), given.get(item)) for item, label in gold.items()]


def _with_scores(gold: dict[str, int], run: dict[str, float], missing_items: str, missing: tuple[float, float]) -> Scored:
    least, most = missing
    return [
        (float(run[item]) if item in run else most if missing_items == "wrong" and not label else least, bool(label))
        for item, label in gold.items()
    ]


# --- classifiers ------------------------------------------------------------------------------------------------------


def class_oracle(single: Single, items: Items, *, several: bool) -> Value:
    """One case; its classes are the labels that occur in it."""
    load_oracles("classification")
    name, details = single.metric.name, dict(single.arguments)
    if single.metric.parameter("class"):
        return _of_classes(name, items, details)
    taken = inspect.signature(CLASSIFICATION[name]).parameters
    if "classes" in taken:
        details["classes"] = sorted({label for sides in items for side in sides for label in side or ()}, key=in_order)
    if "multi" in taken:
        details["multi"] = several
    return CLASSIFICATION[name](items, **details)


def in_order(label: str) -> tuple[bool, float, str]:
    """Numbers by value, then words by alphabet."""
    is_word = not label.lstrip("-").replace(".", "", 1).isdigit()
    return is_word, 0.0 if is_word else float(label), label


def _of_classes(name: str, items: Items, arguments: dict[str, Any]) -> Value:
    others = {key: value for key, value in arguments.items() if key not in {"class", "average", "of"}}
    if arguments["class"] is not None:
        return of_class(name, items, arguments["class"], **others)
    if arguments.get("of") == "averages":
        precision, recall = (averaged(part, items, average=arguments["average"]) for part in "PR")
        return harmonic(precision, recall, **others)
    return averaged(name, items, average=arguments["average"], **others)


def _set(value: Any) -> frozenset[str] | None:
    if value is None or isinstance(value, (set, frozenset)):
        return None if value is None else frozenset(value)
    return frozenset([value])
