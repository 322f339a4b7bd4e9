"""What a task must know about its small outputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from plumbline.metrics.registry import Task

    Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Scene:
    """The small outputs of a task: each is a case of one evaluation."""

    task: Task
    tables: Callable[[Sequence[Any]], tuple[Any, Any]]
    """Gold and system for `evaluate`; the case of an output is its number."""
    drawn: Callable[[Any], str]
    """An output in one line, so that a person can check its score."""
    gold: Callable[[Any], str]
    """Its gold in one line, empty if that is drawn with the output."""
    arguments: Callable[[Any], tuple[Any, ...]]
    """What a function of one's own is called with."""
    parameters: tuple[str, ...]
    """What such a function calls them."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What `evaluate` must be told."""

    @property
    def signature(self) -> str:
        """How such a function is declared."""
        return f"def f({', '.join(self.parameters)})"


def numbered(counts: Integers) -> tuple[Integers, Integers]:
    """The case of each row, and its number in the case, where each case has so many rows."""
    cases = np.repeat(np.arange(len(counts)), counts)
    return cases, np.arange(len(cases)) - np.repeat(np.cumsum(counts) - counts, counts)
