"""The score of every small output, by all metrics at once; functions of one's own are called for one after the other."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.audits.subjects import Own, Registered, Subject
from plumbline.errors import BadData, audits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.audits.scenes.scene import Scene

    Values = NDArray[np.float64]


def scored(subjects: Sequence[Subject], scene: Scene, worlds: Sequence[Any]) -> dict[str, Values]:
    """By the name of the metric a score for each world, NaN where it is undefined."""
    known = [subject.measure for subject in subjects if isinstance(subject, Registered)]
    own = {subject.name: _called(subject, scene, worlds) for subject in subjects if isinstance(subject, Own)}
    return (scene.values(worlds, known) if known and worlds else {}) | own


def _called(subject: Own, scene: Scene, worlds: Sequence[Any]) -> Values:
    with redirect_stdout(sys.stderr):  # results go to stdout, and nothing else
        return np.array([_value(subject, scene, world) for world in worlds], dtype=np.float64)


def _value(subject: Own, scene: Scene, world: Any) -> float:  # noqa: ANN401 - the form depends on the task
    try:
        value = subject.function(*scene.arguments(world))
    except ZeroDivisionError:
        return np.nan
    except (Exception, SystemExit) as error:
        told = f"{type(error).__name__}: {error}"
        raise BadData(audits.fails(subject.name, scene.drawn(world), told, scene.signature)) from error
    number = _number(value)
    if number is None or np.isinf(number):
        raise BadData(audits.no_number(subject.name, scene.drawn(world), repr(value)))
    return number


def _number(value: Any) -> float | None:  # noqa: ANN401 - what a function of somebody else returns
    """NaN for none; nothing if it is no number, which text never is."""
    if value is None:
        return np.nan
    try:
        return None if isinstance(value, (str, bytes)) or np.iscomplexobj(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
