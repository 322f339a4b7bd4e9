"""Which labels mean positive: as told, by well-known words, by grade, by score or by being retrieved."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, Diagnostic, notices, table, usage
from plumbline.schema import SCORE, VALUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.items import GoldItems
    from plumbline.io.table import Table

YES: Final = frozenset({"1", "true", "yes", "y", "t", "positive", "pos", "relevant", "rel", "+1", "+"})
NO: Final = frozenset({"0", "false", "no", "n", "f", "negative", "neg", "irrelevant", "nonrelevant", "-1", "-"})
NOBODY_SURE: Final = 0.5
"""The score from which a probability counts as positive, and at which a filter gives no answer."""


@dataclass(frozen=True)
class Positives:
    """How labels become yes or no: by the words that were given, or by the usual ones."""

    words: tuple[str, ...] | None = None
    level: float = 1.0
    threshold: float | None = None

    def of_gold(self, gold: GoldItems) -> NDArray[np.bool_]:
        """Whether each item of the gold is positive."""
        values = gold.values
        if values.dtype.is_float():
            return np.asarray(values.to_numpy() >= self.level)
        if values.dtype != pl.String:
            raise BadUsage(usage.bad_object("a gold with several labels per item for filtering", "task classification"))
        labels = values.unique(maintain_order=True).to_list()
        if self.words is not None:
            if not set(self.words) & set(labels):
                near = [match for word in self.words for match in get_close_matches(word, labels, n=1)]
                raise BadData(table.no_such_positive(gold.label, list(self.words), labels, near))
        elif not all(label.lower() in YES | NO for label in labels):
            raise BadData(table.which_is_positive(gold.label, labels))
        return self._said(values)

    def _said(self, values: pl.Series) -> NDArray[np.bool_]:
        if self.words is not None:
            return values.is_in(list(self.words)).fill_null(value=False).to_numpy()
        return values.str.to_lowercase().is_in(list(YES)).fill_null(value=False).to_numpy()

    def of_output(self, frame: pl.DataFrame, read: Table) -> tuple[NDArray[np.bool_], list[Diagnostic]]:
        """Whether each row of an output says positive."""
        scores = self.scores(frame)
        if self.threshold is not None and scores is not None:
            return np.asarray(scores >= self.threshold), []
        if VALUE in frame.columns and frame[VALUE].dtype == pl.String:
            return self._said(frame[VALUE]), []
        if VALUE in frame.columns and not frame[VALUE].dtype.is_float():
            raise BadUsage(usage.bad_object(f"{read.label}: several labels per item for filtering", "task classification"))
        if SCORE not in frame.columns or scores is None:
            return np.ones(len(frame), dtype=bool), [notices.retrieved_set(read.label)]
        if len(scores) and (scores.min() < 0 or scores.max() > 1):
            raise BadData(table.needs_threshold(read.label, float(scores.min()), float(scores.max())))
        return np.asarray(scores >= NOBODY_SURE), [notices.default_threshold(read.label, NOBODY_SURE)]

    def scores(self, frame: pl.DataFrame) -> NDArray[np.float64] | None:
        """The scores of an output, if it has any: a column of its own, or the numbers of a TREC run."""
        if SCORE in frame.columns:
            return frame[SCORE].to_numpy()
        if VALUE in frame.columns and frame[VALUE].dtype.is_float():
            return frame[VALUE].to_numpy()
        return None

    def strange(self, gold: GoldItems, frame: pl.DataFrame, label: str) -> list[Diagnostic]:
        """Labels of an output that neither the gold nor the usual words have."""
        if VALUE not in frame.columns or frame[VALUE].dtype != pl.String or gold.values.dtype != pl.String:
            return []
        known = gold.values.unique().to_list()
        found = frame[VALUE].unique(maintain_order=True).drop_nulls().to_list()
        usual = set() if self.words is not None else YES | NO
        odd = [text for text in found if text not in known and text.lower() not in usual and text not in (self.words or ())]
        return unknown_labels(label, odd, known, "not counted as positive")


def unknown_labels(path: str, odd: list[str], known: list[str], rule: str) -> list[Diagnostic]:
    """A notice with the nearest label of the gold for each label that the gold does not have."""
    if not odd:
        return []
    near = [(text, next(iter(get_close_matches(text, known, n=1, cutoff=0.5)), None)) for text in odd[:3]]
    return [notices.unknown_labels(path, len(odd), near, rule)]
