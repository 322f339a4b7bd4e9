"""What can be audited: the metrics of a task that has small outputs, and functions that combine two scores."""

from __future__ import annotations

from typing import Final

from plumbline.tasks import task_named, task_names

COMBINING: Final = "combining"
"""What `--task` takes for functions of two scores, which no task of `evaluate` has."""


def audited_kinds() -> tuple[str, ...]:
    """What `--task` takes, the tasks of `evaluate` first."""
    return (*(name for name in task_names() if task_named(name).has("scene")), COMBINING)


def named_kinds() -> tuple[str, ...]:
    """Every name that can be meant: all tasks, of which some have no constraints, and combining functions."""
    return (*task_names(), COMBINING)
