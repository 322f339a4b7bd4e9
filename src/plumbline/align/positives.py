"""Which labels mean positive: by a given list, by well-known words, by grade, by score or by being retrieved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.align.items import DistinctLabels, is_one_label
from plumbline.align.label_names import are_foreign, are_numbers, have_fractions, plain_label, respelled
from plumbline.errors import BadData, BadUsage, Diagnostic, labelling, notices, usage
from plumbline.errors.base import nearest
from plumbline.io.columns.text import NO, YES, is_number
from plumbline.records import dataclass
from plumbline.schema import SCORE, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl
    from numpy.typing import NDArray

    from plumbline.align.items import GoldItems, Matched
    from plumbline.io.labelled import CodedLabels
    from plumbline.io.table import Table

LOWEST_POSITIVE: Final = 1.0
"""The grade from which an item is positive, unless another is given."""
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
    undecided: Diagnostic | None = None
    """Why nothing says which scores are positive: then `yes` says nothing."""


@dataclass(frozen=True)
class Positives:
    """How labels become yes or no: by the labels that were given, or by the usual ones."""

    labels: tuple[str, ...] | None = None
    level: float | None = None
    """The grade from which an item is positive, if it was given."""
    threshold: float | None = None
    decides: bool = True
    """Whether answers are wanted; otherwise scores alone will do."""

    def of_gold(self, gold: GoldItems) -> NDArray[np.bool_]:
        """Whether each item of the gold is positive."""
        if gold.of_grades:
            return self._of_grades(gold)
        if gold.distinct is None:
            raise BadUsage(usage.bad_object("a gold with several labels per item for filtering", "task classification"))
        labels = list(gold.distinct.names)
        if self.labels is not None:
            if not self._plain_labels & set(map(plain_label, labels)):
                near = [match for word in self.labels for match in nearest(word, labels, n=1)]
                raise BadData(labelling.no_such_positive(gold.label, list(self.labels), labels, near))
        elif self.level is not None and are_numbers(labels):
            return np.asarray(gold.distinct.numbers() >= self.level)
        elif not all(map(_is_usual, labels)):
            raise BadData(labelling.which_is_positive(gold.label, labels))
        return gold.distinct.flags(self.is_positive)

    def gold_notices(self, gold: GoldItems) -> list[Diagnostic]:
        """Labels that are written in two ways, and a lowest grade that changes nothing."""
        names = [] if gold.distinct is None else list(gold.distinct.names)
        spelled = spelling_notices(gold.label, respelled(names, [name for name in names if plain_label(name) == name]))
        of_grades = gold.of_grades or are_numbers(names)
        if self.level is None or (of_grades and self.labels is None):
            return spelled
        return [*spelled, notices.idle_level(gold.label, named=self.labels is not None)]

    @property
    def _plain_labels(self) -> set[str]:
        return set(map(plain_label, self.labels or ()))

    def _of_grades(self, gold: GoldItems) -> NDArray[np.bool_]:
        """By their level, or by the grades that are named."""
        if self.labels is None:
            return np.asarray(gold.values.to_numpy() >= (LOWEST_POSITIVE if self.level is None else self.level))
        named = gold.values.is_in([float(word) for word in self.labels if is_number(word)])
        if not named.any():
            grades = [f"{grade:g}" for grade in gold.values.unique().sort()]
            raise BadData(labelling.no_such_positive(gold.label, list(self.labels), grades, []))
        return named.to_numpy()

    def is_positive(self, word: str) -> bool:
        """Whether a label means positive."""
        return plain_label(word) in self._plain_labels if self.labels is not None else plain_label(word).lower() in YES

    def of_output(self, gold: GoldItems, matched: Matched, read: Table) -> Statements:
        """The answer in each row of an output: by its score and a threshold, by its label, or by being listed."""
        if matched.labels is not None:
            return self._of_labels(gold, matched.labels, None, read.label)
        frame = matched.frame
        scores = _scores(frame)
        value = frame[VALUE] if VALUE in frame.columns else None
        if value is not None and is_one_label(value.dtype) and (scores is None or self.threshold is None):
            return self._of_labels(gold, DistinctLabels(value), scores, read.label)
        if self.threshold is not None and scores is not None:
            return Statements(np.asarray(scores >= self.threshold), _answered(scores), scores, [])
        if value is not None and not value.dtype.is_float():
            raise BadUsage(usage.bad_object(f"{read.label}: several labels per item for filtering", "task classification"))
        if SCORE not in frame.columns or scores is None:
            return Statements(np.ones(len(frame), dtype=bool), None, scores, [notices.retrieved_set(read.label)], is_set=True)
        return self._of_scores(scores, read.label)

    def _of_labels(
        self, gold: GoldItems, distinct: DistinctLabels | CodedLabels, scores: NDArray[np.float64] | None, label: str
    ) -> Statements:
        """By labels, unless they turn out to be scores."""
        if scores is None and self._are_scores(gold, distinct.names):
            stated = self._of_scores(distinct.numbers(), label)
            known = [] if gold.distinct is None else list(gold.distinct.names)
            return replace(stated, notices=[notices.labels_are_scores(label, known), *stated.notices])
        idle = [] if self.threshold is None else [notices.idle_threshold(label)]
        remarks = [*idle, *self._strange(gold, distinct, label)]
        level = self._level_of_answers(gold, distinct.names)
        is_positive = self.is_positive if level is None else lambda word: float(word) >= level
        return Statements(distinct.flags(is_positive), distinct.given, scores, remarks)

    def _level_of_answers(self, gold: GoldItems, names: tuple[str, ...]) -> float | None:
        """The lowest positive grade, if the labels of an output are grades of the gold, and not only 0 and 1."""
        known = () if gold.distinct is None or self.labels is not None else gold.distinct.names
        if self.level is None or not known or all(map(_is_usual, names)) or not are_numbers([*names, *known]):
            return None
        return None if self._unknown(names, known) else self.level

    def _are_scores(self, gold: GoldItems, names: tuple[str, ...]) -> bool:
        """Whether the labels of an output are scores: numbers, if there is a threshold or the gold has no such labels.

        Beside labels that are no words for yes and no, that holds only where scores are all that is wanted.
        """
        if not are_numbers(names) or self.threshold is not None:
            return are_numbers(names)
        known = () if gold.distinct is None else gold.distinct.names
        strange = self._unknown(names, known)
        is_filter = all(map(_is_usual, known))
        if len(strange) < len(names) and known:
            return is_filter and have_fractions(strange)
        return bool(strange) and (is_filter or not self.decides)

    def _of_scores(self, scores: NDArray[np.float64], label: str) -> Statements:
        """By the threshold; without one, scores between 0 and 1 are probabilities."""
        given = _answered(scores)
        if self.threshold is not None:
            return Statements(np.asarray(scores >= self.threshold), given, scores, [])
        known = scores if given is None else scores[given]
        if len(known) and (known.min() < 0 or known.max() > 1):
            problem = labelling.needs_threshold(label, float(known.min()), float(known.max()))
            if self.decides:
                raise BadData(problem)
            return Statements(np.zeros(len(scores), dtype=bool), given, scores, [], undecided=problem)
        notice = [notices.default_threshold(label, EVEN_ODDS)] if self.decides else []
        return Statements(np.asarray(scores >= EVEN_ODDS), given, scores, notice)

    def _unknown(self, names: Iterable[str], known: Iterable[str]) -> list[str]:
        """Labels that are none of the gold, no positive one, and no usual word for yes or no."""
        plain = {*map(plain_label, known), *self._plain_labels}
        return [name for name in names if plain_label(name) not in plain and not (self.labels is None and _is_usual(name))]

    def _strange(self, gold: GoldItems, distinct: DistinctLabels | CodedLabels, label: str) -> list[Diagnostic]:
        """Labels of an output that neither the gold nor the usual words have."""
        if gold.distinct is None:
            return []
        known = list(gold.distinct.names)
        odd = self._unknown(distinct.names, known)
        if odd and len(odd) == len(distinct.names):
            numbers = are_numbers(odd)
            if are_foreign(odd, known, numbers=numbers):
                raise BadData(labelling.no_common_label(label, gold.label, known, odd, numbers=numbers, filtering=True))
        spelled = spelling_notices(label, respelled(distinct.names, known))
        return [*spelled, *unknown_labels(label, odd, known, "not counted as positive")]


def _is_usual(word: str) -> bool:
    """Whether it is a usual word for yes or no."""
    return plain_label(word).lower() in YES | NO


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


def spelling_notices(path: str, same: dict[str, str]) -> list[Diagnostic]:
    """A notice about labels that are the gold's in another spelling."""
    return [notices.respelled_labels(path, list(same), list(same.values()))] if same else []


def unknown_labels(path: str, odd: list[str], known: list[str], rule: str) -> list[Diagnostic]:
    """A notice with the nearest label of the gold for each label that the gold does not have."""
    if not odd:
        return []
    near = [(text, next(iter(nearest(text, known, n=1, cutoff=0.5)), None)) for text in odd[:3]]
    return [notices.unknown_labels(path, len(odd), near, rule)]
