"""Facts about rankings: where the relevant items stand, and what that says about a disagreement of metrics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import BadUsage
from plumbline.errors.base import listing, plural
from plumbline.metrics.measure import Single
from plumbline.metrics.names import parse
from plumbline.render.grid import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.ranking import AlignedRankings
    from plumbline.studies.facts import Pair


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
class RankingFacts:
    """The ranks of relevant items of all rankings on all cases."""

    aligned: AlignedRankings
    level: float
    """The grade from which an item is relevant."""
    kinds: None = None
    counts: None = None

    @cached_property
    def relevant(self) -> NDArray[np.int64]:
        """How many items of each case are relevant."""
        return self.aligned.gold.counts(self.aligned.gold.grade >= self.level)

    def fact(self, number: int) -> Places:
        """The ranks in a list."""
        rows = self.aligned.rows
        of_list = slice(*np.searchsorted(rows.list, [number, number + 1]).tolist())
        ranks = sorted(rows.rank[of_list][rows.grade[of_list] >= self.level].astype(np.int64).tolist())
        return Places(tuple(ranks), int(self.relevant[number % len(self.relevant)]), int(self.aligned.shown[number]))

    def reasons(self, pair: Pair, output: int) -> Iterator[str]:
        """Where the relevant items stand, and which of them both metrics look at."""
        fact = pair.fact(output)
        if not isinstance(fact, Places):
            return
        if not fact.ranks:
            yield f"no relevant item among the {fact.shown:,} shown"
            return
        yield f"{len(fact.ranks)} of {plural(fact.relevant, 'relevant item')} shown, the first at rank {fact.ranks[0]:,}"
        for metric in pair.metrics:
            yield from _within_cutoff(pair.name(metric), fact)


def _within_cutoff(name: str, fact: Places) -> Iterator[str]:
    """What a metric does not look at, and what it cannot reach."""
    try:
        measure = parse(name, None, "ranking")
    except BadUsage:
        return
    if not isinstance(measure, Single):
        return
    cut = dict(measure.arguments).get(measure.metric.at or "") if measure.metric.at == "k" else None
    if isinstance(cut, int):
        inside = sum(rank <= cut for rank in fact.ranks)
        yield f"{name} looks at the first {cut:,}, which have {inside} of {fact.relevant:,}"
        if measure.metric.name == "P" and fact.relevant < cut:
            yield f"{name} cannot be above {number(fact.relevant / cut)} here"
    elif measure.metric.name == "RR":
        yield f"{name} looks at the first one only"
