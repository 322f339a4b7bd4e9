"""The task, where the gold says what it is: arrays of labels, tables of labels, clusters or spans, levels or spans in JSON."""

from __future__ import annotations

import os
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plumbline.errors import notices
from plumbline.io.columns.names import (
    CASES,
    CLUSTER_ITEMS,
    CLUSTERS,
    GRADES,
    ITEMS,
    LABELS,
    LEVELS,
    PROBABILITIES,
    RIGHT_ANSWERS,
    SPAN_LABELS,
    are_span_names,
    columns_by_name,
)
from plumbline.io.memory.arrays import is_array
from plumbline.io.memory.frames import is_frame
from plumbline.io.paths import exists, several_files
from plumbline.io.sample import Sample
from plumbline.lazily import pattern
from plumbline.metrics.names import tasks_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from plumbline.errors import Diagnostic
    from plumbline.io.table import ReadOptions

_TABLES: Final = frozenset({".csv", ".tsv", ".tab"})
"""Endings of files whose first line may name columns."""
_JSON: Final = frozenset({".json", ".jsonl"})
_HAS_LEVELS: Final = pattern(rb'"levels"\s*:\s*\[')
_HAS_SPANS: Final = pattern(rb'\{[^{}]*"start"\s*:\s*\d+\s*,[^{}]*"end"\s*:\s*\d+')
_TAGS: Final = frozenset({".iob", ".iob2", ".bio", ".bilou", ".iobes"})
"""Endings that files of tags have."""
_HEAD: Final = 2**16
BINARY: Final = 2
"""Labels of a filter."""
_NUMBERS: Final = frozenset(GRADES) - frozenset(LABELS["gold"]) | frozenset(PROBABILITIES)
"""Columns with which a table of labels may be one of judgements."""


def inferred_task(
    gold: Any,
    systems: Any,
    metrics: Sequence[str],
    reading: ReadOptions,
    *,
    any_task: bool = True,
) -> tuple[str, Diagnostic] | None:
    """The task that the gold says, and a notice about it; None if it may be a ranking, or if the metrics are of other tasks.

    Unless it may be any task, only levels are looked for, of which nothing but an organization can be made.
    """
    if type(gold) is dict and reading.columns is None:
        return None
    inferred = _tasks_of(gold, reading) if any_task else _of_levels(gold)
    if inferred is None:
        return None
    tasks, reason = inferred
    if "filtering" in tasks and _has_only_scores(systems, reading):
        tasks, reason = ("filtering", *tasks), f"{reason}, and the output has scores"
    task = next((task for task in tasks if task in tasks_of(metrics)), None)
    return None if task is None else (task, notices.inferred_task(task, reason))


def task_of_file(path: str | os.PathLike[str], reading: ReadOptions) -> tuple[str, Diagnostic] | None:
    """The task that a file says, and a notice about it; None if it may be a ranking."""
    inferred = _tasks_of(path, reading)
    return None if inferred is None else (inferred[0][0], notices.task_of_file(inferred[0][0], inferred[1]))


def _tasks_of(gold: Any, reading: ReadOptions) -> tuple[tuple[str, ...], str] | None:
    """The tasks that it may be of, and what it is or has that says so."""
    if (levels := _of_levels(gold)) is not None:
        return levels
    return _of_array(gold) if is_array(gold) else _of_spans(gold) or _of_columns(_columns(gold), reading)


def has_several_classes(gold: Any) -> bool:
    """Whether the gold is an array of more labels than a filter has."""
    if not is_array(gold) or getattr(gold, "ndim", 1) != 1:
        return False
    classes: set[Any] = set()
    for label in gold:
        if isinstance(label, Hashable):
            classes.add(label)
        if len(classes) > BINARY:
            return True
    return False


def _of_array(gold: Any) -> tuple[tuple[str, ...], str] | None:
    """An array has a label for each item, also for metrics of scores; lists of lists may be clusters or levels."""
    first = next(iter(gold), None) if getattr(gold, "ndim", 1) == 1 else None
    is_label = isinstance(first, (str, int)) or hasattr(first, "__int__")
    return (("classification", "filtering"), "is an array of labels") if is_label else None


def _of_levels(gold: Any) -> tuple[tuple[str, ...], str] | None:
    """Levels of clusters in JSON."""
    head = _head(gold, _JSON)
    return (("organization",), "has levels") if head and _HAS_LEVELS.search(head) else None


def _of_spans(gold: Any) -> tuple[tuple[str, ...], str] | None:
    """Spans in JSON, or tags of tokens."""
    if _HAS_SPANS.search(_head(gold, _JSON)):
        return ("extraction",), "has the start and the end of spans"
    return (("extraction",), "holds tags of tokens") if _head(gold, _TAGS) else None


def _columns(gold: Any) -> list[str]:
    """The columns of a frame, or those that the first line of a file of a table names."""
    if is_frame(gold):
        return [str(name) for name in (gold.collect_schema() if hasattr(type(gold), "collect_schema") else gold.columns)]
    head = _head(gold, _TABLES)
    return Sample(str(gold), head).names if head else []


def _head(gold: Any, endings: frozenset[str]) -> bytes:
    """The beginning of a file with one of these endings; empty if the gold is none."""
    path = next(iter(several_files(gold) or [Path(gold)])) if isinstance(gold, (str, os.PathLike)) else None
    if path is None or path.suffix.lower() not in endings or not exists(path) or not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""  # whoever reads the file says what is wrong with it


def _of_columns(columns: list[str], reading: ReadOptions) -> tuple[tuple[str, ...], str] | None:
    """Clusters have a column of their own; labels have no case, without which nothing is ranked."""
    known, _ = columns_by_name(columns, reading.column_of)
    names = set(known)
    if are_span_names(names) and names & set(SPAN_LABELS):
        return ("extraction",), "has columns for the start and the end of spans"
    if names & set(LEVELS) or names & _NUMBERS:
        return None
    cluster = next((known[name] for name in CLUSTERS if name in names), None)
    if cluster is not None and names & set(CLUSTER_ITEMS):
        return ("clustering",), f"has a column {cluster}"
    label = next((known[name] for name in LABELS["gold"] if name in names), None)
    if label is not None and names & set(ITEMS) and not names & set(CASES):
        return ("classification", "filtering"), f"has a column {label} and none of cases"
    return None


def _has_only_scores(systems: Any, reading: ReadOptions) -> bool:
    """Whether the first output has a column of scores and none of labels."""
    first = next(iter(systems.values()), None) if isinstance(systems, dict) else systems
    first = next(iter(first), None) if isinstance(first, (list, tuple)) else first
    names = set(columns_by_name(_columns(first), reading.column_of)[0])
    return bool(names & set(PROBABILITIES)) and not names & (set(LABELS["output"]) - RIGHT_ANSWERS)
