"""Classifiers: an item is a pair of the right class and the given one, or of the right labels and the given ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.align.class_counts import (
    NO_CLASS,
    ClassCells,
    ClassRows,
    ItemRows,
    by_class,
    class_codes,
    count_several,
    picked,
    stacked,
)
from plumbline.comparison.units.outcomes import Outcomes
from plumbline.compute.classification import compute_classification

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.classification import AlignedLabels
    from plumbline.comparison.units.outcomes import Lists
    from plumbline.metrics.measure import Measure

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

_COUNTS = 3
"""Right, wrong and missed."""


def class_outcomes(aligned: AlignedLabels, measures: list[Measure]) -> list[Outcomes]:
    """One code for each pair of what is right and what was given."""
    case = aligned.gold.case.astype(np.int64)
    if aligned.several:
        return [_of_several(aligned, case, measures)]
    given = len(aligned.classes) + 1
    gold = class_codes(aligned.gold.values, aligned.classes).to_numpy().astype(np.int64)
    labels = [class_codes(one, aligned.classes).fill_null(NO_CLASS).to_numpy() for one in aligned.labels]
    codes = np.stack([gold * given + one + 1 for one in labels]).astype(np.int64)

    def score(lists: Sequence[Lists], measures: list[Measure]) -> pl.DataFrame:
        parts, first = [], 0
        for one in lists:
            number, at = np.nonzero(one.counts)
            right, answer = np.divmod(one.codes[at], given)
            parts.append(ClassCells(number + first, right, answer - 1, one.counts[number, at].astype(np.float64)))
            first += len(one.counts)
        cells: ClassCells = stacked(parts)
        return _computed(replace(aligned, cells=cells, by_class=by_class(cells)), lists, measures)

    return [Outcomes(measures, case, gold, codes, score)]


def _computed(made: AlignedLabels, lists: Sequence[Lists], measures: list[Measure]) -> pl.DataFrame:
    """The values of drawn lists, which are cases of a few systems."""
    draws = len(lists[0].counts)
    gold = replace(made.gold, cases=[""] * draws)
    sizes = lists[0].counts.sum(axis=1).astype(np.int64)
    nobody = np.zeros(draws * len(lists), dtype=bool)
    return compute_classification(
        replace(made, gold=gold, systems=("",) * len(lists), missing=nobody, sizes=sizes), measures
    ).values


def _of_several(aligned: AlignedLabels, case: Integers, measures: list[Measure]) -> Outcomes:
    """The code of an item with several labels is the pair of both sets."""
    texts = [_set_text(labels, aligned.classes) for labels in (aligned.gold.values, *aligned.labels)]
    stratum = texts[0].rank("dense").to_numpy().astype(np.int64) - 1
    pairs = [pl.struct(texts[0].alias("gold"), one.alias("given")) for one in texts[1:]]
    every = pl.concat([pl.select(pair).to_series() for pair in pairs])
    codes = every.rank("dense").to_numpy().astype(np.int64) - 1
    _, first = np.unique(codes, return_index=True)
    counts, kinds = _examples(aligned, first)

    def score(lists: Sequence[Lists], measures: list[Measure]) -> pl.DataFrame:
        classes, items, start = [], [], 0
        for one in lists:
            classes.append(_rows_of_classes(one, counts[one.codes], start))
            items.append(_rows_of_items(one, kinds, start))
            start += len(one.counts)
        return _computed(replace(aligned, by_class=stacked(classes), by_item=stacked(items)), lists, measures)

    return Outcomes(measures, case, stratum, codes.reshape(len(aligned.labels), -1), score)


def _set_text(labels: pl.Series, classes: tuple[str, ...]) -> pl.Series:
    """A set of labels as one text; no answer is another one than no label."""
    rows = pl.DataFrame({"item": np.arange(len(labels)), "label": labels}).explode("label").drop_nulls("label")
    coded = rows.with_columns(class_codes(rows["label"], classes).alias("label")).sort("item", "label")
    texts = coded.group_by("item", maintain_order=True).agg(pl.col("label").cast(pl.String).str.join(","))
    items = pl.DataFrame({"item": np.arange(len(labels)), "open": labels.is_null()})
    none = pl.when("open").then(pl.lit("-")).otherwise(pl.lit(""))
    joined = items.join(texts, on="item", how="left", maintain_order="left")
    return joined.select(pl.col("label").fill_null(none)).to_series()


def _examples(aligned: AlignedLabels, first: Integers) -> tuple[Numbers, ItemRows]:
    """The counts by class `[code, 3 * class]` and by item of one item of each code."""
    system, item = np.divmod(first, len(aligned.gold.case))
    labels = pl.concat(
        [aligned.labels[one].gather(pl.Series(item[system == one])).alias("labels") for one in range(len(aligned.labels))]
    )
    order = np.argsort(np.concatenate([np.flatnonzero(system == one) for one in range(len(aligned.labels))]))
    alone = replace(
        aligned.gold, case=np.arange(len(first), dtype=np.int32), values=aligned.gold.values.gather(pl.Series(item))
    )
    _, classes, items = count_several(alone, labels.gather(pl.Series(order)), aligned.classes, 0)
    counts = np.zeros((len(first), len(aligned.classes), _COUNTS))
    counts[classes.list, classes.class_] = np.stack([classes.tp, classes.fp, classes.fn], axis=1)
    return counts.reshape(len(first), -1), items


def _rows_of_classes(one: Lists, counts: Numbers, start: int) -> ClassRows:
    table = (one.counts @ counts).reshape(len(one.counts), -1, _COUNTS)
    number, of_class = np.nonzero(table.sum(axis=2))
    return ClassRows(number + start, of_class, *table[number, of_class].T)


def _rows_of_items(one: Lists, kinds: ItemRows, start: int) -> ItemRows:
    """How many items of each list have the same counts."""
    alike: ItemRows = picked(kinds, one.codes)
    counted = np.stack([alike.tp, alike.fp, alike.fn, alike.open], axis=1)
    _, kind = np.unique(counted, axis=0, return_inverse=True)
    has = np.zeros((len(kind), int(kind.max(initial=-1)) + 1))
    has[np.arange(len(kind)), kind] = 1.0
    counts = one.counts @ has
    number, at = np.nonzero(counts)
    _, example = np.unique(kind, return_index=True)
    rows = example[at]
    return ItemRows(number + start, alike.tp[rows], alike.fp[rows], alike.fn[rows], alike.open[rows], counts[number, at])
