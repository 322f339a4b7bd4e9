"""Which columns of a table of scores are the system, the case, the metric and the value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import BadData, comparisons
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from plumbline.io.table import Origin

UNNAMED: Final = ("", "unnamed: 0", "index", "level_0")
"""How row numbers are called that a data frame wrote along."""
NAMES: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    SYSTEM: (
        ("system",),
        (
            *("model", "run", "method", "team", "system_id", "system_name", "model_id", "model_name", "run_id", "runid"),
            *("run_name", "method_name", "team_name", "tag", "submission", "algorithm", "approach", "participant"),
        ),
        ("name",),
    ),
    CASE: (
        ("case",),
        (
            *("topic", "query", "task", "dataset", "instance", "case_id", "test_case", "topic_id", "query_id", "qid", "q_id"),
            *("task_id", "task_name", "dataset_name", "data_set", "instance_id", "example", "example_id", "question"),
            *("question_id", "sample", "sample_id", "problem", "benchmark", "entity", "entity_id"),
        ),
        ("item", "item_id", "id"),
        UNNAMED,
    ),
    METRIC: (("metric",), ("measure", "metric_name", "measure_name")),
    VALUE: (("value",), ("score", "result", "metric_value")),
}
"""The names of each column; where one of the first is there, the following ones are not looked at."""


@dataclass(frozen=True)
class Roles:
    """The columns that are there, by their own names."""

    system: str | None
    case: str | None
    metric: str | None
    value: str | None
    rest: tuple[str, ...]
    """All others, without row numbers."""
    dropped: tuple[str, ...]
    """Row numbers that no role needs."""


def roles_of(frame: pl.DataFrame, origin: Origin) -> Roles:
    """Look for every role; names are compared without regard to case."""
    names: dict[str, list[str]] = {}
    for name in frame.columns:
        names.setdefault(name.strip().lower(), []).append(name)
    found = {role: _find(names, role, origin) for role in (CASE, METRIC, VALUE)}
    scores = {name for name in frame.columns if _is_fractional(frame[name])} if _once(frame, found[CASE]) else set()
    found[SYSTEM] = _find(names, SYSTEM, origin, scores)
    if found[METRIC] is None:
        found[VALUE] = None
    taken = {name for name in found.values() if name is not None}
    rest = [name for name in frame.columns if name not in taken]
    dropped = [name for name in rest if name.strip().lower() in UNNAMED]
    kept = tuple(name for name in rest if name not in dropped)
    return Roles(found[SYSTEM], found[CASE], found[METRIC], found[VALUE], kept, tuple(dropped))


def is_plain_value(name: str) -> bool:
    """Whether a column is called value or score, which is no name of a metric."""
    return any(name.strip().lower() in tier for tier in NAMES[VALUE])


def _find(names: dict[str, list[str]], role: str, origin: Origin, scores: AbstractSet[str] = frozenset()) -> str | None:
    for number, tier in enumerate(NAMES[role]):
        own = [name for alias in tier for name in names.get(alias, ()) if number == 0 or name not in scores]
        if len(own) > 1 and tier is not UNNAMED:
            place = origin.places([-1], role)[0]
            raise BadData(comparisons.two_columns(place, f"{len(own)} columns could be the {role}", own))
        if own:
            return own[0]
    return None


def _once(frame: pl.DataFrame, case: str | None) -> bool:
    """Whether each case has one row, as in a matrix: there, a system may be called `run` and have a column of scores."""
    return case is None or not frame[case].is_duplicated().any()


def _is_fractional(values: pl.Series) -> bool:
    numbers = values.cast(pl.Float64, strict=False) if values.dtype == pl.String else values
    return numbers.dtype.is_float() and bool(((numbers % 1) > 0).any())
