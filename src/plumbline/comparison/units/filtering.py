"""Filters: an item is one of the four counts, answered or left open, and has a score where a metric reads scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.align.filtering import CELLS, OPEN_CELLS
from plumbline.comparison.units.outcomes import Outcomes
from plumbline.compute.computed import combined
from plumbline.compute.filtering import values_of
from plumbline.schema import LIST, SCORE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.filtering import AlignedFilters
    from plumbline.comparison.units.outcomes import Lists
    from plumbline.metrics.measure import Measure

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

_CELLS = len(CELLS)
_NOTHING = pl.DataFrame()


def filter_outcomes(aligned: AlignedFilters, measures: list[Measure]) -> list[Outcomes]:
    """Measures of counts, whose few codes allow exact tests, apart from those that read scores."""
    by_score = [measure for measure in measures if any(part.metric.needs == "scores" for part in measure.parts)]
    by_count = [measure for measure in measures if measure not in by_score]
    cells = np.stack([_cells(aligned, system) for system in range(len(aligned.systems))])
    case, stratum = aligned.gold.case.astype(np.int64), aligned.positive.astype(np.int64)
    made = []
    if by_count:
        made.append(Outcomes(by_count, case, stratum, cells, _of_counts))
    if by_score:
        scores = np.stack([answers.scores for answers in aligned.answers])
        kinds, codes = np.unique(np.stack([-scores.ravel(), cells.ravel()]), axis=1, return_inverse=True)
        scorer = _Scorer(-kinds[0], kinds[1].astype(np.int64))
        made.append(Outcomes(by_score, case, stratum, codes.reshape(cells.shape).astype(np.int64), scorer))
    return made


def _cells(aligned: AlignedFilters, system: int) -> Integers:
    """Which of the four counts each item belongs to, plus four where it is left open."""
    answers = aligned.answers[system]
    cell = aligned.positive * 2 + answers.yes.astype(np.int64)
    return cell if answers.open is None else cell + _CELLS * answers.open


def _counts(lists: Sequence[Lists], cells: Integers | None = None) -> pl.DataFrame:
    """The counts of all lists; `cells` has the cell of each code, if codes are not cells themselves."""
    parts = []
    for one in lists:
        cell = one.codes if cells is None else cells[one.codes]
        has = np.zeros((len(cell), 2 * _CELLS))
        has[np.arange(len(cell)), cell % _CELLS] = 1.0
        has[np.arange(len(cell)), cell] = 1.0
        parts.append(one.counts @ has)
    columns = np.concatenate(parts).T
    return pl.DataFrame({LIST: np.arange(columns.shape[1]), **dict(zip((*CELLS, *OPEN_CELLS), columns, strict=True))})


def _of_counts(lists: Sequence[Lists], measures: list[Measure]) -> pl.DataFrame:
    return combined(values_of(_counts(lists), _NOTHING, measures), measures)


class _Scorer:
    """Knows the score and the cell of each code; codes are in the order of scores, highest first."""

    def __init__(self, scores: Numbers, cells: Integers) -> None:
        self.scores, self.cells = scores, cells

    def __call__(self, lists: Sequence[Lists], measures: list[Measure]) -> pl.DataFrame:
        """Scores with the positive and negative items that have them, as the computation of filters takes them."""
        parts, first = [], 0
        for one in lists:
            parts.append(self._scored(one, first))
            first += len(one.counts)
        return combined(values_of(_counts(lists, self.cells), pl.concat(parts), measures), measures)

    def _scored(self, one: Lists, first: int) -> pl.DataFrame:
        scores = self.scores[one.codes]
        starts = np.flatnonzero(np.concatenate(([True], scores[1:] != scores[:-1])))
        is_positive = self.cells[one.codes] % _CELLS >= 2  # noqa: PLR2004 - the third and fourth of the cells
        items, positives = one.counts, one.counts * is_positive
        if len(starts) < len(scores):
            items, positives = (np.add.reduceat(counts, starts, axis=1) for counts in (items, positives))
        present = items > 0
        rows = np.flatnonzero(present)
        of_list = np.count_nonzero(present, axis=1)
        columns = {LIST: np.repeat(np.arange(first, first + len(items)), of_list), SCORE: scores[starts][rows % len(starts)]}
        for side, total, counts in (("positives", "P", positives), ("negatives", "N", items - positives)):
            accepted = counts.cumsum(axis=1)
            columns[side], columns[f"accepted_{side}"] = counts.ravel()[rows], accepted.ravel()[rows]
            columns[total] = np.repeat(accepted[:, -1], of_list)
        return pl.DataFrame(columns)
