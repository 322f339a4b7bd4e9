"""Every place of every list beside the gold: which item is there, and whether it was judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from plumbline.align.keys import starts
from plumbline.align.ranking import RELATIONS, AlignedRankings
from plumbline.schema import CASE, GRADE, ITEM, LIST, NUMBER, RANK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.evaluation.evaluation import Evaluation

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Places:
    """A row for each place of each list, system by system, best first."""

    aligned: AlignedRankings
    system: Integers
    case: Integers
    rank: Integers
    of_gold: Integers
    """The gold's row of the item, -1 if it has none."""
    items: pl.Series

    @cached_property
    def judged(self) -> Flags:
        """Whether the item was judged; one that was pooled and not judged was not."""
        grades = np.append(self.grades, -1.0)
        return np.asarray(grades[self.of_gold] >= 0)

    @property
    def grades(self) -> NDArray[np.float64]:
        """The grades of the gold."""
        return self.aligned.gold.judged[GRADE].to_numpy()

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return len(self.aligned.cases)

    @cached_property
    def lists(self) -> Integers:
        """The number of each row's list."""
        return self.system * self.cases + self.case

    @cached_property
    def doc(self) -> Integers:
        """A number for each item of a case: the gold's rows first, then the items that it does not have."""
        doc = self.of_gold.copy()
        unknown = np.flatnonzero(doc < 0)
        pairs = pl.DataFrame({CASE: self.case[unknown], ITEM: self.items.gather(pl.Series(unknown))})
        doc[unknown] = len(self.grades) + pairs.select(pl.struct(CASE, ITEM).rank("dense")).to_series().to_numpy() - 1
        return doc

    @cached_property
    def doc_judged(self) -> Flags:
        """Whether each numbered item was judged."""
        flags = np.zeros(max(int(self.doc.max(initial=-1)) + 1, len(self.grades)), dtype=np.bool_)
        flags[: len(self.grades)] = self.grades >= 0
        return flags

    def best_rank(self, rows: Flags) -> Integers:
        """The best rank of each numbered item among some rows; a number larger than any rank for one that is not there."""
        best = np.full(len(self.doc_judged), np.iinfo(np.int64).max)
        np.minimum.at(best, self.doc[rows], self.rank[rows])
        return best

    def rows(self, kept: Flags) -> pl.DataFrame:
        """The rows of judged items as metrics read them, of some of the gold's rows."""
        chosen = np.flatnonzero(self.of_gold >= 0)
        chosen = chosen[kept[self.of_gold[chosen]]]
        return self.table(chosen, self.grades[self.of_gold[chosen]])

    def table(self, chosen: Integers, grades: NDArray[np.float64]) -> pl.DataFrame:
        """Some places as rows that metrics read, with these grades."""
        return pl.DataFrame(
            [
                pl.Series(CASE, self.case[chosen].astype(np.int32)),
                self.items.gather(pl.Series(chosen)).alias(ITEM),
                pl.Series(GRADE, grades),
                pl.Series(RANK, self.rank[chosen].astype(np.float64)),
                pl.Series(LIST, self.lists[chosen]),
                pl.Series(NUMBER, self.of_gold[chosen]),
            ]
        )


def places_of(evaluation: Evaluation) -> Places:
    """All places of all lists."""
    aligned = cast("AlignedRankings", evaluation.alignment({RELATIONS}, items=True))
    system, case, rank, of_gold, items = [], [], [], [], []
    for number, full in enumerate(aligned.full_lists):
        first = starts(full.case)
        length = np.diff(np.append(first, len(full.case)))
        system.append(np.full(len(full.case), number))
        case.append(full.case.astype(np.int64))
        rank.append(np.arange(len(full.case)) - np.repeat(first, length) + 1)
        of_gold.append(full.judged)
        items.append(cast("pl.Series", full.items).cast(pl.String))
    together = np.concatenate
    return Places(aligned, together(system), together(case), together(rank), together(of_gold), pl.concat(items))
