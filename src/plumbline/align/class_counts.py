"""Counts of gold and system classes: cells of a confusion matrix, counts of each class, counts of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.schema import CLASS, LIST

if TYPE_CHECKING:
    from plumbline.align.items import GoldItems

NO_CLASS: Final = -1
"""The class of an item without an answer; it is never right."""
GOLD_CLASS: Final = "gold"
SYSTEM_CLASS: Final = "system"
ITEMS: Final = "items"
"""How many items of a list a row stands for."""


def class_codes(labels: pl.Series, classes: tuple[str, ...]) -> pl.Series:
    """The number of each label; null for no answer."""
    return labels.replace_strict(list(classes), list(range(len(classes))), default=None, return_dtype=pl.Int64)


Counted = tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]
"""Cells, counts by class and counts by item."""


def count_labels(gold: GoldItems, labels: pl.Series, classes: tuple[str, ...], first: int) -> Counted:
    """The counts of one output whose lists are numbered from `first`."""
    if isinstance(gold.values.dtype, pl.List):
        return count_several(gold, labels, classes, first)
    numbers = pl.Series(LIST, gold.case.astype(np.int64) + first)
    rows = pl.DataFrame(
        [numbers, class_codes(gold.values, classes).alias(GOLD_CLASS), class_codes(labels, classes).alias(SYSTEM_CLASS)]
    )
    cells = (
        rows.with_columns(pl.col(SYSTEM_CLASS).fill_null(NO_CLASS))
        .group_by(LIST, GOLD_CLASS, SYSTEM_CLASS, maintain_order=True)
        .len("n")
    )
    n = pl.col("n").cast(pl.Float64)
    return cells.with_columns(n).sort(LIST, GOLD_CLASS, SYSTEM_CLASS), by_class(cells.with_columns(n)), _NO_ITEMS


def by_class(cells: pl.DataFrame) -> pl.DataFrame:
    """How often each class is right, wrongly given and missed, from the cells of a confusion matrix."""
    wanted = cells.group_by(LIST, pl.col(GOLD_CLASS).alias(CLASS), maintain_order=True).agg(pl.col("n").sum().alias("wanted"))
    given = cells.group_by(LIST, pl.col(SYSTEM_CLASS).alias(CLASS), maintain_order=True).agg(pl.col("n").sum().alias("given"))
    same = cells.filter(pl.col(GOLD_CLASS) == pl.col(SYSTEM_CLASS))
    right = same.select(LIST, pl.col(GOLD_CLASS).alias(CLASS), pl.col("n").alias("tp"))
    return _per_class([wanted, given, right])


def _per_class(parts: list[pl.DataFrame]) -> pl.DataFrame:
    counted = (
        pl.concat(parts, how="diagonal").group_by(LIST, CLASS, maintain_order=True).agg(pl.col("wanted", "given", "tp").sum())
    )
    return counted.select(
        LIST, CLASS, "tp", (pl.col("given") - pl.col("tp")).alias("fp"), (pl.col("wanted") - pl.col("tp")).alias("fn")
    ).sort(LIST, CLASS)


def count_several(gold: GoldItems, labels: pl.Series, classes: tuple[str, ...], first: int) -> Counted:
    """Counts of pairs of item and class: of both sides, of the gold, of the system."""
    numbers = pl.Series(LIST, gold.case.astype(np.int64) + first)
    item = pl.int_range(len(numbers), eager=True).alias("item")

    def pairs(values: pl.Series) -> pl.DataFrame:
        long = pl.DataFrame([numbers, item, values.alias(CLASS)]).explode(CLASS).drop_nulls(CLASS)
        return long.with_columns(class_codes(long[CLASS], classes).alias(CLASS))

    wanted, given = pairs(gold.values), pairs(labels)
    right = wanted.join(given, on=["item", CLASS], how="semi")
    counts = [
        frame.group_by(LIST, CLASS, maintain_order=True).agg(pl.len().cast(pl.Float64).alias(name))
        for name, frame in (("wanted", wanted), ("given", given), ("tp", right))
    ]
    sides = [
        frame.group_by("item", maintain_order=True).agg(pl.len().cast(pl.Float64).alias(name))
        for name, frame in (("wanted", wanted), ("given", given), ("tp", right))
    ]
    items = pl.DataFrame([numbers, item])
    for side in sides:
        items = items.join(side, on="item", how="left", maintain_order="left")
    both = items.with_columns(pl.col("wanted", "given", "tp").fill_null(0.0))
    fp, fn = (pl.col("given") - pl.col("tp")).alias("fp"), (pl.col("wanted") - pl.col("tp")).alias("fn")
    return (
        _NO_CELLS,
        _per_class(counts),
        both.select(LIST, "tp", fp, fn, labels.is_null().alias("open"), pl.lit(1.0).alias(ITEMS)),
    )


_NO_CELLS: Final = pl.DataFrame(schema={LIST: pl.Int64, GOLD_CLASS: pl.Int64, SYSTEM_CLASS: pl.Int64, "n": pl.Float64})
_NO_ITEMS: Final = pl.DataFrame(
    schema={LIST: pl.Int64, "tp": pl.Float64, "fp": pl.Float64, "fn": pl.Float64, "open": pl.Boolean, ITEMS: pl.Float64}
)
