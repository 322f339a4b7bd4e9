"""Every metric of tasks with units: differences as `evaluate` has them, and p by all exchanges, in every setting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import plumbline
from plumbline.comparison.units.item_evidence import item_evidence
from plumbline.comparison.units.reasons import why_not
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.metrics.names import measures
from plumbline.tasks import task_named, task_names
from tests.helpers.metric_settings import names_of
from tests.helpers.swapped_answers import Labels, every_exchange

GOLD: dict[str, list[Any]] = {"filtering": ["1", "0", "1", "0", "0"], "classification": ["a", "b", "c", "b", "a"]}
FIRST: dict[str, list[Any]] = {"filtering": [0.9, 0.4, 0.2, 0.6, 0.1], "classification": ["a", "b", "b", "b", "c"]}
SECOND: dict[str, list[Any]] = {"filtering": [0.7, 0.4, 0.8, 0.3, 0.5], "classification": ["a", "c", "c", "a", "a"]}
LABELS = (
    [["a", "b"], ["b"], [], ["a", "c"], ["c"]],
    [["a"], ["b"], ["c"], ["a", "c"], []],
    [["b"], ["b"], [], ["a", "b"], ["c"]],
)


def _case(values: list[Any]) -> Labels:
    return {"q": {f"i{number}": value for number, value in enumerate(values)}}


def _names(task: str, *, several: bool) -> list[str]:
    """Every metric in every setting that fits; a class is named where one is wanted."""
    names = [name for metric in plumbline.all_metrics(task).values() for name in names_of(metric)]
    fitting = [name for name in names if "average=none" not in name and ("average=samples" in name) <= several]
    return [
        one.name for one in measures(fitting, {}, task) if not (several and any(part.metric.single_label for part in one.parts))
    ]


@pytest.mark.parametrize(("task", "several"), [("filtering", False), ("classification", False), ("classification", True)])
def test_every_metric_by_all_exchanges(task: str, *, several: bool) -> None:
    sides: tuple[list[Any], ...] = LABELS if several else (GOLD[task], FIRST[task], SECOND[task])
    gold, a, b = map(_case, sides)
    names = list(dict.fromkeys(_names(task, several=several)))
    options: dict[str, Any] = {"task": task, **({"multilabel": True} if several else {})}
    evaluation = evaluation_of(gold, {"a": a, "b": b}, names, **options)
    expected = every_exchange(gold, a, b, names, **options)
    evidence = item_evidence(evaluation, names, ["a", "b"], resamples=5, seed=0)
    defined = 0
    for name, (test, _) in zip(names, evidence, strict=True):
        if expected[name].p is None:
            assert np.isnan(test.p[0, 1]), name
            continue
        defined += 1
        assert test.statistic[0, 1] == pytest.approx(expected[name].difference, abs=1e-12), name
        assert test.p[0, 1] == pytest.approx(expected[name].p, abs=1e-12), name
    assert defined > len(names) / 2


def test_every_task_has_units_or_a_reason() -> None:
    for name in task_names():
        evaluation = evaluation_of("gold", ["run"], None, task=name)
        reason = why_not(evaluation)
        assert (reason is None) == task_named(name).has("units")
        assert reason is None or "observation" in reason or "single items" in reason
    assert why_not(evaluation_of("gold", ["run"], ["Accuracy"], task="filtering", zscores="reference.tsv")) is not None
