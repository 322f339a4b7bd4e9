"""Why a figure cannot be drawn of something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from plumbline.figures.figure import Asked
    from plumbline.figures.subject import Subject

NO_SCORES: Final = "there are no scores"
TWO: Final = 2


def without_scores(subject: Subject, _: Asked) -> str | None:
    """Scores are needed."""
    return None if subject.has_values else NO_SCORES


def without_two_systems(subject: Subject, asked: Asked) -> str | None:
    """A comparison needs two systems."""
    if not subject.has_values:
        return NO_SCORES
    count = len(asked.systems or subject.cube.systems)
    return None if count >= TWO else "it needs two systems"


def without_outputs(subject: Subject, tasks: tuple[str, ...]) -> str | None:
    """Gold and systems of some tasks are needed, not only their scores."""
    if subject.task is not None and subject.task not in tasks:
        return f"it is for {' and '.join(tasks)}, and these are scores of {subject.task}"
    return None if subject.has_outputs else "it needs a gold and systems, scores alone do not tell"


def without_two_metrics(subject: Subject, asked: Asked) -> str | None:
    """Two metrics are needed, and an output that has both."""
    if not subject.has_values:
        return NO_SCORES
    metrics = asked.metrics or subject.cube.metrics
    return never_both(subject, metrics[:TWO]) if len(metrics) >= TWO else "it needs two metrics"


def never_both(subject: Subject, pair: tuple[str, ...]) -> str | None:
    """There is nothing to draw where no output has a value of both metrics."""
    both = ~np.isnan(subject.only(pair).values).any(axis=0)
    return None if both.any() else f"no output has a value of both {' and '.join(pair)}"
