"""Facts about single outputs, which the gold and the outputs give, and two metrics on all outputs.

A task has facts if its record names a class with the hook `facts`, such as `FilterFacts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from plumbline.large import made
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.studies.outputs import Outputs

    Numbers = NDArray[np.float64]

INFORMATIVE: Final = ""
"""The kind of an output that knows something of the gold."""


class Fact(Protocol):
    """What is known about one output; its text is for a table."""

    @property
    def missing(self) -> bool:
        """Whether the system has no output there."""


class Facts(Protocol):
    """What is known about all outputs of a task."""

    @property
    def aligned(self) -> Any:  # noqa: ANN401 - the alignment of the task
        """The gold and the outputs."""

    @property
    def kinds(self) -> NDArray[np.object_] | None:
        """For each list the kind of output it is, such as one that selects everything; None if the task has no kinds."""

    @property
    def counts(self) -> NDArray[np.int64] | None:
        """`[list, cell]`: TP, FP, FN, TN of each list; None if the task does not count them."""

    def fact(self, number: int) -> Fact:
        """What is known about a list."""

    def reasons(self, pair: Pair, output: int) -> Iterator[str]:
        """Why two metrics may disagree about an output that is not missing."""


def facts_of(aligned: Alignment, level: float) -> Facts | None:
    """Facts about single outputs; None for tasks that have no such facts."""
    task = task_named(aligned.task)
    if not task.has("facts"):
        return None
    facts: Facts = task.hook("facts")(aligned, level)
    return facts


def lists_of(facts: Facts, outputs: Outputs) -> NDArray[np.int64]:
    """The number of the list of each output; -1 for one that the facts do not know."""
    system = _numbers(facts.aligned.systems, outputs.cube.systems)[outputs.system]
    case = _numbers(tuple(facts.aligned.cases), outputs.cube.cases)[outputs.case]
    return np.where((system < 0) | (case < 0), -1, system * len(facts.aligned.cases) + case)


def _numbers(known: tuple[str, ...], names: tuple[str, ...]) -> NDArray[np.int64]:
    """Where each name stands; -1 for one that is not there."""
    places = {name: place for place, name in enumerate(known)}
    return np.array([places.get(name, -1) for name in names], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two metrics on all outputs, with the facts about these, if there are any."""

    outputs: Outputs
    a: int
    b: int
    facts: Facts | None = None

    @property
    def metrics(self) -> tuple[int, int]:
        """The numbers of both metrics."""
        return self.a, self.b

    def shares(self, some: int | slice) -> tuple[Numbers, Numbers]:
        """The mean ranks of some outputs by both metrics, as shares of the outputs: 1 is the best."""
        a, b = (np.asarray(self.outputs.ranks[metric, some] / len(self.outputs)) for metric in self.metrics)
        return a, b

    @cached_property
    def differences(self) -> Numbers:
        """How much higher a ranks each output than b does."""
        return made((len(self.outputs),), lambda some: np.subtract(*self.shares(some)))

    @cached_property
    def lists(self) -> NDArray[np.int64] | None:
        """Where the facts about each output are; -1 if there are none."""
        return None if self.facts is None else lists_of(self.facts, self.outputs)

    @cached_property
    def kinds(self) -> NDArray[np.object_]:
        """For each output its kind, which is empty if it knows something of the gold or nothing is known about it."""
        if self.facts is None or self.lists is None or self.facts.kinds is None:
            return np.broadcast_to(np.array(INFORMATIVE, dtype=object), len(self.outputs))
        return np.where(self.lists < 0, INFORMATIVE, self.facts.kinds[self.lists])

    def name(self, metric: int) -> str:
        """The name of a metric."""
        return self.outputs.cube.metrics[metric]

    def fact(self, output: int) -> Fact | None:
        """What is known about an output."""
        if self.facts is None or self.lists is None or self.lists[output] < 0:
            return None
        return self.facts.fact(int(self.lists[output]))
