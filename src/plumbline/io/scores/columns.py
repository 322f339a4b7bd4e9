"""Which columns of a table of scores are the system, the case, the metric and the value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import BadData, comparisons
from plumbline.io.columns.text import single_values
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from plumbline.io.table import Origin

UNNAMED: Final = ("", "unnamed: 0", "index", "level_0")
"""Names of row numbers that a data frame wrote along."""
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
        ("user", "user_id", "session", "session_id"),
        UNNAMED,
    ),
    METRIC: (("metric",), ("measure", "metric_name", "measure_name")),
    VALUE: (("value",), ("score", "result", "metric_value")),
}
"""The names of each column; if one of the first is present, the following ones are not considered."""


@dataclass(frozen=True)
class Roles:
    """The column of each role, by its name in the table."""

    system: str | None
    case: str | None
    metric: str | None
    value: str | None
    rest: tuple[str, ...]
    """All other columns, without row numbers."""
    dropped: tuple[str, ...]
    """Columns of row numbers that no role needs."""


def roles_of(frame: pl.DataFrame, origin: Origin) -> Roles:
    """Find the column of every role; names are compared without regard to case."""
    names: dict[str, list[str]] = {}
    for name in frame.columns:
        names.setdefault(name.strip().lower(), []).append(name)
    columns = {role: _find(names, role, origin) for role in (CASE, METRIC, VALUE)}
    scores = {name for name in frame.columns if _is_fractional(frame[name])} if _once(frame, columns[CASE]) else set()
    columns[SYSTEM] = _find(names, SYSTEM, origin, scores)
    if columns[METRIC] is None:
        columns[VALUE] = None
    taken = {name for name in columns.values() if name is not None}
    rest = [name for name in frame.columns if name not in taken]
    dropped = [name for name in rest if name.strip().lower() in UNNAMED]
    kept = tuple(name for name in rest if name not in dropped)
    return Roles(columns[SYSTEM], columns[CASE], columns[METRIC], columns[VALUE], kept, tuple(dropped))


def is_plain_value(name: str) -> bool:
    """Whether a column is called value or score, which is no name of a metric."""
    return any(name.strip().lower() in tier for tier in NAMES[VALUE])


def _find(names: dict[str, list[str]], role: str, origin: Origin, scores: AbstractSet[str] = frozenset()) -> str | None:
    for number, tier in enumerate(NAMES[role]):
        candidates = [name for alias in tier for name in names.get(alias, ()) if number == 0 or name not in scores]
        if len(candidates) > 1 and tier is not UNNAMED:
            place = origin.places([-1], role)[0]
            raise BadData(comparisons.two_columns(place, f"{len(candidates)} columns could be the {role}", candidates))
        if candidates:
            return candidates[0]
    return None


def _once(frame: pl.DataFrame, case: str | None) -> bool:
    """Whether each case has one row, as in a matrix: there, a system may be called `run` and have a column of scores."""
    return case is None or not single_values(frame[case], "cases").is_duplicated().any()


def _is_fractional(values: pl.Series) -> bool:
    numbers = values.cast(pl.Float64, strict=False) if values.dtype == pl.String else values
    return numbers.dtype.is_float() and bool(((numbers % 1) > 0).any())
