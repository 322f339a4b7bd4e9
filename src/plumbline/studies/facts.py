"""What gold and outputs tell about single outputs: the four counts of a filter, the ranks of relevant items of a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors.base import listing
from plumbline.schema import GRADE, LIST, RANK

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.align.filtering import AlignedFilters
    from plumbline.align.ranking import AlignedRankings
    from plumbline.studies.outputs import Outputs

ZERO: Final = "zero"
PLACEBO: Final = "placebo"
ONE_CLASS: Final = "one class"
NONINFORMATIVE: Final = "non-informative"
INFORMATIVE: Final = ""
UNKNOWING: Final = frozenset({ZERO, PLACEBO, NONINFORMATIVE})
"""The kinds of outputs that know nothing of the gold."""
CELLS: Final = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True)
class Counts:
    """A filter on a case."""

    tp: int
    fp: int
    fn: int
    tn: int
    missing: bool = False

    def __str__(self) -> str:
        return "no output" if self.missing else f"TP {self.tp} FP {self.fp} FN {self.fn} TN {self.tn}"


@dataclass(frozen=True)
class Places:
    """A ranking on a case."""

    ranks: tuple[int, ...]
    """Of the relevant items that are shown, ascending."""
    relevant: int
    shown: int

    @property
    def missing(self) -> bool:
        """Whether the system shows nothing."""
        return self.shown == 0

    def __str__(self) -> str:
        if self.missing:
            return "no output"
        if not self.ranks:
            return f"relevant: none of {self.relevant}, {self.shown} shown"
        return f"relevant at {listing([str(rank) for rank in self.ranks], 8)} (of {self.relevant}), {self.shown} shown"


@dataclass(frozen=True, eq=False)
class FilterFacts:
    """The counts of all filters on all cases."""

    aligned: AlignedFilters
    level: float
    """The grade from which an item is positive."""

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """`[list, cell]`, in the order TP, FP, FN, TN."""
        return self.aligned.counts.sort(LIST).select(CELLS).to_numpy().astype(np.int64)

    @cached_property
    def kinds(self) -> NDArray[np.object_]:
        """For each list, whether it knows something of the gold, and if not, which kind of output it is.

        An output is non-informative if it selects the same share of positive and of negative items: TP * N = FP * R. Where
        the gold has one class only, there is nothing to tell apart, and even a perfect output would look like one of these.
        """
        tp, fp, fn, tn = self.counts.T
        positive, negative, size = tp + fn, fp + tn, tp + fp + fn + tn
        kinds = np.full(len(size), INFORMATIVE, dtype=object)
        kinds[tp * negative == fp * positive] = NONINFORMATIVE
        kinds[tp + fp == size] = PLACEBO
        kinds[tp + fp == 0] = ZERO
        kinds[(positive == 0) | (negative == 0)] = ONE_CLASS
        kinds[self.aligned.missing] = INFORMATIVE
        return kinds

    def fact(self, number: int) -> Counts:
        """The counts of a list."""
        tp, fp, fn, tn = self.counts[number].tolist()
        return Counts(tp, fp, fn, tn, bool(self.aligned.missing[number]))


@dataclass(frozen=True, eq=False)
class RankingFacts:
    """The ranks of relevant items of all rankings on all cases."""

    aligned: AlignedRankings
    level: float
    """The grade from which an item is relevant."""

    @cached_property
    def relevant(self) -> NDArray[np.int64]:
        """How many items of each case are relevant."""
        return self.aligned.gold.counts(pl.col(GRADE) >= self.level)

    @cached_property
    def _rows(self) -> pl.DataFrame:
        return self.aligned.rows.filter(pl.col(GRADE) >= self.level).select(LIST, RANK)

    def fact(self, number: int) -> Places:
        """The ranks in a list."""
        ranks = sorted(int(rank) for rank in self._rows.filter(pl.col(LIST) == number)[RANK])
        return Places(tuple(ranks), int(self.relevant[number % len(self.relevant)]), int(self.aligned.shown[number]))


Facts = FilterFacts | RankingFacts
FACTS: Final[dict[str, Callable[[Any, float], Facts]]] = {"filtering": FilterFacts, "ranking": RankingFacts}
"""How facts about single outputs come from the alignment of a task and the grade from which an item counts."""


def facts_of(aligned: Alignment, level: float) -> Facts | None:
    """Facts about single outputs; none for tasks that have no such facts."""
    facts = FACTS.get(aligned.task)
    return None if facts is None else facts(aligned, level)


def lists_of(facts: Facts, outputs: Outputs) -> NDArray[np.int64]:
    """The number of the list of each output; -1 for one that the facts do not know."""
    system = _numbers(facts.aligned.systems, outputs.cube.systems)[outputs.system]
    case = _numbers(tuple(facts.aligned.cases), outputs.cube.cases)[outputs.case]
    return np.where((system < 0) | (case < 0), -1, system * len(facts.aligned.cases) + case)


def _numbers(known: tuple[str, ...], names: tuple[str, ...]) -> NDArray[np.int64]:
    """Where each name stands; -1 for one that is not there."""
    places = {name: place for place, name in enumerate(known)}
    return np.array([places.get(name, -1) for name in names], dtype=np.int64)
