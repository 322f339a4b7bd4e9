"""The gold and the outputs behind scores.

Scores that were just evaluated keep them. For scores that were loaded, they can be handed over again: then they are read by
the options that the scores were made with, and refused if they are not those of the scores.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparison.reading import read_scores
from plumbline.errors import BadData, BadUsage, reports
from plumbline.evaluation.evaluation import Evaluation
from plumbline.evaluation.request import request
from plumbline.io.scores.dataset.layout import is_dataset
from plumbline.metrics.names import parse
from plumbline.options.evaluation import EvaluateOptions, ItemOptions
from plumbline.options.option import briefly, declared, recorded
from plumbline.render.result import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

NOT_FOR_OUTPUTS: Final = frozenset({"watch", "floor", "floor_rate", "zscores"})
"""Options of `evaluate` that do not change how gold and outputs are read and aligned."""
DATA: Final[tuple[str, ...]] = tuple(declared(ItemOptions))
"""Options that hold data: they cannot be compared, and only metrics that read them allow them."""
CLOSE: Final = 1e-9
"""Values that differ by a smaller share differ by rounding only."""


def load_saved(source: Any) -> Any:
    """The result if the source is a file or a folder that `save` of a result wrote; otherwise the source as it is."""
    if is_dataset(source):
        return load(source)
    if not isinstance(source, (str, os.PathLike)) or Path(source).suffix != ".parquet":
        return source
    try:
        return load(source)
    except BadData:
        return source


def evaluation_behind(source: Any, gold: Any, systems: Any, options: Mapping[str, Any]) -> Evaluation | None:
    """The evaluation that a result came from, or a new one of gold and systems that are handed over for it.

    Raises:
        BadUsage: If the options or the systems are not those by which the scores were made.
    """
    kept: Evaluation | None = getattr(source, "evaluation", None)
    if gold is None:
        return kept
    made = getattr(source, "made", {})
    task, usual = _options_of(made, options)
    if kept is not None and _is_same(gold, kept.gold) and _is_same(systems, kept.systems):
        return kept
    names = list(source.cube.metrics if hasattr(source, "cube") else [column.name for column in getattr(source, "columns", ())])
    metrics = [name for name in names if _can_compute(name, usual)] if made else []
    needless = _needless(metrics, task)
    known = {name: value for name, value in usual.items() if name not in needless}
    evaluation = Evaluation(request(metrics or None, task=task, **known), gold, systems)
    if "systems" in made:
        _check_systems(evaluation, [name for name in made["systems"] if name not in made.get("floor", ())])
    return evaluation


def _options_of(made: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The task and the options by which scores were made, with data that is handed over; contradicting options are refused."""
    given = {name: value for name, value in options.items() if name != "task"}
    task = options.get("task")
    if "task" in made and task not in (None, made["task"]):
        raise BadUsage(reports.made_otherwise("task", briefly(task), briefly(made["task"])))
    data = {name: value for name, value in {**made.get("options", {}), **given}.items() if name in DATA}
    if "options" not in made:
        plain = {name: value for name, value in given.items() if name not in (*NOT_FOR_OUTPUTS, *DATA)}
        return made.get("task", task), {**plain, **data}
    known = {name: _restored(name, value) for name, value in made["options"].items()}
    known |= {"as_": made["as"]} if made.get("as") else {}
    kept = {name: value for name, value in known.items() if name not in (*NOT_FOR_OUTPUTS, *DATA)}
    for name, value in given.items():
        if name not in DATA and _differs(name, value, made["task"], known, kept):
            before = briefly(known[name]) if name in known else None
            raise BadUsage(reports.made_otherwise(name, briefly(value), before))
    return made["task"], {**kept, **data}


def _restored(name: str, value: Any) -> Any:
    """Infinite numbers are saved as text."""
    known = declared(EvaluateOptions)
    return float(value) if name in known and known[name].type is float else value


def _differs(name: str, value: Any, task: str, known: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """Whether an option would have made other scores."""
    if name in NOT_FOR_OUTPUTS or name == "names":
        return bool(recorded({name: value}, EvaluateOptions) != recorded({name: known.get(name)}, EvaluateOptions))
    return request(None, task=task, **{**kept, name: value}) != request(None, task=task, **kept)


def _is_same(one: Any, other: Any) -> bool:
    """Whether two sources are the same files, or the same objects."""
    paths = (str, os.PathLike)
    if isinstance(one, paths) and isinstance(other, paths):
        return os.fspath(one) == os.fspath(other)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one is other


def _check_systems(evaluation: Evaluation, scored: list[str]) -> None:
    """Refuse systems that are not those of the scores."""
    given = list(evaluation.alignment().systems)
    if scored != ["system"] and set(given) != set(scored):
        raise BadUsage(reports.other_systems(given, scored))


def _can_compute(name: str, options: Mapping[str, Any]) -> bool:
    """Whether a metric can be computed again: not a standardised one, nor one whose data is not at hand."""
    if name.startswith("Z("):
        return False
    placed = not _is_internal(name) or not {"features", "distances"}.isdisjoint(options)
    return placed and ("discount=time" not in name or "lengths" in options)


def _needless(metrics: Iterable[str], task: str | None) -> set[str]:
    """Data that no metric reads."""
    names = list(metrics)
    internal = task in (None, "clustering") and any(map(_is_internal, names))
    timed = any("discount=time" in name for name in names)
    return {*(() if internal else ("features", "distances")), *(() if timed else ("lengths",))}


def _is_internal(name: str) -> bool:
    try:
        return any(part.metric.internal for part in parse(name, None, "clustering").parts)
    except BadUsage:
        return False


def check_values(evaluation: Evaluation, cube: Cube, floor: Iterable[str]) -> None:
    """Refuse outputs whose values are not those of the scores, case by case."""
    metrics = tuple(name for name in cube.metrics if _can_compute(name, evaluation.request.options))
    if not metrics:
        return
    scored = cube.only(metrics, [name for name in cube.systems if name not in set(floor)])
    again = read_scores(evaluation.scores(metrics))[0]
    cases = tuple(dict.fromkeys((*scored.cases, *again.cases)))
    before, after = (_arranged(one, scored.metrics, scored.systems, cases) for one in (scored, again))
    differing = np.argwhere(~np.isclose(before, after, rtol=CLOSE, atol=CLOSE, equal_nan=True))
    if len(differing):
        metric, system, case = map(int, differing[0])
        values = _text(before[metric, system, case]), _text(after[metric, system, case])
        raise BadUsage(
            reports.other_values(scored.metrics[metric], scored.systems[system], cases[case], values, len(differing))
        )


def _text(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.6g}"


def _arranged(cube: Cube, metrics: tuple[str, ...], systems: tuple[str, ...], cases: tuple[str, ...]) -> NDArray[np.float64]:
    """The values of these metrics, systems and cases; NaN where there are none."""
    arranged = np.full((len(metrics), len(systems), len(cases)), np.nan)
    axes = []
    for names, wanted in ((cube.metrics, metrics), (cube.systems, systems), (cube.cases, cases)):
        places = {name: at for at, name in enumerate(names)}
        axes.append([(at, places[name]) for at, name in enumerate(wanted) if name in places])
    to, of = (np.ix_(*([pair[side] for pair in axis] for axis in axes)) for side in (0, 1))
    arranged[to] = cube.values[of]
    return arranged
