"""What every task's alignment, computation and floor have in common, on one small world for each task."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.align.alignment import Alignment
from plumbline.compute.computed import Computed, singles
from plumbline.compute.floor import EVEN, Floor, with_floor
from plumbline.evaluation.evaluation import Evaluation, compute, evaluation_of
from plumbline.schema import LIST
from plumbline.tasks import task_named, task_names

LISTS = ({"q": {"a": 1, "b": 0, "c": 1}, "r": {"a": 0, "d": 1}}, {"x": {"q": {"b": 0.9, "a": 0.5}}, "y": {"r": {"d": 1.0}}})
LABELS = (
    {"q": {"a": "yes", "b": "no", "c": "yes"}, "r": {"a": "no", "d": "yes"}},
    {"x": {"q": {"a": "yes", "b": "yes", "c": "no"}}, "y": {"r": {"a": "no", "d": "yes"}}},
)
LEVELS = ({"q": [["a"], ["b", "c"]], "r": [["d"]]}, {"x": {"q": [["b"], ["a"]]}, "y": {"r": [["d"], ["a"]]}})
SPANS = (
    {"q": [(0, 2, "A"), (3, 4, "B")], "r": [(1, 3, "A")]},
    {"x": {"q": [(0, 2, "A"), (2, 4, "B")]}, "y": {"r": [(1, 3, "B")]}},
)
WORLDS: dict[str, tuple[Any, Any]] = {
    "ranking": LISTS,
    "filtering": LABELS,
    "classification": LABELS,
    "clustering": LABELS,
    "organization": LEVELS,
    "extraction": SPANS,
}
"""Two cases and two systems, each of which lacks one of the cases."""
CASES, SYSTEMS = ["q", "r"], ("x", "y")


def small(task: str) -> Evaluation:
    return evaluation_of(*WORLDS[task], task=task)


def test_every_task_has_a_world() -> None:
    assert set(WORLDS) == set(task_names())


@pytest.mark.parametrize("items", [False, True])
@pytest.mark.parametrize("task", WORLDS)
def test_alignments_are_alike(task: str, items: bool) -> None:  # noqa: FBT001 - a column of the table
    aligned = small(task).alignment(items=items)
    assert isinstance(aligned, Alignment)
    assert aligned.task == task
    assert (aligned.cases, aligned.systems) == (CASES, SYSTEMS)
    assert aligned.missing.tolist() == [False, True, True, False]
    assert len(aligned.tags) == len(SYSTEMS)
    assert aligned.notices[: len(aligned.gold.notices)] == aligned.gold.notices
    assert {notice.code for notice in aligned.notices} >= {"N201"}  # a case is missing


@pytest.mark.parametrize("task", WORLDS)
def test_a_case_that_the_gold_lacks_comes_first(task: str) -> None:
    gold, systems = WORLDS[task]
    strange = {"unknown": systems["x"]["q"], "r": systems["y"]["r"]}
    aligned = evaluation_of(gold, {"x": strange}, task=task).alignment()
    assert aligned.missing.tolist() == [True, False]
    assert {notice.code for notice in aligned.notices} >= {"N201", "N202"}


@pytest.mark.parametrize("task", WORLDS)
def test_computations_are_alike(task: str) -> None:
    evaluation = small(task)
    computed = compute(evaluation.alignment(), evaluation.request.measures)
    assert isinstance(computed, Computed)
    assert computed.measures == evaluation.request.measures
    assert computed.values[LIST].to_list() == list(range(len(CASES) * len(SYSTEMS)))
    assert {measure.name for measure in singles(computed.measures)} <= set(computed.values.columns)


@pytest.mark.parametrize("task", [name for name in WORLDS if task_named(name).has("floor")])
def test_floors_are_alike(task: str) -> None:
    evaluation = small(task)
    aligned = evaluation.alignment()
    computed = compute(aligned, evaluation.request.measures)
    hook = task_named(task).hook("floor")
    floor = hook(aligned, computed.measures, EVEN)
    assert isinstance(floor, Floor)
    for values in floor.values.values():
        assert sorted(values[LIST].to_list()) == list(range(len(CASES)))
    extended, both, names = with_floor(aligned, computed, hook)
    assert extended.systems == (*SYSTEMS, *names)
    assert both.values[LIST].to_list() == list(range(len(CASES) * len(extended.systems)))
    assert not np.any(extended.missing[len(aligned.missing) :])


@pytest.mark.parametrize("task", WORLDS)
def test_confusion_cells_count_every_item_once(task: str) -> None:
    aligned = small(task).alignment()
    result = aligned.confusion_cells()
    assert (result is None) == (task not in {"filtering", "classification"})
    if result is not None:
        counts = dict(result.cells.group_by(LIST).agg(pl.col("count").sum()).iter_rows())
        assert counts == {0: 3, 1: 2, 2: 3, 3: 2}
        assert set(result.cells["gold"]) <= set(result.classes)
        assert set(result.cells["given"]) <= {*result.classes, result.no_answer}
