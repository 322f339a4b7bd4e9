"""Systems scored again with a changed gold, without reading or ranking anything again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.align.judged_rows import JudgedRows
from plumbline.align.judgements import Judgements
from plumbline.evaluation.evaluation import compute
from plumbline.schema import CASE, GRADE, ITEM, LIST, NUMBER, RANK

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def without_groups(places: Places, measures: list[Measure], groups: Sequence[Sequence[int]], removed: list[Integers]) -> Cube:
    """The values of each system if the gold lacked what was removed for its group; NaN for systems of no group.

    Only cases that lose a judgement are computed again: each of them, for each group, is a case of its own, and the members
    of a group are scored side by side.
    """
    known = values(places.aligned, measures)
    result = np.full_like(known, np.nan)
    affected = [np.unique(_case_of_gold(places)[rows]) for rows in removed]
    number = np.full((len(groups), places.cases), -1, dtype=np.int64)
    for group, cases in enumerate(affected):
        number[group, cases] = 0
    number[number == 0] = np.arange(int((number == 0).sum()))
    count = int(number.max(initial=-1)) + 1
    for group, members in enumerate(groups):
        result[:, members] = known[:, members]
        del group
    if not count:
        return result
    made = _side_by_side(places, groups, removed, number, count)
    again = values(made, measures)
    for group, members in enumerate(groups):
        cases = affected[group]
        for place, system in enumerate(members):
            result[:, system, cases] = again[:, place, number[group, cases]]
    return result


def _case_of_gold(places: Places) -> Integers:
    return places.aligned.gold.judged[CASE].to_numpy().astype(np.int64)


def _side_by_side(
    places: Places, groups: Sequence[Sequence[int]], removed: list[Integers], number: Integers, count: int
) -> AlignedRankings:
    """An alignment in which group and case are the case, and the place in the group is the system.

    One more case holds the highest grade, which metrics may look at.
    """
    gold, of_case = places.aligned.gold, _case_of_gold(places)
    cases, most = count + 1, max(map(len, groups))
    golds, rows, shown = [], [], np.zeros(most * cases, dtype=np.int64)
    lengths = places.aligned.shown.reshape(len(places.aligned.systems), places.cases)
    for group, members in enumerate(groups):
        new = number[group]
        kept = new[of_case] >= 0
        kept[removed[group]] = False
        golds.append(_renumbered(gold.judged.filter(pl.Series(kept)), new))
        for place, system in enumerate(members):
            own = slice(*np.searchsorted(places.system, [system, system + 1]))
            of_gold = places.of_gold[own]
            chosen = np.flatnonzero((of_gold >= 0) & kept[of_gold]) + own.start
            table = _renumbered(places.table(chosen, places.grades[places.of_gold[chosen]]), new)
            rows.append(table.with_columns((pl.col(CASE) + place * cases).cast(pl.Int32).alias(LIST)))
            inside = np.flatnonzero(new >= 0)
            shown[place * cases + new[inside]] = lengths[system, inside]
    top = gold.judged.sort(GRADE).tail(1).with_columns(pl.lit(count, dtype=pl.Int32).alias(CASE))
    judged = pl.concat([*golds, top.select(golds[0].columns)])
    return replace(
        places.aligned,
        gold=Judgements.of(gold.label, [str(case) for case in range(cases)], judged),
        systems=tuple(str(place) for place in range(most)),
        tags=(None,) * most,
        missing=np.zeros(most * cases, dtype=np.bool_),
        notices=(),
        rows=JudgedRows.of(pl.concat(rows).drop(NUMBER)),
        shown=shown,
        full_lists=(),
        words=None,
    )


def _renumbered(table: pl.DataFrame, number: Integers) -> pl.DataFrame:
    """A table whose cases have other numbers."""
    return table.with_columns(pl.Series(CASE, number[table[CASE].to_numpy()].astype(np.int32)))


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
