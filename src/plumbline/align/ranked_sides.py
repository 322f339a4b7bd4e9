"""A ranking as an organization: a level for each score, every item alone; the gold has a level for each grade above 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.align.reading_time import NOT_RELEVANT, RELEVANT, seconds
from plumbline.align.sides import Side, Sides, completed
from plumbline.lazily import pl
from plumbline.schema import ITEM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.full_lists import FullLists
    from plumbline.align.judgements import Judgements

    Integers = NDArray[np.int64]


def ranked_sides(
    judgements: Judgements, lists: FullLists, words: NDArray[np.float64] | None, rel: float | None, *, finite: bool
) -> Sides:
    """The lists of a system beside the gold; items from grade `rel` on, or above 0, are prioritised there.

    A `finite` collection is made of the items that are judged or retrieved, and what a side does not prioritise is its last
    level; in another one the rest is the tail. `words` are the lengths of judged items, where they are known.
    """
    case = judgements.case.astype(np.int64)
    grade = judgements.grade
    high = grade > 0 if rel is None else grade >= rel
    number, more = _numbered(grade, lists, high, finite=finite)
    retrieved = np.flatnonzero(lists.judged >= 0)
    home = np.concatenate((lists.case.astype(np.int64), case[more]))
    gold = np.flatnonzero(high)
    gold = gold[np.lexsort((-grade[gold], case[gold]))]
    opens = np.ones(len(gold), dtype=np.bool_)
    opens[1:] = (case[gold][1:] != case[gold][:-1]) | (grade[gold][1:] != grade[gold][:-1])
    spans_x, spans_g = None, None
    if lists.words is not None and words is not None:
        relevant = np.zeros(len(lists.case), dtype=np.bool_)
        relevant[retrieved] = high[lists.judged[retrieved]]
        spans_x = seconds(lists.words, np.where(relevant, RELEVANT, NOT_RELEVANT))
        spans_g = seconds(words[gold], np.full(len(gold), RELEVANT))
    every = np.arange(len(lists.case))
    sides = Sides(
        len(judgements.cases),
        home,
        Side(home[: len(every)], _levels(lists.case, lists.new_level), every, every, spans_x),
        Side(case[gold], _levels(case[gold], opens), number[gold], number[gold], spans_g),
    )
    return completed(sides) if finite else sides


def ranked_items(judgements: Judgements, lists: FullLists, rel: float | None, *, finite: bool) -> pl.Series:
    """The item of each document of these sides, where items were kept."""
    grade = judgements.grade
    _, more = _numbered(grade, lists, grade > 0 if rel is None else grade >= rel, finite=finite)
    unshown = judgements.items.gather(pl.Series(more))
    return unshown if lists.items is None else pl.concat([lists.items.alias(ITEM), unshown])


def prioritised_by_gold(judgements: Judgements, rel: float | None) -> NDArray[np.bool_]:
    """Whether a case has an item of grade `rel` or higher, or above 0."""
    return judgements.counts(judgements.grade > 0 if rel is None else judgements.grade >= rel) > 0


def _numbered(
    grade: NDArray[np.float64], lists: FullLists, high: NDArray[np.bool_], *, finite: bool
) -> tuple[Integers, Integers]:
    """The document of each judged item, -1 for none, and the items that no list has: their documents come after the rows."""
    number = np.full(len(grade), -1, dtype=np.int64)
    retrieved = np.flatnonzero(lists.judged >= 0)
    number[lists.judged[retrieved]] = retrieved
    more = np.flatnonzero((number < 0) & (high | (finite & (grade >= 0))))
    number[more] = len(lists.case) + np.arange(len(more))
    return number, more


def _levels(lists: NDArray[np.int32] | Integers, opens: NDArray[np.bool_]) -> Integers:
    """Levels from 0 in each list, from where a new one starts."""
    level = np.cumsum(opens) - 1
    first = np.searchsorted(lists, lists)
    return np.asarray(level - level[first], dtype=np.int64)
