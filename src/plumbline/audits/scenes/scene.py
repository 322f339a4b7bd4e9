"""What a task must know about its small outputs."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.audits.kinds import COMBINING
from plumbline.evaluation.evaluate import evaluate
from plumbline.schema import CASE, METRIC, VALUE
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from plumbline.metrics.measure import Measure

    Integers = NDArray[np.int64]
    Values = dict[str, NDArray[np.float64]]
    """By the name of the metric a score for each output, NaN where it is undefined."""


@dataclass(frozen=True)
class Scene:
    """The small outputs of a task."""

    task: str
    values: Callable[[Sequence[Any], list[Measure]], Values]
    """The scores of all outputs by all measures, at once."""
    drawn: Callable[[Any], str]
    """An output in one line, so that a person can check its score."""
    gold: Callable[[Any], str]
    """Its gold in one line, empty if that is drawn with the output."""
    arguments: Callable[[Any], tuple[Any, ...]]
    """What a function of one's own is called with."""
    parameters: tuple[str, ...]
    """What such a function calls them."""

    @property
    def signature(self) -> str:
        """How such a function is declared."""
        return f"def f({', '.join(self.parameters)})"


def by_evaluation(
    task: str, tables: Callable[[Sequence[Any]], tuple[Any, Any]], *, multilabel: bool = False, hierarchy: str | None = None
) -> Callable[[Sequence[Any], list[Measure]], Values]:
    """Outputs as cases of one evaluation; `tables` makes gold and system of them, whose cases are the numbers of outputs."""

    def values(worlds: Sequence[Any], measures: list[Measure]) -> Values:
        gold, system = tables(worlds)
        names = [measure.name for measure in measures]
        scores = evaluate(gold, {"worlds": system}, names, task=task, multilabel=multilabel, hierarchy=hierarchy)
        scores_of = {measure.name: np.full(len(worlds), np.nan) for measure in measures}
        for (name,), rows in scores.per_case.partition_by(METRIC, as_dict=True).items():
            known = rows.drop_nulls(VALUE)
            scores_of[str(name)][known[CASE].cast(pl.Int64).to_numpy()] = known[VALUE].to_numpy()
        return scores_of

    return values


def numbered(counts: Integers) -> tuple[Integers, Integers]:
    """The case of each row, and its number in the case, where each case has so many rows."""
    cases = np.repeat(np.arange(len(counts)), counts)
    return cases, np.arange(len(cases)) - np.repeat(np.cumsum(counts) - counts, counts)


def scene_of(task: str) -> Scene:
    """The small outputs of a task, which its record names, or the points that functions combine."""
    if task == COMBINING:
        points: Scene = import_module("plumbline.audits.scenes.combining").SCENE  # as records of tasks name theirs
        return points
    scene: Scene = task_named(task).hook("scene")  # type: ignore[assignment]  # a value, not a function
    return scene
