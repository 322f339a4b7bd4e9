"""Counts of gold and system classes: cells of a confusion matrix, counts of each class, counts of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.cluster_counts import counted
from plumbline.schema import CLASS, LIST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.items import GoldItems

NO_CLASS: Final = -1
"""The class of an item without an answer; it is never right."""
FEW_LABELS: Final = 10_000
"""Up to so many labels are looked up one by one, which takes less time than a step of polars."""
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
    wanted, given = _codes(gold.values, classes), _codes(labels, classes)
    most = len(classes) + 1
    key = (gold.case.astype(np.int64) * most + (wanted + 1)) * most + (given + 1)
    cell, n = counted(key, (int(gold.case.max(initial=0)) + 1) * most * most, gold.times)
    rest, system = np.divmod(cell, most)
    case, of_gold = np.divmod(rest, most)
    columns = {LIST: case + first, GOLD_CLASS: of_gold - 1, SYSTEM_CLASS: system - 1, "n": n.astype(np.float64)}
    cells = pl.DataFrame([pl.Series(name, column) for name, column in columns.items()])
    return cells, by_class(cells), _NO_ITEMS


def _codes(labels: pl.Series, classes: tuple[str, ...]) -> NDArray[np.int64]:
    """The number of each label, that of no class for no answer."""
    if len(labels) > FEW_LABELS:
        return class_codes(labels, classes).fill_null(NO_CLASS).to_numpy()
    number = {name: code for code, name in enumerate(classes)}
    return np.array([number.get(label, NO_CLASS) for label in labels.to_list()], dtype=np.int64)


def by_class(cells: pl.DataFrame) -> pl.DataFrame:
    """How often each class is right, wrongly given and missed, from the cells of a confusion matrix."""
    lists, wanted, given, n = (cells[name].to_numpy() for name in (LIST, GOLD_CLASS, SYSTEM_CLASS, "n"))
    most = int(max(wanted.max(initial=0), given.max(initial=0))) + 2
    in_gold, in_system = lists * most + wanted + 1, lists * most + given + 1
    key, at = np.unique(np.concatenate((in_gold, in_system)), return_inverse=True)
    at_gold, at_system = np.split(at, 2)
    right = np.bincount(at_gold, weights=np.where(wanted == given, n, 0.0), minlength=len(key))
    columns = {
        LIST: key // most,
        CLASS: key % most - 1,
        "tp": right,
        "fp": np.bincount(at_system, weights=n, minlength=len(key)) - right,
        "fn": np.bincount(at_gold, weights=n, minlength=len(key)) - right,
    }
    return pl.DataFrame([pl.Series(name, column) for name, column in columns.items()])


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
    times = pl.Series(ITEMS, np.ones(len(numbers)) if gold.times is None else gold.times.astype(np.float64))

    def pairs(values: pl.Series) -> pl.DataFrame:
        long = pl.DataFrame([numbers, item, times, values.alias(CLASS)]).explode(CLASS).drop_nulls(CLASS)
        return long.with_columns(class_codes(long[CLASS], classes).alias(CLASS))

    wanted, given = pairs(gold.values), pairs(labels)
    right = wanted.join(given, on=["item", CLASS], how="semi")
    counts = [
        frame.group_by(LIST, CLASS, maintain_order=True).agg(pl.col(ITEMS).sum().alias(name))
        for name, frame in (("wanted", wanted), ("given", given), ("tp", right))
    ]
    sides = [
        frame.group_by("item", maintain_order=True).agg(pl.len().cast(pl.Float64).alias(name))
        for name, frame in (("wanted", wanted), ("given", given), ("tp", right))
    ]
    items = pl.DataFrame([numbers, item, times])
    for side in sides:
        items = items.join(side, on="item", how="left", maintain_order="left")
    both = items.with_columns(pl.col("wanted", "given", "tp").fill_null(0.0))
    fp, fn = (pl.col("given") - pl.col("tp")).alias("fp"), (pl.col("wanted") - pl.col("tp")).alias("fn")
    kinds = both.select(LIST, "tp", fp, fn, labels.is_null().alias("open"), ITEMS)
    same = [name for name in kinds.columns if name != ITEMS]
    return _NO_CELLS, _per_class(counts), kinds.group_by(same).agg(pl.col(ITEMS).sum()).sort(same)


_NO_CELLS: Final = pl.DataFrame(schema={LIST: pl.Int64, GOLD_CLASS: pl.Int64, SYSTEM_CLASS: pl.Int64, "n": pl.Float64})
_NO_ITEMS: Final = pl.DataFrame(
    schema={LIST: pl.Int64, "tp": pl.Float64, "fp": pl.Float64, "fn": pl.Float64, "open": pl.Boolean, ITEMS: pl.Float64}
)
