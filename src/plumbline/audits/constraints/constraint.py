"""What a constraint is: pairs of small outputs, and what must be true of their scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from plumbline.metrics.registry import Task

Demand = Literal["better", "equal", "defined", "from some size on", "at some size", "one sign"]
"""What must be true of the scores: in every pair the first is better, or both are equal, or there is a score; or the first is
better from some size on; or at some size; or the first is better in all pairs or in none, and a parameter decides which."""
THRESHOLDS: Final = ("from some size on", "at some size")
"""Demands for which a size is found."""


class Pair(NamedTuple):
    """Two small outputs, each with its gold, in the form of their task, and how large they are."""

    better: Any
    worse: Any
    size: int


@dataclass(frozen=True)
class Constraint:
    """A named table of pairs."""

    name: str
    task: Task
    paper: str
    text: str
    """What is demanded, in words."""
    pairs: Callable[[int], Iterator[Pair]]
    """All pairs of one size, always in the same order."""
    smallest: int
    """The size of its smallest pairs."""
    largest: int
    """Up to which size all pairs are tried, if there is time for so many."""
    draw: Callable[[int, Random], Pair | None] | None = None
    """A pair of one size at random; none if this time none was found."""
    demand: Demand = "better"
    overlapping: bool = False
    """Whether an item may be in several clusters."""
    sizes: tuple[int, ...] = ()
    """Beyond `largest`, the only sizes that are tried."""
    cost: int = 1
    """How many pairs of the budget one of its pairs takes: metrics of clusterings take longer than counts."""
