"""Filters: an item is one of the four counts, answered or left open, and has a score where a metric reads scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.align.filtering import CELLS, OPEN_CELLS
from plumbline.comparison.units.outcomes import Outcomes
from plumbline.compute.computed import combined, finite, singles
from plumbline.compute.filtering import array_values, values_of
from plumbline.schema import LIST, SCORE
from plumbline.views.scored_arrays import ScoredArrays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.filtering import AlignedFilters
    from plumbline.comparison.units.outcomes import Lists
    from plumbline.metrics.measure import Measure, Single

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

_CELLS = len(CELLS)
_POSITIVE = 2
"""The first one of the cells of positive items."""
_NOTHING = pl.DataFrame()
_LISTS = 64
"""So many lists at a time stay in the cache of a processor."""


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
        scorer = FilterScorer(-kinds[0], kinds[1].astype(np.int64))
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


class FilterScorer:
    """Knows the score and the cell of each code; codes are in the order of scores, highest first."""

    def __init__(self, scores: Numbers, cells: Integers) -> None:
        self.scores, self.cells = scores, cells

    def __call__(self, lists: Sequence[Lists], measures: list[Measure]) -> pl.DataFrame:
        """Measures by arrays where their formula allows it; by the ordinary computation of filters otherwise."""
        arrays = self.by_arrays(lists, singles(measures))
        rest = [single for single in singles(measures) if single.name not in arrays]
        count = sum(len(one.counts) for one in lists)
        values = self.by_rows(lists, rest) if rest else pl.DataFrame({LIST: np.arange(count)})
        made = values.with_columns(pl.Series(name, array) for name, array in arrays.items())
        return combined(made.with_columns(finite(pl.col(name)) for name in arrays), measures)

    def by_arrays(self, lists: Sequence[Lists], parts: list[Single]) -> dict[str, Numbers]:
        """The values of those metrics of scores that can be computed so, a few lists at a time."""
        wanted = [single for single in parts if single.metric.needs == "scores"]
        made: dict[str, list[Numbers]] = {single.name: [] for single in wanted}
        for one in lists:
            scores = self.scores[one.codes]
            starts = _starts(scores)
            is_positive = (self.cells[one.codes] % _CELLS >= _POSITIVE).astype(np.float64)[:, None]
            for first in range(0, len(one.counts), _LISTS):
                items = np.ascontiguousarray(one.counts[first : first + _LISTS].T)
                positives = items * is_positive
                if len(starts) < len(scores):
                    items, positives = (np.add.reduceat(counts, starts, axis=0) for counts in (items, positives))
                view = ScoredArrays(scores[starts], positives, items - positives)
                for single in wanted:
                    values = array_values(view, single) if single.name in made else None
                    if values is None:
                        made.pop(single.name, None)
                    else:
                        made[single.name].append(values)
        return {name: np.concatenate(blocks) for name, blocks in made.items()}

    def by_rows(self, lists: Sequence[Lists], parts: list[Single]) -> pl.DataFrame:
        """Scores with the positive and negative items that have them, as the computation of filters takes them."""
        rows, first = [], 0
        for one in lists:
            rows.append(self._scored(one, first))
            first += len(one.counts)
        return values_of(_counts(lists, self.cells), pl.concat(rows), list(parts))

    def _scored(self, one: Lists, first: int) -> pl.DataFrame:
        scores = self.scores[one.codes]
        starts = _starts(scores)
        is_positive = self.cells[one.codes] % _CELLS >= _POSITIVE
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


def _starts(scores: Numbers) -> Integers:
    """Where each distinct score begins."""
    return np.flatnonzero(np.concatenate(([True], scores[1:] != scores[:-1])))
