"""The gold: cases in the order of the file, judged items, and facts that hold for every system."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from plumbline.align.duplicates import without_duplicates
from plumbline.align.keys import keys, recode
from plumbline.align.sample import Sample, sample_of
from plumbline.deferred import deferring, later
from plumbline.errors import Diagnostic, notices
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, GRADE, ITEM, SUBTOPIC, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.policy import Policy
    from plumbline.io.listed import Texts
    from plumbline.io.table import Table

T = TypeVar("T")

_BARE: Final = "bare item"


@deferring("texts")
@dataclass(frozen=True, eq=False)
class Judgements:
    """Judged items with the code of their case."""

    label: str
    cases: list[str]
    case: NDArray[np.int32]
    """The case of each judged item."""
    grade: NDArray[np.float64]
    texts: pl.Series | list[str] = field(repr=False)
    """The judged items."""
    notices: tuple[Diagnostic, ...]
    subtopics: pl.DataFrame | None = None
    """`case, item, subtopic, grade` of judgements of diversity; the grade of an item is then the highest of its subtopics."""
    sample: Sample | None = None
    """How judged items were drawn, where the gold says it."""
    least_top_grade: float = 1.0
    """The highest grade of all cases, if these are only some of them."""
    listed: Texts | None = field(default=None, repr=False)
    """The judged items, as the reader in C hands them over."""
    _facts: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        label: str,
        cases: list[str],
        judged: pl.DataFrame,
        notices: tuple[Diagnostic, ...] = (),
        subtopics: pl.DataFrame | None = None,
    ) -> Judgements:
        """From a table `case, item, grade` with the codes of cases."""
        case, grade = judged[CASE].to_numpy().astype(np.int32, copy=False), judged[GRADE].to_numpy()
        return cls(label, cases, case, grade, judged[ITEM], notices, subtopics)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """A fact that holds for every system: worked out when it is first asked for, and kept."""
        if name not in self._facts:
            self._facts[name] = make()
        fact: T = self._facts[name]
        return fact

    @cached_property
    def items(self) -> pl.Series:
        """The judged items as a column."""
        return pl.Series(ITEM, self.texts, dtype=pl.String)

    @cached_property
    def judged(self) -> pl.DataFrame:
        """`case, item, grade` of every judged item."""
        return pl.DataFrame([pl.Series(CASE, self.case), self.items, pl.Series(GRADE, self.grade)])

    @cached_property
    def codes(self) -> dict[str, int]:
        """The number of each case."""
        return {case: code for code, case in enumerate(self.cases)}

    @cached_property
    def rows_of_items(self) -> list[dict[str, int]]:
        """The row of each judged item, case by case."""
        rows: list[dict[str, int]] = [{} for _ in self.cases]
        texts = self.texts if isinstance(self.texts, list) else self.texts.to_list()
        changes = (np.flatnonzero(self.case[1:] != self.case[:-1]) + 1).tolist()
        for start, stop in pairwise([0, *changes, len(texts)] if texts else []):
            some = dict(zip(texts[start:stop], range(start, stop), strict=True))
            code = int(self.case[start])
            rows[code] = {**rows[code], **some} if rows[code] else some
        return rows

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """The keys of all judged pairs, for quick look-up."""
        return keys(self.case, self.items)

    @cached_property
    def by_key(self) -> NDArray[np.int64]:
        """The judged pairs in the order of their keys."""
        return np.argsort(self.keys, kind="stable")

    @cached_property
    def keys_in_order(self) -> NDArray[np.uint64]:
        """The keys, ascending."""
        return self.keys[self.by_key]

    @cached_property
    def keys_collide(self) -> bool:
        """Whether two judged pairs share a key, which is possible but hardly ever happens."""
        return bool(np.any(self.keys_in_order[1:] == self.keys_in_order[:-1]))

    @cached_property
    def has_foreign_letters(self) -> bool:
        """Whether an item id is not plain ASCII, so that Unicode forms can differ."""
        if self.listed is not None and self.listed.plain:
            return False
        if isinstance(self.texts, list):
            return not "".join(self.texts).isascii()
        return bool((self.items.str.len_bytes() != self.items.str.len_chars()).any())

    @cached_property
    def top_grade(self) -> float:
        """The highest grade, at least 1."""
        return float(self.grade.max(initial=self.least_top_grade))

    def counts(self, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many wanted items each case has; there is a flag for each judged item."""
        return np.bincount(self.case[wanted], minlength=len(self.cases))


