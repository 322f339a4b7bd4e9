"""Counts of gold and system classes: cells of a confusion matrix, counts of each class, counts of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from plumbline.align.cluster_counts import counted
from plumbline.align.sides import summed
from plumbline.io.labelled import CodedLabels
from plumbline.lazily import pl
from plumbline.schema import CLASS, LIST, VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.items import GoldItems

    Places = NDArray[np.int64]
    Numbers = NDArray[np.float64]
    Labels = CodedLabels | pl.Series
    """One label of each item, or a column of lists where an item may have several."""

NO_CLASS: Final = -1
"""The class of an item without an answer; it is never right."""
FEW_LABELS: Final = 10_000
"""Up to so many labels are looked up one by one, which takes less time than a step of polars."""
ITEMS: Final = "items"
"""How many items of a list a row stands for."""


class ClassCells(NamedTuple):
    """How often a class was taken for another; lists are in rising order."""

    list: Places
    gold: Places
    system: Places
    n: Numbers


class ClassRows(NamedTuple):
    """The counts of each class of each list, in rising order of both."""

    list: Places
    class_: Places
    tp: Numbers
    fp: Numbers
    fn: Numbers


class ItemRows(NamedTuple):
    """How many items of a list have these counts, and whether these are without an answer; lists are in rising order."""

    list: Places
    tp: Numbers
    fp: Numbers
    fn: Numbers
    open: NDArray[np.bool_]
    items: Numbers


class Counted(NamedTuple):
    """Cells of single labels, counts by class, and counts by item of several labels."""

    cells: ClassCells
    by_class: ClassRows
    by_item: ItemRows


def stacked(parts: Sequence[Any]) -> Any:  # noqa: ANN401 - a tuple of arrays of one kind
    """The rows of several tuples of arrays, one below the other."""
    return parts[0] if len(parts) == 1 else type(parts[0])(*map(np.concatenate, zip(*parts, strict=True)))


def picked(rows: Any, places: Places) -> Any:  # noqa: ANN401 - as above
    """Some rows of a tuple of arrays."""
    return type(rows)(*(column[places] for column in rows))


def class_codes(labels: pl.Series, classes: tuple[str, ...]) -> pl.Series:
    """The number of each label; null for no answer."""
    return labels.replace_strict(list(classes), list(range(len(classes))), default=None, return_dtype=pl.Int64)


def coded(labels: pl.Series) -> CodedLabels:
    """A column of text as numbers of labels in order of appearance, -1 for null."""
    if len(labels) <= FEW_LABELS:
        texts = labels.to_list()
        number = {name: code for code, name in enumerate(dict.fromkeys(name for name in texts if name is not None))}
        return CodedLabels(tuple(number), np.array([number.get(text, NO_CLASS) for text in texts], dtype=np.int32))
    names = labels.drop_nulls().unique(maintain_order=True)
    codes = labels.replace_strict(names, np.arange(len(names), dtype=np.int32), default=NO_CLASS, return_dtype=pl.Int32)
    return CodedLabels(tuple(names.to_list()), codes.to_numpy())


def as_column(labels: Labels) -> pl.Series:
    """The labels as text, null for none."""
    if not isinstance(labels, CodedLabels):
        return labels
    codes = pl.Series(labels.codes)
    return pl.Series(VALUE, labels.names, dtype=pl.String).gather(pl.select(pl.when(codes >= 0).then(codes)).to_series())


def count_labels(gold: GoldItems, wanted: Labels, given: Labels, classes: tuple[str, ...], first: int) -> Counted:
    """The counts of one output whose lists are numbered from `first`."""
    if not isinstance(wanted, CodedLabels) or not isinstance(given, CodedLabels):
        return count_several(gold, as_column(given), classes, first)
    most = len(classes) + 1
    key = np.multiply(gold.case, most * most, dtype=np.int64)
    key += ((_codes(wanted, classes) + 1) * most)[wanted.codes]
    key += (_codes(given, classes) + 1)[given.codes]
    cell, n = counted(key, (int(gold.case.max(initial=0)) + 1) * most * most, gold.times)
    rest, system = np.divmod(cell, most)
    case, of_gold = np.divmod(rest, most)
    cells = ClassCells(case + first, of_gold - 1, system - 1, n.astype(np.float64))
    return Counted(cells, by_class(cells), NO_ITEMS)


def _codes(labels: CodedLabels, classes: tuple[str, ...]) -> Places:
    """The number of the class of each name, and that of no class at the end for no answer."""
    number = {name: code for code, name in enumerate(classes)}
    return np.array([*(number.get(name, NO_CLASS) for name in labels.names), NO_CLASS], dtype=np.int64)


def by_class(cells: ClassCells) -> ClassRows:
    """How often each class is right, wrongly given and missed, from the cells of a confusion matrix."""
    lists, wanted, given, n = cells
    most = int(max(wanted.max(initial=0), given.max(initial=0))) + 2
    in_gold, in_system = lists * most + wanted + 1, lists * most + given + 1
    key, at = np.unique(np.concatenate((in_gold, in_system)), return_inverse=True)
    at_gold, at_system = np.split(at, 2)
    right = summed(at_gold, np.where(wanted == given, n, 0.0), len(key))
    of_gold, of_system = summed(at_gold, n, len(key)), summed(at_system, n, len(key))
    return ClassRows(key // most, key % most - 1, right, of_system - right, of_gold - right)


def _per_class(parts: list[pl.DataFrame]) -> ClassRows:
    every = (
        pl.concat(parts, how="diagonal").group_by(LIST, CLASS, maintain_order=True).agg(pl.col("wanted", "given", "tp").sum())
    )
    rows = every.sort(LIST, CLASS)
    lists, classes, right = (rows[name].to_numpy() for name in (LIST, CLASS, "tp"))
    return ClassRows(lists, classes, right, (rows["given"] - rows["tp"]).to_numpy(), (rows["wanted"] - rows["tp"]).to_numpy())


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
    rows = kinds.group_by(same).agg(pl.col(ITEMS).sum()).sort(same)
    return Counted(NO_CELLS, _per_class(counts), ItemRows(*(rows[name].to_numpy() for name in (*same, ITEMS))))


_NO_NUMBERS: Final = np.empty(0)
_NO_PLACES: Final = np.empty(0, dtype=np.int64)
NO_CELLS: Final = ClassCells(_NO_PLACES, _NO_PLACES, _NO_PLACES, _NO_NUMBERS)
NO_ITEMS: Final = ItemRows(_NO_PLACES, _NO_NUMBERS, _NO_NUMBERS, _NO_NUMBERS, np.empty(0, dtype=np.bool_), _NO_NUMBERS)
