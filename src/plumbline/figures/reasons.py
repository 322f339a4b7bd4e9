"""Why a figure cannot be drawn of something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
    """Two metrics are needed."""
    if not subject.has_values:
        return NO_SCORES
    return None if len(asked.metrics or subject.cube.metrics) >= TWO else "it needs two metrics"