def prepare_judgements(read: Table, policy: Policy) -> Judgements:
    """Number the cases and settle repeated judgements."""
    if read.listed is not None:
        rows = read.listed
        notes = (*read.notices, *_grade_notices(rows.values, read.label))
        texts: list[str] = later(rows.items.some)
        return Judgements(read.label, list(rows.cases), rows.case, rows.values, texts, notes, listed=rows.items)
    if read.nested is not None:
        known = {name: items for name, items in read.nested.data.items() if items}
        cases = [*known, *read.empty_cases]
        case = np.repeat(np.arange(len(known), dtype=np.int32), [len(items) for items in known.values()])
        grade = read.nested.values
        return Judgements(
            read.label, cases, case, grade, read.nested.items, (*read.notices, *_grade_notices(grade, read.label))
        )
    names = read.frame[CASE].unique(maintain_order=True).cast(pl.String).to_list()
    cases = names + [name for name in read.empty_cases if name not in set(names)]
    codes, _ = recode(read.frame[CASE], {name: code for code, name in enumerate(cases)})
    frame = read.frame.with_columns(pl.Series(CASE, codes))
    if SUBTOPIC in frame.columns:
        return _with_subtopics(frame, cases, read, policy)
    frame, messages = without_duplicates(frame, keys(codes, frame[ITEM]), read, "gold", policy.on_duplicate)
    judged = frame.rename({VALUE: GRADE})
    sample = sample_of(judged, judged[CASE].to_numpy(), judged[GRADE].to_numpy(), cases, read.label)
    return _judgements(judged, cases, read, messages, sample=sample)


def _judgements(
    judged: pl.DataFrame,
    cases: list[str],
    read: Table,
    messages: list[Diagnostic],
    subtopics: pl.DataFrame | None = None,
    sample: Sample | None = None,
) -> Judgements:
    notes = (*read.notices, *messages, *_grade_notices(judged[GRADE].to_numpy(), read.label))
    return replace(Judgements.of(read.label, cases, judged, notes, subtopics), sample=sample)


def _with_subtopics(frame: pl.DataFrame, cases: list[str], read: Table, policy: Policy) -> Judgements:
    """An item may be judged once for each subtopic; the highest of its grades is the grade of metrics that know none."""
    named = frame.with_columns(pl.format("{} (subtopic {})", ITEM, SUBTOPIC).alias(ITEM), pl.col(ITEM).alias(_BARE))
    kept, messages = without_duplicates(named, keys(named[CASE].to_numpy(), named[ITEM]), read, "gold", policy.on_duplicate)
    by_subtopic = kept.select(CASE, pl.col(_BARE).alias(ITEM), pl.col(SUBTOPIC).cast(pl.String), pl.col(VALUE).alias(GRADE))
    judged = by_subtopic.group_by(CASE, ITEM, maintain_order=True).agg(pl.col(GRADE).max())
    if len(judged) < len(by_subtopic):
        messages.append(notices.several_subtopics(read.label, by_subtopic[SUBTOPIC].unique().sort().to_list()))
    return _judgements(judged, cases, read, messages, by_subtopic)


def _grade_notices(grade: NDArray[np.float64], label: str) -> list[Diagnostic]:
    fractional = np.flatnonzero(grade != np.floor(grade))
    negative = int((grade < 0).sum())
    messages = []
    if len(fractional):
        messages.append(notices.fractional_grades(label, len(fractional), float(grade[fractional].min())))
    return messages + ([notices.negative_grades(label, negative)] if negative else [])
