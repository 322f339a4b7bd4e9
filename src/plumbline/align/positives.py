"""Which labels mean positive: by a given list, by well-known words, by grade, by score or by being retrieved."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.align.items import DistinctLabels, is_one_label
from plumbline.errors import BadData, BadUsage, Diagnostic, notices, table, usage
from plumbline.io.columns.text import NO, YES, is_number
from plumbline.schema import SCORE, VALUE

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from plumbline.align.items import GoldItems
    from plumbline.io.table import Table

EVEN_ODDS: Final = 0.5
"""The score from which a probability counts as positive, and at which a filter gives no answer."""


@dataclass(frozen=True)
class Statements:
    """The answers in the rows of an output."""

    yes: NDArray[np.bool_]
    given: NDArray[np.bool_] | None
    """Whether a row gives an answer at all; none where all do."""
    score: NDArray[np.float64] | None
    notices: list[Diagnostic]
    is_set: bool = False
    """Whether the output only names what it accepts, so that nothing is missing."""


@dataclass(frozen=True)
class Positives:
    """How labels become yes or no: by the labels that were given, or by the usual ones."""

    labels: tuple[str, ...] | None = None
    level: float = 1.0
    threshold: float | None = None

    def of_gold(self, gold: GoldItems) -> NDArray[np.bool_]:
        """Whether each item of the gold is positive."""
        if gold.values.dtype.is_float():
            return self._of_grades(gold)
        if gold.distinct is None:
            raise BadUsage(usage.bad_object("a gold with several labels per item for filtering", "task classification"))
        labels = list(gold.distinct.names)
        if self.labels is not None:
            if not set(self.labels) & set(labels):
                near = [match for word in self.labels for match in get_close_matches(word, labels, n=1)]
                raise BadData(table.no_such_positive(gold.label, list(self.labels), labels, near))
        elif not all(label.lower() in YES | NO for label in labels):
            raise BadData(table.which_is_positive(gold.label, labels))
        return gold.distinct.flags(self._is_positive)

    def _of_grades(self, gold: GoldItems) -> NDArray[np.bool_]:
        """By their level, or by the grades that are named."""
        if self.labels is None:
            return np.asarray(gold.values.to_numpy() >= self.level)
        named = gold.values.is_in([float(word) for word in self.labels if is_number(word)])
        if not named.any():
            grades = [f"{grade:g}" for grade in gold.values.unique().sort()]
            raise BadData(table.no_such_positive(gold.label, list(self.labels), grades, []))
        return named.to_numpy()

    def _is_positive(self, word: str) -> bool:
        return word in self.labels if self.labels is not None else word.lower() in YES

    def of_output(self, gold: GoldItems, frame: pl.DataFrame, read: Table) -> Statements:
        """The answer in each row of an output: by its score and a threshold, by its label, or by being listed."""
        scores = _scores(frame)
        value = frame[VALUE] if VALUE in frame.columns else None
        if self.threshold is not None and scores is not None:
            return Statements(np.asarray(scores >= self.threshold), _answered(scores), scores, [])
        if value is not None and is_one_label(value.dtype):
            distinct = DistinctLabels(value)
            given = value.is_not_null().to_numpy() if value.null_count() else None
            return Statements(distinct.flags(self._is_positive), given, scores, self._strange(gold, distinct, read.label))
        if value is not None and not value.dtype.is_float():
            raise BadUsage(usage.bad_object(f"{read.label}: several labels per item for filtering", "task classification"))
        if SCORE not in frame.columns or scores is None:
            return Statements(np.ones(len(frame), dtype=bool), None, scores, [notices.retrieved_set(read.label)], is_set=True)
        given = _answered(scores)
        known = scores if given is None else scores[given]
        if len(known) and (known.min() < 0 or known.max() > 1):
            raise BadData(table.needs_threshold(read.label, float(known.min()), float(known.max())))
        notice = notices.default_threshold(read.label, EVEN_ODDS)
        return Statements(np.asarray(scores >= EVEN_ODDS), given, scores, [notice])

    def _strange(self, gold: GoldItems, distinct: DistinctLabels, label: str) -> list[Diagnostic]:
        """Labels of an output that neither the gold nor the usual words have."""
        if gold.distinct is None:
            return []
        known = list(gold.distinct.names)
        usual = set() if self.labels is not None else YES | NO
        fine = {*known, *(self.labels or ())}
        odd = [text for text in distinct.names if text not in fine and text.lower() not in usual]
        if odd and len(odd) == len(distinct.names):
            raise BadData(table.no_common_label(label, gold.label, known, odd, filtering=True))
        return unknown_labels(label, odd, known, "not counted as positive")


def _scores(frame: pl.DataFrame) -> NDArray[np.float64] | None:
    """The scores of an output, if it has any: a column of its own, or the numbers of a TREC run."""
    if SCORE in frame.columns:
        return frame[SCORE].to_numpy()
    if VALUE in frame.columns and frame[VALUE].dtype.is_float():
        return frame[VALUE].to_numpy()
    return None


def _answered(scores: NDArray[np.float64]) -> NDArray[np.bool_] | None:
    """Which rows have a score; none if all have."""
    given = ~np.isnan(scores)
    return None if given.all() else given


def unknown_labels(path: str, odd: list[str], known: list[str], rule: str) -> list[Diagnostic]:
    """A notice with the nearest label of the gold for each label that the gold does not have."""
    if not odd:
        return []
    near = [(text, next(iter(get_close_matches(text, known, n=1, cutoff=0.5)), None)) for text in odd[:3]]
    return [notices.unknown_labels(path, len(odd), near, rule)]
