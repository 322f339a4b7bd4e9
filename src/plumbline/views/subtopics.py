"""Judgements of diversity: what each item of a list adds to what the items above it say about the subtopics of the case.

A gold without subtopics has one, which every relevant item is about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import pl
from plumbline.schema import CASE, GRADE, ITEM, LIST, RANK, SUBTOPIC
from plumbline.views.ranked import some

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.judgements import Judgements
    from plumbline.views.ranked import Ranked

    Numbers = NDArray[np.float64]

_ROW: Final = "row"
_ONLY: Final = "all"


def seen() -> pl.Expr:
    """How many items above are about the subtopic (r)."""
    return pl.int_range(pl.len()).over(LIST, SUBTOPIC).cast(pl.Float64)


def about() -> pl.Expr:
    """How many items of the gold are about the subtopic (R)."""
    return pl.col("about")


def top() -> pl.Expr:
    """The highest grade that the gold has for the subtopic."""
    return pl.col("top")


def added(lists: Ranked, name: str, rel: float, worth: pl.Expr) -> Numbers:
    """The sum over the subtopics that an item is about; `worth` has a row for each, in the order of the list."""
    return lists.once(name, rel, lambda: _added(lists.frame(), lists.gold, rel, worth))


def _added(rows: pl.DataFrame, gold: Judgements, rel: float, worth: pl.Expr) -> Numbers:
    numbered = rows.with_row_index(_ROW)
    if gold.subtopics is None:
        met = numbered.select(_ROW, LIST, CASE, RANK, GRADE, pl.lit(_ONLY).alias(SUBTOPIC)).filter(pl.col(GRADE) >= rel)
    else:
        plain = numbered.select(_ROW, LIST, CASE, RANK, ITEM)
        met = plain.join(relevant_subtopics(gold, rel), on=[CASE, ITEM], maintain_order="left")
    of_gold = (
        relevant_subtopics(gold, rel)
        .group_by(CASE, SUBTOPIC)
        .agg(pl.len().cast(pl.Float64).alias("about"), pl.col(GRADE).max().alias("top"))
    )
    met = met.join(of_gold, on=[CASE, SUBTOPIC], how="left", maintain_order="left")
    sums = met.with_columns(worth.alias("worth")).group_by(_ROW).agg(pl.col("worth").sum())
    return numbered.select(_ROW).join(sums, on=_ROW, how="left", maintain_order="left")["worth"].fill_null(0.0).to_numpy()


def relevant_subtopics(gold: Judgements, rel: float) -> pl.DataFrame:
    """`case, item, subtopic, grade` of every item that is relevant to a subtopic."""
    every = gold.judged.with_columns(pl.lit(_ONLY).alias(SUBTOPIC)) if gold.subtopics is None else gold.subtopics
    return every.filter(pl.col(GRADE) >= rel).select(CASE, ITEM, SUBTOPIC, GRADE)


def number_of_subtopics(lists: Ranked, rel: float) -> Numbers:
    """How many subtopics of the case have a relevant item (M); NaN where none has."""

    def count() -> Numbers:
        pairs = relevant_subtopics(lists.gold, rel).select(CASE, SUBTOPIC).unique()
        return np.bincount(pairs[CASE].to_numpy(), minlength=len(lists.gold.cases)).astype(np.float64)

    return some(lists.case_fact(f"subtopics {rel!r}", count))


def ideal_novelty(
    lists: Ranked, alpha: float, rel: float, depth: int | None, discount: Callable[[Numbers], Numbers]
) -> Numbers:
    """The discounted novelty of a list that takes the item that adds most, again and again; NaN where there is none."""

    def totals() -> Numbers:
        if lists.gold.subtopics is None:
            return _of_one_subtopic(lists.gold, alpha, rel, depth, discount)
        made = np.zeros(len(lists.gold.cases))
        for (case,), pairs in relevant_subtopics(lists.gold, rel).group_by(CASE):
            made[int(str(case))] = _discounted(_greedy(pairs, alpha, depth), discount)
        return made

    return some(lists.case_fact(f"ideal novelty {alpha!r} {rel!r} {depth}", totals))


def _discounted(gains: Numbers, discount: Callable[[Numbers], Numbers]) -> float:
    return float((gains * discount(np.arange(1.0, len(gains) + 1))).sum())


def _of_one_subtopic(
    gold: Judgements, alpha: float, rel: float, depth: int | None, discount: Callable[[Numbers], Numbers]
) -> Numbers:
    """The same where all relevant items are about one subtopic: each adds 1 - alpha times as much as the one above."""
    relevant = np.bincount(gold.case[gold.grade >= rel], minlength=len(gold.cases))
    sizes, size = np.unique(relevant if depth is None else np.minimum(relevant, depth), return_inverse=True)
    gains = np.cumprod(np.concatenate(([1.0], np.full(int(sizes.max(initial=0)), 1.0 - alpha))), dtype=np.float64)
    return np.array([_discounted(gains[:count], discount) for count in sizes.tolist()])[size]


def _greedy(pairs: pl.DataFrame, alpha: float, depth: int | None) -> Numbers:
    """The novelty of each item in turn."""
    items, row = np.unique(pairs[ITEM].to_numpy(), return_inverse=True)
    subtopics, column = np.unique(pairs[SUBTOPIC].to_numpy(), return_inverse=True)
    table = np.zeros((len(items), len(subtopics)))
    table[row, column] = 1.0
    fresh, gains = np.ones(len(subtopics)), []
    for _ in range(len(items) if depth is None else min(depth, len(items))):
        novelty = table @ fresh
        best = int(novelty.argmax())
        gains.append(float(novelty[best]))
        fresh *= 1.0 - alpha * table[best]
        table[best] = 0.0
    return np.array(gains)
