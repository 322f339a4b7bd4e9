"""Every metric of every task explains its score in words and rows."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import plumbline
from plumbline.tasks import task_names
from tests.helpers.metric_settings import names_of

GOLD: Final[dict[str, Any]] = {
    "ranking": {"q": {"a": 2, "b": 1, "c": 0, "d": 1}},
    "filtering": {"a": 1, "b": 0, "c": 1, "d": 0},
    "classification": {"a": "x", "b": "y", "c": "z", "d": "x"},
    "clustering": {"a": 0, "b": 0, "c": 1, "d": 1, "e": 1},
    "organization": {"q": [[["a", "b"], ["c"]], [["d"]]]},
    "extraction": {"d": [(0, 4, "PER"), (10, 14, "LOC")]},
}
OUTPUT: Final[dict[str, Any]] = {
    "ranking": {"q": {"a": 0.9, "c": 0.8, "b": 0.7, "u": 0.6}},
    "filtering": {"a": 0.9, "b": 0.8, "c": 0.3, "d": 0.1},
    "classification": {"a": "x", "b": "x", "c": "z", "d": "y"},
    "clustering": {"a": 0, "b": 1, "c": 1, "d": 1, "e": 2},
    "organization": {"q": [[["a"], ["c", "b"]], [["d"]]]},
    "extraction": {"d": [(0, 4, "PER"), (10, 13, "LOC")]},
}
FEATURES: Final = {"features": {"a": [0.0, 0.1], "b": [0.2, 0.1], "c": [1.0, 1.1], "d": [1.2, 0.9], "e": [1.1, 1.3]}}
EVERY: Final = [(task, name) for task in task_names() for name in plumbline.all_metrics(task)]


@pytest.mark.parametrize(("task", "metric"), EVERY)
def test_the_score_has_its_reasons(task: str, metric: str) -> None:
    declared = plumbline.all_metrics(task)[metric]
    further: dict[str, Any] = FEATURES if declared.needs in {"features", "distances"} else {}
    name = f"{metric}(over=related)" if task == "organization" else names_of(declared)[0]
    why = plumbline.why(GOLD[task], OUTPUT[task], name, task=task, **further)
    assert str(why).startswith(f"{why.measure} of ")
    scores = plumbline.evaluate(GOLD[task], OUTPUT[task], name, task=task, **further)
    if declared.text:
        assert why.text == scores.texts[why.measure].item()
    else:
        assert scores.per_case["value"].to_list() == [pytest.approx(why.value)]
    assert json.loads(why.to_json())["measure"] == why.measure
