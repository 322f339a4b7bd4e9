"""The view of classifiers: counts of each class in each list, and facts about the whole list.

`tp`, `fp` and `fn` are the items that a class rightly has, wrongly has and lacks; `n` is the number of items.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.class_counts import ITEMS
from plumbline.schema import CLASS, LIST

if TYPE_CHECKING:
    from plumbline.align.classification import AlignedLabels

ABOVE: Final = "above"
"""The gold's items in the class right above."""
is_class: Final = pl.col(CLASS) >= 0
"""Not the row of items without an answer."""


class Counts:
    """The three counts of one class, of all classes together, or of one item: kernels need not know which."""

    def __init__(self, *, together: bool = False) -> None:
        """Of each row, or summed over the rows that are classes."""
        columns = (pl.col(name) for name in ("tp", "fp", "fn"))
        self.tp, self.fp, self.fn = (column.filter(is_class).sum() if together else column for column in columns)


class Classes:
    """Rows of classes with the facts that kernels ask for; `pl.col("tp")` and the like are per class."""

    tp: Final = pl.col("tp")
    fp: Final = pl.col("fp")
    fn: Final = pl.col("fn")
    wanted: Final = pl.col("tp") + pl.col("fn")
    given: Final = pl.col("tp") + pl.col("fp")
    n: Final = pl.col("n").first()
    position: Final = is_class.cum_sum() - 1.0
    """The place of a class among those of the list, from 0."""
    farthest: Final = pl.max_horizontal(position, is_class.sum() - 1.0 - position)
    """How many places the farthest class of the list is away."""

    def __init__(self, aligned: AlignedLabels) -> None:
        """The rows of every list, with a row for each declared class."""
        self._aligned = aligned
        self._rows = _complete(aligned)
        self._facts: dict[str, pl.DataFrame] = {}
        self.order_matters = False
        """Whether a kernel looked at the order of the classes."""

    def table(self) -> pl.DataFrame:
        """The rows with every fact that a kernel uses."""
        rows = self._rows
        for fact in self._facts.values():
            rows = rows.join(fact, on=LIST, how="left", maintain_order="left")
        return rows

    @property
    def several(self) -> bool:
        """Whether an item may have several labels."""
        return self._aligned.several

    @property
    def wanted_above(self) -> pl.Expr:
        """How many items the gold has in the class right above; all items for a class at the top."""
        return pl.col("n") if self._aligned.paths is None else pl.col(ABOVE)

    @property
    def exact(self) -> pl.Expr:
        """How many items have exactly the right labels."""
        if not self.several:
            return self.tp.sum()
        right = (pl.col("fp") == 0) & (pl.col("fn") == 0) & ~pl.col("open")
        return self._fact("exact", self._aligned.by_item, (right * pl.col(ITEMS)).sum()).fill_null(0.0)

    def over_cells(self, name: str, term: pl.Expr) -> pl.Expr:
        """The sum over all items of a term of `gold` and `system` class, `-1` for no answer, and of counts of the gold.

        `gold_n` and `system_n` are the items that the gold has in these classes, `upto_gold` and `upto_system` those
        in all classes up to and including them.
        """
        return self._fact(name, self._cells, (term * pl.col("cell")).sum())

    def distance(self, power: int) -> pl.Expr:
        """The sum over all items of the distance between the right class and the given one; no answer is farthest away."""
        self.order_matters = True
        apart = (pl.col("gold_at") - pl.col("system_at")).abs()
        return self.over_cells(f"distance {power}", pl.coalesce(apart, pl.col("gold_farthest")) ** power)

    def _fact(self, name: str, rows: pl.DataFrame, value: pl.Expr) -> pl.Expr:
        if name not in self._facts:
            self._facts[name] = rows.group_by(LIST, maintain_order=True).agg(value.alias(name))
        return pl.col(name).first()

    @cached_property
    def _cells(self) -> pl.DataFrame:
        counts = self._rows.filter(is_class).select(
            LIST,
            CLASS,
            "n",
            self.wanted.alias("own"),
            self.wanted.cum_sum().over(LIST).alias("upto"),
            self.position.over(LIST).alias("at"),
            self.farthest.over(LIST).alias("gold_farthest"),
        )
        cells = self._aligned.cells.rename({"n": "cell"})
        gold = counts.rename({CLASS: "gold", "own": "gold_n", "upto": "upto_gold", "at": "gold_at"})
        places = {CLASS: "system", "own": "system_n", "upto": "upto_system", "at": "system_at"}
        system = counts.drop("n", "gold_farthest").rename(places)
        return cells.join(gold, on=[LIST, "gold"], how="left").join(system, on=[LIST, "system"], how="left")


def _complete(aligned: AlignedLabels) -> pl.DataFrame:
    """Every list has a row, and a row for each class that was declared."""
    lists = len(aligned.systems) * len(aligned.cases)
    items = np.tile(aligned.sizes, len(aligned.systems)).astype(np.float64)
    known = aligned.by_class[LIST].to_numpy()
    if not aligned.declared and aligned.paths is None and np.bincount(known, minlength=lists).all():
        return aligned.by_class.with_columns(pl.Series("n", items[known]))
    sizes = pl.DataFrame({LIST: np.arange(lists), "n": items})
    if aligned.declared:
        every = pl.DataFrame({CLASS: np.arange(-1, len(aligned.classes))})
        wanted = sizes.select(LIST).join(every, how="cross")
    else:
        none = pl.DataFrame({LIST: np.setdiff1d(np.arange(lists), aligned.by_class[LIST].to_numpy())})
        wanted = pl.concat([aligned.by_class.select(LIST, CLASS), none.with_columns(pl.lit(-1, dtype=pl.Int64).alias(CLASS))])
    rows = wanted.join(aligned.by_class, on=[LIST, CLASS], how="left").join(sizes, on=LIST, how="left")
    counted = rows.with_columns(pl.col("tp", "fp", "fn").fill_null(0.0)).sort(LIST, CLASS)
    return counted if aligned.paths is None else _with_above(counted, aligned.paths.parents(aligned.classes))


def _with_above(rows: pl.DataFrame, parents: list[int]) -> pl.DataFrame:
    """The rows with the number of the gold's items in the class right above."""
    parent = pl.DataFrame({CLASS: np.arange(len(parents)), "parent": parents})
    above = rows.select(LIST, pl.col(CLASS).alias("parent"), Classes.wanted.alias(ABOVE)).filter(pl.col("parent") >= 0)
    joined = rows.join(parent, on=CLASS, how="left", maintain_order="left")
    counted = joined.join(above, on=[LIST, "parent"], how="left", maintain_order="left")
    return counted.with_columns(pl.col(ABOVE).fill_null(pl.col("n"))).drop("parent")
