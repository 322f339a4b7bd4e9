"""Figures of outputs read these again; what comes through a pipe can be read once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.errors import reports
from plumbline.io.memory.compose import Composed

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject


def with_outputs_that_last(subject: Subject) -> Subject:
    """The subject as it is, or without its outputs and with a notice if these cannot be read again."""
    if not subject.has_outputs or subject.scores is None or (lasts(subject.gold) and lasts(subject.systems)):
        return subject
    scores = replace(subject.scores, notices=(*subject.scores.notices, reports.read_once()))
    return replace(subject, scores=scores, gold=None, systems=None)


def lasts(given: Any) -> bool:  # noqa: ANN401 - any form that evaluate takes
    """Whether something can be read twice."""
    if isinstance(given, (str, os.PathLike)):
        path = Path(given)
        return os.fspath(given) != "-" and (not path.exists() or path.is_file() or path.is_dir())
    if isinstance(given, Composed):
        return lasts(given.priority) and lasts(given.clusters)
    if isinstance(given, Mapping):
        return all(map(lasts, given.values()))
    if isinstance(given, (list, tuple)):
        return all(map(lasts, given))
    return not hasattr(given, "read") and not isinstance(given, Iterator)
