"""The ranked view: every list as the ranks and grades of its judged items, with facts about its case.

The letters are those of the papers: `rank` (i), `grade`, `relevant` (rel_i), `hits` (relevant items down to this rank),
`R` (relevant items of the case), `shown` (length of the list). Some are arrays with a value for each judged item shown, list
by list from the top; others have a value for each list, which `each` gives to its items.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from plumbline.views.ideal import Ideal
from plumbline.views.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl
    from numpy.typing import NDArray

    from plumbline.align.judged_rows import JudgedRows
    from plumbline.align.judgements import Judgements

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Curve = Callable[[Numbers], Numbers]

V = TypeVar("V", bound="Numbers | Flags")


class Ranked(Segments):
    """Judged items, sorted by list and rank, and the facts that kernels ask for."""

    def __init__(
        self,
        rows: JudgedRows,
        lengths: NDArray[np.int64],
        cases: NDArray[np.int64],
        gold: Judgements,
        *,
        expanded: bool = False,
    ) -> None:
        """Rows of lists with these lengths and cases; `expanded` rows give an item at every rank that ties allow."""
        self.rows = rows.in_order()
        super().__init__(self.rows.list, len(lengths))
        self.gold = gold
        self.rank = self.rows.rank
        """The rank of each item, from 1 (i)."""
        self.grade = self.rows.grade
        """The grade of each item; a negative one means that it is pooled but not judged."""
        self.shown = lengths.astype(np.float64)
        """The length of each list (n)."""
        self.case = cases
        """The case of each list."""
        self._expanded = expanded
        self._made: dict[tuple[str, float], Numbers | Flags] = {}

    def once(self, name: str, level: float, make: Callable[[], V]) -> V:
        """An array that several kernels ask for."""
        if (name, level) not in self._made:
            self._made[name, level] = make()
        return self._made[name, level]  # type: ignore[return-value]  # as it was made

    def frame(self) -> pl.DataFrame:
        """The rows as a table, with the item of each."""
        return self.rows.frame(self.gold, self.case[self.of])

    def weighted(self, values: NDArray[np.floating[Any]] | Flags) -> NDArray[np.floating[Any]] | Flags:
        """The values, each times the probability of its row, where equal scores leave the rank open."""
        return values if self.rows.weight is None else values * self.rows.weight

    def total(self, values: NDArray[np.floating[Any]] | Flags) -> Numbers:
        """The sum over each list; where equal scores leave a rank open, its expectation."""
        return self.sum(self.weighted(values))

    def any(self, flags: Flags) -> Flags:
        """Whether a flag of each list is set."""
        return self.sum(flags) > 0

    def relevant(self, level: float) -> Flags:
        """Whether an item is relevant at this level (rel_i)."""
        return self.once("relevant", level, lambda: self.grade >= level)

    def nonrelevant(self, level: float) -> Flags:
        """Whether an item is judged and not relevant."""
        return self.once("nonrelevant", level, lambda: self.judged & (self.grade < level))

    @property
    def judged(self) -> Flags:
        """Whether an item is judged."""
        return self.once("judged", 0.0, lambda: self.grade >= 0)

    def hits(self, level: float) -> Numbers:
        """Relevant items down to and including this rank; in an open tie group, their expected number."""
        return self.once("hits", level, lambda: self._so_far(self.relevant(level)))

    def misses(self, level: float) -> Numbers:
        """Judged irrelevant items down to and including this rank; in an open tie group, their expected number."""
        return self.once("misses", level, lambda: self._so_far(self.nonrelevant(level)))

    def count(self, level: float) -> Numbers:
        """How many items of the case are relevant, 0 included."""
        return self.case_fact(f"count>={level!r}", lambda: self.gold.counts(self.gold.grade >= level).astype(np.float64))

    def R(self, level: float) -> Numbers:
        """How many items of the case are relevant; NaN where none is, so that a score over R is undefined there."""
        return self.once("R", level, lambda: some(self.count(level)))

    def some_relevant(self, level: float) -> Flags:
        """Whether the gold has a relevant item: without one all outputs are alike."""
        return self.count(level) > 0

    def gained_items(self) -> Numbers:
        """How many items of the gold have a grade above 0."""
        return self.case_fact("gained items", lambda: self.ideal.length.astype(np.float64))

    def some_gain(self) -> Flags:
        """Whether the gold has an item with a grade above 0."""
        return self.gained_items() > 0

    def N(self, level: float) -> Numbers:
        """How many items of the case are judged and not relevant."""
        grade = self.gold.grade
        return self.case_fact(
            f"nonrelevant<{level!r}", lambda: self.gold.counts((grade >= 0) & (grade < level)).astype(np.float64)
        )

    @property
    def top_grade(self) -> float:
        """The highest grade of the gold, at least 1."""
        return self.gold.top_grade

    @cached_property
    def ideal(self) -> Ideal:
        """The best possible lists of all cases, made once for all systems."""
        return self.gold.once("ideal lists", lambda: Ideal(self.gold))

    def ideal_total(self, name: str, gain: Curve, discount: Curve, depth: int | None) -> Numbers:
        """The discounted gain of the ideal list down to a depth; NaN where it is 0."""
        return some(self.case_fact(f"ideal {name} {depth}", lambda: self.ideal.totals(gain, discount, depth)))

    def ideal_at_rank(self, along: Curve, beyond: float | None = None) -> Numbers:
        """A value of the ideal list at each row's rank; `along` maps grades to values and sees one case at a time.

        Past the end of the ideal list its last value is kept, or `beyond` is taken.
        """
        return self.ideal.at(self.case[self.of], self.rank, along, beyond)

    def case_fact(self, name: str, per_case: Callable[[], Numbers]) -> Numbers:
        """A number about each case of the gold, which is worked out once for all systems."""
        return self.gold.once(name, per_case)[self.case]

    def _so_far(self, counted: Flags) -> Numbers:
        if not self._expanded:
            return self.so_far(counted)
        return _expected_so_far(self.rows, counted, self.count_of_segments)


def some(values: Numbers) -> Numbers:
    """The values above 0; NaN for others, so that a score over them is undefined."""
    return np.where(values > 0, values, np.nan)


def _expected_so_far(rows: JudgedRows, counted: Flags, lists: int) -> Numbers:
    """The expected count down to this rank, given this item there: those above the group, itself, its share of the others."""
    if rows.group is None or rows.offset is None or rows.size is None or rows.weight is None or not len(rows.list):
        return np.zeros(len(rows.list))
    new = np.append(True, (rows.list[1:] != rows.list[:-1]) | (rows.group[1:] != rows.group[:-1]))
    first = np.flatnonzero(new)
    groups = Segments(np.cumsum(new) - 1, len(first))
    inside = groups.sum(counted * rows.weight)
    uncut = rows.size[first] / (groups.max(rows.rank, 0.0) - rows.offset[first])  # a depth may end within the group
    above = Segments(rows.list[first], lists).running_sum(inside) - inside
    others = (rows.rank - rows.offset - 1) * (groups.each(inside * uncut) - counted) / np.maximum(rows.size - 1, 1)
    return groups.each(above) + counted + others
