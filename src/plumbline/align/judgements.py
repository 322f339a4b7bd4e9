"""The gold: cases in the order of the file, judged items, and facts that hold for every system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.duplicates import without_duplicates
from plumbline.align.keys import keys, recode
from plumbline.align.sample import Sample, sample_of
from plumbline.errors import Diagnostic, notices
from plumbline.schema import CASE, GRADE, ITEM, SUBTOPIC, VALUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.policy import Policy
    from plumbline.io.table import Table


_BARE: Final = "bare item"


@dataclass(frozen=True)
class Judgements:
    """Judged items with the code of their case."""

    label: str
    cases: list[str]
    judged: pl.DataFrame
    notices: tuple[Diagnostic, ...]
    subtopics: pl.DataFrame | None = None
    """`case, item, subtopic, grade` of judgements of diversity; the grade of an item is then the highest of its subtopics."""
    sample: Sample | None = None
    """How judged items were drawn, where the gold says it."""

    @cached_property
    def codes(self) -> dict[str, int]:
        """The number of each case."""
        return {case: code for code, case in enumerate(self.cases)}

    @cached_property
    def keys(self) -> pl.Series:
        """The keys of all judged pairs, for quick look-up."""
        return pl.Series(keys(self.judged[CASE].to_numpy(), self.judged[ITEM]))

    @cached_property
    def by_key(self) -> NDArray[np.int64]:
        """The judged pairs in the order of their keys."""
        return np.argsort(self.keys.to_numpy(), kind="stable")

    @cached_property
    def keys_in_order(self) -> NDArray[np.uint64]:
        """The keys, ascending."""
        return self.keys.to_numpy()[self.by_key]

    @cached_property
    def keys_collide(self) -> bool:
        """Whether two judged pairs share a key, which is possible but hardly ever happens."""
        return bool(np.any(self.keys_in_order[1:] == self.keys_in_order[:-1]))

    @cached_property
    def has_foreign_letters(self) -> bool:
        """Whether an item id is not plain ASCII, so that Unicode forms can differ."""
        return bool((self.judged[ITEM].str.len_bytes() != self.judged[ITEM].str.len_chars()).any())

    def counts(self, wanted: pl.Expr) -> NDArray[np.int64]:
        """How many judged items of each case satisfy a condition on the grade."""
        chosen = self.judged.filter(wanted)[CASE].to_numpy()
        return np.bincount(chosen, minlength=len(self.cases))


def prepare_judgements(read: Table, policy: Policy) -> Judgements:
    """Number the cases and settle repeated judgements."""
    names = read.frame[CASE].unique(maintain_order=True).cast(pl.String).to_list()
    cases = names + [name for name in read.empty_cases if name not in set(names)]
    codes, _ = recode(read.frame[CASE], {name: code for code, name in enumerate(cases)})
    frame = read.frame.with_columns(pl.Series(CASE, codes))
    if SUBTOPIC in frame.columns:
        return _with_subtopics(frame, cases, read, policy)
    frame, messages = without_duplicates(frame, keys(codes, frame[ITEM]), read, "gold", policy.on_duplicate)
    judged = frame.rename({VALUE: GRADE})
    notes = (*read.notices, *messages, *_grade_notices(judged, read.label))
    sample = sample_of(judged, judged[CASE].to_numpy(), judged[GRADE].to_numpy(), cases, read.label)
    return Judgements(read.label, cases, judged.select(CASE, ITEM, GRADE), notes, sample=sample)


def _with_subtopics(frame: pl.DataFrame, cases: list[str], read: Table, policy: Policy) -> Judgements:
    """An item may be judged once for each subtopic; the highest of its grades is the grade of metrics that know none."""
    named = frame.with_columns(pl.format("{} (subtopic {})", ITEM, SUBTOPIC).alias(ITEM), pl.col(ITEM).alias(_BARE))
    kept, messages = without_duplicates(named, keys(named[CASE].to_numpy(), named[ITEM]), read, "gold", policy.on_duplicate)
    by_subtopic = kept.select(CASE, pl.col(_BARE).alias(ITEM), pl.col(SUBTOPIC).cast(pl.String), pl.col(VALUE).alias(GRADE))
    judged = by_subtopic.group_by(CASE, ITEM, maintain_order=True).agg(pl.col(GRADE).max())
    if len(judged) < len(by_subtopic):
        messages.append(notices.several_subtopics(read.label, by_subtopic[SUBTOPIC].n_unique()))
    notes = (*read.notices, *messages, *_grade_notices(judged, read.label))
    return Judgements(read.label, cases, judged.select(CASE, ITEM, GRADE), notes, by_subtopic)


def _grade_notices(judged: pl.DataFrame, label: str) -> list[Diagnostic]:
    grade = judged[GRADE]
    fractional = grade.filter(grade != grade.floor())
    negative = int((grade < 0).sum())
    messages = [notices.fractional_grades(label, len(fractional), f"{fractional[0]:g}")] if len(fractional) else []
    return messages + ([notices.negative_grades(label, negative)] if negative else [])
