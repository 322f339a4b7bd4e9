"""The ranked view: every list as the ranks and grades of its judged items, with facts about its case.

The letters are those of the papers: `rank` (i), `grade`, `relevant` (rel_i), `hits` (relevant items down to this rank),
`R` (relevant items of the case), `shown` (length of the list).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.schema import CASE, GRADE, GROUP, LIST, OFFSET, RANK, SHOWN, SIZE, WEIGHT
from plumbline.views.ideal import Ideal

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.judgements import Judgements

    Curve = Callable[[NDArray[np.float64]], NDArray[np.float64]]

rank: Final = pl.col(RANK)
grade: Final = pl.col(GRADE)
shown: Final = pl.col(SHOWN).first()
judged: Final = grade >= 0


def relevant(level: float) -> pl.Expr:
    """Whether an item is relevant at this level (rel_i)."""
    return grade >= level


def nonrelevant(level: float) -> pl.Expr:
    """Whether an item is judged and not relevant."""
    return judged & (grade < level)


class Ranked:
    """Rows of judged items, sorted by list and rank, and the facts that kernels ask for."""

    def __init__(
        self,
        rows: pl.DataFrame,
        lengths: NDArray[np.int64],
        cases: NDArray[np.int64],
        gold: Judgements,
        *,
        expanded: bool = False,
    ) -> None:
        """Rows of lists with these lengths and cases; `expanded` rows give an item at every rank that ties allow."""
        self.gold = gold
        self._expanded = expanded
        self._rows = _with_empty_lists(rows, lengths, cases).sort(LIST, RANK, maintain_order=True)
        self._facts: dict[str, pl.Series] = {}

    @cached_property
    def _case(self) -> pl.Series:
        return self._rows[CASE]

    def table(self) -> pl.DataFrame:
        """The rows with every fact that a kernel uses."""
        return self._rows.with_columns(self._facts.values())

    def _case_fact(self, name: str, make: Callable[[], pl.Series]) -> pl.Expr:
        """A value per case, repeated on its rows."""
        if name not in self._facts:
            self._facts[name] = make().gather(self._case).alias(name)
        return pl.col(name).first()

    def count(self, level: float) -> pl.Expr:
        """How many items of the case are relevant, 0 included."""
        return self._case_fact(f"count>={level!r}", lambda: pl.Series(self.gold.counts(grade >= level)))

    def R(self, level: float) -> pl.Expr:
        """How many items of the case are relevant; null where none is, so that a score over R is undefined there."""
        count = self.count(level)
        return pl.when(count > 0).then(count)

    def some_relevant(self, level: float) -> pl.Expr:
        """Whether the gold has a relevant item: without one all outputs are alike."""
        return self.count(level) > 0

    def some_gain(self) -> pl.Expr:
        """Whether the gold has an item with a grade above 0."""
        return self.ideal_fact("gained items", lambda best: best.length.astype(np.float64)) > 0

    def N(self, level: float) -> pl.Expr:
        """How many items of the case are judged and not relevant."""
        return self._case_fact(f"nonrelevant<{level!r}", lambda: pl.Series(self.gold.counts(nonrelevant(level))))

    def hits(self, level: float) -> pl.Expr:
        """Relevant items down to and including this rank; in an open tie group, their expected number."""
        return self._so_far(f"hits>={level!r}", relevant(level))

    def misses(self, level: float) -> pl.Expr:
        """Judged irrelevant items down to and including this rank; in an open tie group, their expected number."""
        return self._so_far(f"misses<{level!r}", nonrelevant(level))

    def _so_far(self, name: str, counted: pl.Expr) -> pl.Expr:
        if not self._expanded:
            return counted.cum_sum()
        if name not in self._facts:
            self._facts[name] = _expected_so_far(self._rows, counted.cast(pl.Float64)).alias(name)
        return pl.col(name)

    @cached_property
    def top_grade(self) -> float:
        """The highest grade of the gold, at least 1."""
        return max(1.0, float(self.gold.judged[GRADE].max() or 0.0))  # type: ignore[arg-type]  # a float column

    @cached_property
    def ideal(self) -> Ideal:
        """The best possible lists of all cases, made once for all systems."""
        return Ideal(self.gold)

    def ideal_total(self, name: str, gain: Curve, discount: Curve, depth: int | None) -> pl.Expr:
        """The discounted gain of the ideal list down to a depth; null where it is 0."""
        total = self._case_fact(f"ideal {name} {depth}", lambda: pl.Series(self.ideal.totals(gain, discount, depth)))
        return pl.when(total > 0).then(total)

    def ideal_at_rank(self, name: str, along: Curve, beyond: float | None = None) -> pl.Expr:
        """A value of the ideal list at each row's rank; `along` maps positions to values and sees one case at a time.

        Past the end of the ideal list its last value is kept, or `beyond` is taken.
        """
        if name not in self._facts:
            values = self.ideal.at(self._case.to_numpy(), self._rows[RANK].fill_null(1).to_numpy(), along, beyond)
            self._facts[name] = pl.Series(name, values)
        return pl.col(name)

    def case_fact(self, name: str, per_case: Callable[[], NDArray[np.float64]]) -> pl.Expr:
        """A number about each case of the gold."""
        return self._case_fact(name, lambda: pl.Series(per_case()))

    def column(self, name: str, make: Callable[[pl.DataFrame], pl.Series]) -> pl.Expr:
        """A value for each row that looks at the rows of all lists, sorted by list and rank."""
        if name not in self._facts:
            self._facts[name] = make(self._rows).alias(name)
        return pl.col(name)

    def ideal_fact(self, name: str, per_case: Callable[[Ideal], NDArray[np.float64]]) -> pl.Expr:
        """Any other number about the ideal list of a case."""
        return self._case_fact(name, lambda: pl.Series(per_case(self.ideal)))


def _with_empty_lists(rows: pl.DataFrame, lengths: NDArray[np.int64], cases: NDArray[np.int64]) -> pl.DataFrame:
    """One row without rank for every list that shows no judged item: a list without rows would form no group."""
    present = np.zeros(len(lengths), dtype=bool)
    present[rows[LIST].to_numpy()] = True
    absent = np.flatnonzero(~present)
    if not len(absent):
        return _weighted(rows, lengths)
    columns = {LIST: absent, CASE: cases[absent], WEIGHT: np.zeros(len(absent))}
    empty = pl.DataFrame(columns, schema_overrides={LIST: rows.schema[LIST], CASE: rows.schema[CASE]})
    return pl.concat([_weighted(rows, lengths), _weighted(empty, lengths)], how="diagonal")


def _weighted(rows: pl.DataFrame, lengths: NDArray[np.int64]) -> pl.DataFrame:
    """Rows with the length of their list, and with weight 1 if they have none."""
    shown = pl.Series(SHOWN, lengths[rows[LIST].to_numpy()])
    return rows.with_columns(shown) if WEIGHT in rows.columns else rows.with_columns(shown, pl.lit(1.0).alias(WEIGHT))


def _expected_so_far(rows: pl.DataFrame, counted: pl.Expr) -> pl.Series:
    """The expected count down to this rank, given this item there: those above the group, itself, its share of the others."""
    uncut = pl.col(SIZE) / (rank.max().over(LIST, GROUP) - pl.col(OFFSET))  # a depth may end within the group
    in_group = (counted * pl.col(WEIGHT)).sum().over(LIST, GROUP) * uncut
    groups = rows.group_by(LIST, GROUP, maintain_order=True).agg(
        pl.col(OFFSET).first(), (counted * pl.col(WEIGHT)).sum().alias("inside")
    )
    above = groups.sort(LIST, OFFSET).with_columns((pl.col("inside").cum_sum().over(LIST) - pl.col("inside")).alias("above"))
    others = (rank - pl.col(OFFSET) - 1) * (in_group - counted) / (pl.col(SIZE) - 1).clip(1)
    joined = rows.join(
        above.select(LIST, GROUP, "above"), on=[LIST, GROUP], how="left", maintain_order="left", nulls_equal=True
    )
    return joined.select(pl.col("above") + counted + others).to_series()
