"""Systems scored again with a changed gold, without reading or ranking anything again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.align.judged_rows import JudgedRows
from plumbline.align.judgements import Judgements
from plumbline.deferred import later
from plumbline.evaluation.evaluation import compute
from plumbline.schema import CASE, GRADE, ITEM, LIST, NUMBER, RANK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.ranking import AlignedRankings
    from plumbline.metrics.measure import Measure
    from plumbline.truth.pools.places import Flags, Integers, Places

    Cube = NDArray[np.float64]
    """Values by measure, system and case; NaN where a value is undefined."""


def values(aligned: AlignedRankings, measures: list[Measure]) -> Cube:
    """The values of all lists."""
    made = compute(aligned, measures).values.sort(LIST)
    shape = (len(aligned.systems), len(aligned.cases))
    columns = [made[measure.name].cast(pl.Float64).fill_null(float("nan")).to_numpy() for measure in measures]
    return np.stack([column.reshape(shape) for column in columns])


def with_gold(places: Places, kept: Flags) -> AlignedRankings:
    """The same lists with some of the judgements."""
    gold = places.aligned.gold
    fewer = Judgements.of(gold.label, gold.cases, gold.judged.filter(pl.Series(kept)))
    return replace(places.aligned, gold=fewer, rows=JudgedRows.of(places.rows(kept).drop(NUMBER)), notices=())


def by_grades_alone(places: Places, measures: list[Measure]) -> list[Measure]:
    """Those of the measures that read nothing of the gold but grades: with subtopics or a sample, others would change."""
    gold = places.aligned.gold
    if not measures or (gold.subtopics is None and gold.sample is None):
        return measures
    known, again = (values(one, measures) for one in (places.aligned, with_gold(places, np.ones(len(places.grades), np.bool_))))
    return [one for one, a, b in zip(measures, known, again, strict=True) if np.array_equal(a, b, equal_nan=True)]


def condensed(places: Places) -> AlignedRankings:
    """The lists without their unjudged items."""
    chosen = np.flatnonzero(places.judged)
    lists = places.lists[chosen]
    rows = places.table(chosen, places.grades[places.of_gold[chosen]])
    shown = np.bincount(lists, minlength=len(places.aligned.shown))
    first = np.cumsum(shown) - shown  # places stand system by system, cases together, best first
    by_list = np.argsort(lists, kind="stable")
    rank = np.empty(len(chosen))
    rank[by_list] = np.arange(len(chosen)) - first[lists[by_list]] + 1
    return replace(places.aligned, rows=JudgedRows.of(rows.with_columns(pl.Series(RANK, rank))), shown=shown, notices=())


def without_groups(places: Places, known: Cube, measures: list[Measure], group: Integers, removed: list[Integers]) -> Cube:
    """The values of each system if the gold lacked what was removed for its group; NaN for systems of no group, -1.

    Only cases that lose a judgement are computed again: each of them, for each group, is a case of its own, and the members
    of a group are scored side by side. No judgement is removed for two groups. `known` are the values with the whole gold.
    """
    result = np.where((group >= 0)[None, :, None], known, np.nan)
    number = np.full((len(removed), places.cases), -1, dtype=np.int64)
    for one, rows in enumerate(removed):
        number[one, _case_of_gold(places)[rows]] = 0
    affected = number == 0
    number[affected] = np.arange(int(affected.sum()))
    if not affected.any():
        return result
    member = np.full(len(group), -1)
    for one in range(len(removed)):
        members = np.flatnonzero(group == one)
        member[members] = np.arange(len(members))
    again = values(_side_by_side(places, group, member, removed, number), measures)
    system, case = np.nonzero(affected[group] & (group >= 0)[:, None])
    result[:, system, case] = again[:, member[system], number[group[system], case]]
    return result


def _case_of_gold(places: Places) -> Integers:
    return places.aligned.gold.judged[CASE].to_numpy().astype(np.int64)


def _side_by_side(
    places: Places, group: Integers, member: Integers, removed: list[Integers], number: Integers
) -> AlignedRankings:
    """An alignment in which group and case are the case, and the place in the group is the system.

    One more case holds the highest grade, which metrics may look at.
    """
    gold, of_case = places.aligned.gold, _case_of_gold(places)
    cases, most = int(number.max()) + 2, int(member.max()) + 1
    loses = np.full(len(of_case), -1)
    loses[np.concatenate(removed)] = np.repeat(np.arange(len(removed)), [len(rows) for rows in removed])
    kept, new = _gold_of_groups(of_case, loses, number)
    judged = np.append(kept, int(gold.grade.argmax()))
    numbers = np.append(new, cases - 1).astype(np.int32)
    texts = later(lambda: gold.items.gather(judged))  # no metric reads them
    owner = group[places.system]
    chosen = np.flatnonzero((owner >= 0) & (places.of_gold >= 0))
    chosen = chosen[(number[owner[chosen], places.case[chosen]] >= 0) & (loses[places.of_gold[chosen]] != owner[chosen])]
    lists = number[owner[chosen], places.case[chosen]] + member[places.system[chosen]] * cases
    grades = places.grades[places.of_gold[chosen]]
    lengths = places.aligned.shown.reshape(len(group), places.cases)
    system, case = np.nonzero((number[group] >= 0) & (group >= 0)[:, None])
    shown = np.zeros(most * cases, dtype=np.int64)
    shown[number[group[system], case] + member[system] * cases] = lengths[system, case]
    return replace(
        places.aligned,
        gold=Judgements(gold.label, [str(one) for one in range(cases)], numbers, gold.grade[judged], texts, ()),
        systems=tuple(str(place) for place in range(most)),
        tags=(None,) * most,
        missing=np.zeros(most * cases, dtype=np.bool_),
        notices=(),
        rows=JudgedRows(lists, grades, places.rank[chosen].astype(np.float64)).in_order(),
        shown=shown,
        full_lists=(),
        words=None,
    )


def _gold_of_groups(of_case: Integers, loses: Integers, number: Integers) -> tuple[Integers, Integers]:
    """The gold's rows of each group's cases without those that it loses, and the numbers of these cases."""
    by_case = np.argsort(of_case, kind="stable")
    first = np.searchsorted(of_case[by_case], np.arange(number.shape[1] + 1))
    owner, case = np.nonzero(number >= 0)
    size = first[case + 1] - first[case]
    start = np.cumsum(size) - size
    rows = by_case[np.arange(int(size.sum())) + np.repeat(first[case] - start, size)]
    kept = loses[rows] != np.repeat(owner, size)
    return rows[kept], np.repeat(number[owner, case], size)[kept]


def with_unjudged(places: Places, top: float, depth: int | None) -> AlignedRankings:
    """The lists in which every unjudged item has the highest grade."""
    unjudged = np.flatnonzero(~places.judged & (places.rank <= (depth or places.rank.max(initial=0))))
    rows = pl.concat(
        [
            places.aligned.rows.frame(places.aligned.gold).select(_COLUMNS),
            places.table(unjudged, np.full(len(unjudged), top)).select(_COLUMNS),
        ]
    )
    known = pl.col(GRADE) >= 0  # what was pooled and not judged is among the unjudged ones
    return replace(places.aligned, rows=JudgedRows.of(rows.filter(known)), notices=())


def first_unjudged_relevant(places: Places, count: int, top: float, depth: int) -> AlignedRankings:
    """Each list beside a gold of its own, in which its first unjudged items have the highest grade."""
    gold, systems, cases = places.aligned.gold, len(places.aligned.systems), places.cases
    judged = gold.judged.filter(pl.col(GRADE) >= 0)
    copies = pl.concat(
        [judged.with_columns((pl.col(CASE).cast(pl.Int32) + system * cases).cast(pl.Int32)) for system in range(systems)]
    )
    open_ones = np.flatnonzero(~places.judged & (places.rank <= depth))
    lists = places.lists[open_ones]
    by_list = np.lexsort((places.rank[open_ones], lists))
    first = np.searchsorted(lists[by_list], lists[by_list])
    chosen = open_ones[by_list[np.arange(len(by_list)) - first < count]]
    added = places.table(chosen, np.full(len(chosen), top))
    known = np.flatnonzero(places.judged)
    rows = pl.concat([places.table(known, places.grades[places.of_gold[known]]), added]).with_columns(pl.col(LIST).alias(CASE))
    more = added.select(pl.col(LIST).cast(pl.Int32).alias(CASE), ITEM, GRADE)
    return replace(
        places.aligned,
        gold=Judgements.of(
            gold.label,
            [str(number) for number in range(systems * cases)],
            pl.concat([copies.select(CASE, ITEM, GRADE), more]),
        ),
        systems=("all",),
        tags=(None,),
        missing=np.zeros(systems * cases, dtype=np.bool_),
        notices=(),
        rows=JudgedRows.of(rows.drop(NUMBER)),
        full_lists=(),
        words=None,
    )


_COLUMNS = [GRADE, RANK, LIST, NUMBER]
