"""Labelled items: the gold's items with their case, and which of them each row of an output is about."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.align.duplicates import without_duplicates
from plumbline.align.keys import keys, recode
from plumbline.align.missing import MOST_NAMED, missing_case_notices, names_of, no_common_case, with_cases
from plumbline.deferred import deferring, later
from plumbline.errors import BadData, BadUsage, Diagnostic, files, labelling, notices, table, usage
from plumbline.io.table import NestedOrigin
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM, ONLY_CASE, SCORE, TIMES, UNIT, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.policy import Policy
    from plumbline.io.labelled import CodedLabels, Labelled
    from plumbline.io.table import Role, Table


SHOWN: Final = 3
"""How many items of each side show that they have none in common."""
FEW: Final = 8
"""Up to this many labels, comparing the column with each of them is faster than looking each row up."""


@dataclass(frozen=True)
class DistinctLabels:
    """A long column of text or whole numbers whose few distinct labels are looked at one by one."""

    labels: pl.Series

    @cached_property
    def _distinct(self) -> list[str] | list[int]:
        return [label for label in self.labels.unique(maintain_order=True).to_list() if label is not None]

    @property
    def names(self) -> tuple[str, ...]:
        """The distinct labels as text, in order of appearance."""
        return tuple(map(str, self._distinct))

    def flags(self, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Whether the label of each row is wanted; no label is not."""
        chosen = [label for label in self._distinct if wanted(str(label))]
        if len(chosen) > FEW:
            return self.labels.is_in(chosen).fill_null(value=False).to_numpy()
        flags = np.zeros(len(self.labels), dtype=bool)
        for label in chosen:
            same = self.labels == label
            flags |= (same.fill_null(value=False) if same.null_count() else same).to_numpy()
        return flags

    def numbers(self) -> NDArray[np.float64]:
        """The labels as the numbers that they are; no label is not a number."""
        return self.labels.cast(pl.Float64).fill_null(np.nan).to_numpy()

    @property
    def given(self) -> NDArray[np.bool_] | None:
        """Which rows have a label; none if all have."""
        return self.labels.is_not_null().to_numpy() if self.labels.null_count() else None


@deferring("items", "values")
@dataclass(frozen=True)
class GoldItems:
    """Every item that has a label, in the order of the file, with the code of its case."""

    label: str
    cases: list[str]
    case: NDArray[np.int32]
    items: pl.Series
    values: pl.Series
    notices: tuple[Diagnostic, ...]
    classes: tuple[str, ...] = ()
    units: pl.Series | None = None
    """The cluster of each item, where it was read."""
    numbered: bool = False
    """Whether there is one case, whose items are counted from 0."""
    times: NDArray[np.int64] | None = None
    """How many items each of them stands for, where equal items were counted before."""
    labelled: Labelled | None = None
    """The rows as they were read, where items and values are made only if they are asked for."""

    @cached_property
    def codes(self) -> dict[str, int]:
        """The number of each case."""
        return {case: code for code, case in enumerate(self.cases)}

    @property
    def total(self) -> int:
        """How many items there are."""
        return self.count(slice(None))

    def count(self, chosen: slice | NDArray[np.int64]) -> int:
        """How many items some of them stand for."""
        return len(self.case[chosen]) if self.times is None else int(self.times[chosen].sum())

    @property
    def of_grades(self) -> bool:
        """Whether values are grades, not labels."""
        return self.labelled is None and self.values.dtype.is_float()

    def names(self, rows: NDArray[np.int64]) -> list[str]:
        """The items of some rows."""
        if self.labelled is not None:
            return self.labelled.names(rows)
        return self.items.gather(pl.Series(rows)).cast(pl.String).to_list()

    @cached_property
    def distinct(self) -> DistinctLabels | CodedLabels | None:
        """The distinct labels; none where values are grades or sets of labels."""
        if self.labelled is not None:
            return self.labelled.labels
        return DistinctLabels(self.values) if is_one_label(self.values.dtype) else None

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The items with their number, to be joined."""
        numbers = pl.int_range(len(self.case), eager=True).alias("gold")
        return pl.DataFrame([pl.Series(CASE, self.case), self.items.alias(ITEM), numbers])


def is_one_label(kind: pl.DataType) -> bool:
    """Whether a column holds one label a row: text, or whole numbers that stand for text."""
    return kind == pl.String or kind.is_integer()


@deferring("frame")
@dataclass(frozen=True)
class Matched:
    """The rows of an output that are about an item of the gold, and the number of that item."""

    frame: pl.DataFrame
    item: NDArray[np.int64]
    cases: NDArray[np.bool_]
    """Whether the output has a row in each case."""
    notices: tuple[Diagnostic, ...]
    in_gold_order: bool = False
    """Whether the rows are the gold's items, one by one, so that no numbers are needed."""
    labels: CodedLabels | None = None
    """The labels, where the frame is made only if it is asked for."""


def prepare_items(read: Table, policy: Policy, *, several: bool) -> GoldItems:
    """Number the cases and settle repeated labels; `several` labels of one item may stand on several rows."""
    if read.labelled is not None and not several and not read.labelled.repeated:
        return _prepare_labelled(read, read.labelled, policy)
    if read.numbered is not None and not several and not read.numbered[0].null_count():
        return _prepare_numbered(read, read.numbered[0], policy)
    if read.frame[VALUE].null_count() and not several:
        row = read.frame[VALUE].is_null().arg_max() or 0
        raise BadData(labelling.bad_label(read.origin.places([row], "label")[0], "is missing"))
    if read.frame.is_empty():
        raise BadData(files.no_data(read.label))
    known = () if read.settled is None else read.settled.cases
    cases = list(known) or read.frame[CASE].unique(maintain_order=True).cast(pl.String).to_list()
    codes, _ = recode(read.frame[CASE], {name: code for code, name in enumerate(cases)})
    frame, messages = _unique(read.frame.with_columns(pl.Series(CASE, codes)), read, policy, several=several, gold=True)
    empty = [notices.empty_cases(read.label, list(read.empty_cases))] if read.empty_cases else []
    case = frame[CASE].to_numpy()
    units = frame[UNIT] if UNIT in frame.columns else None
    messages = [*read.notices, *empty, *messages]
    times = frame[TIMES].to_numpy() if TIMES in frame.columns else None
    return GoldItems(read.label, cases, case, frame[ITEM], frame[VALUE], tuple(messages), read.classes, units, times=times)


def _prepare_labelled(read: Table, rows: Labelled, policy: Policy) -> GoldItems:
    """Labels without a table, in which no item occurs twice."""
    _refuse_best(policy)
    empty = (notices.empty_cases(read.label, list(read.empty_cases)),) if read.empty_cases else ()
    items, values = later(lambda: read.frame[ITEM]), later(lambda: read.frame[VALUE])
    numbered, remarks = rows.items is None, (*read.notices, *empty)
    return GoldItems(read.label, rows.cases, rows.case, items, values, remarks, read.classes, numbered=numbered, labelled=rows)


def _prepare_numbered(read: Table, values: pl.Series, policy: Policy) -> GoldItems:
    """The gold of an array, in which no item can occur twice."""
    _refuse_best(policy)
    case, items = np.zeros(len(values), dtype=np.int32), later(lambda: read.frame[ITEM])
    return GoldItems(read.label, [ONLY_CASE], case, items, values, read.notices, read.classes, numbered=True)


def gold_of(output: Table) -> Table | None:
    """The gold that this output alone is matched with: where equal items were counted, each has its own."""
    return None if output.settled is None else output.settled.gold


def match(gold: GoldItems, read: Table, policy: Policy, *, several: bool) -> Matched:
    """Find the gold's item for each row; an output in the order of the gold is recognised without a join."""
    if not several and gold.labelled is not None and read.labelled is not None:
        matched = _match_labelled(gold, gold.labelled, read, read.labelled)
        if matched is not None:
            return matched
    if read.numbered is not None and gold.numbered and not several and len(read.numbered[0]) == len(gold.case):
        _refuse_best(policy)
        frame = pl.DataFrame(list(read.numbered))
        return Matched(frame, np.empty(0, dtype=np.int64), np.ones(1, dtype=bool), (), in_gold_order=True)
    codes, extra = recode(read.frame[CASE], gold.codes)
    frame = read.frame.with_columns(pl.Series(CASE, codes))
    alike = read.settled is None and len(frame) == len(gold.case)
    if alike and bool((codes == gold.case).all()) and bool((frame[ITEM] == gold.items).all()):
        listed = gathered(frame) if several else frame
        return Matched(listed, np.empty(0, dtype=np.int64), np.ones(len(gold.cases), dtype=bool), (), in_gold_order=True)
    if extra:
        frame = frame.with_row_index("row").filter(pl.col(CASE) >= 0)
    if extra and frame.is_empty():
        raise BadData(no_common_case(gold.label, gold.cases, read.label, extra))
    frame, messages = _unique(frame, read, policy, several=several, gold=False)
    numbers = frame.join(gold.frame, on=[CASE, ITEM], how="left", maintain_order="left")["gold"]
    known = numbers.is_not_null()
    if not known.any() and len(gold.case):
        raise BadData(_no_common_item(gold, read, frame[ITEM].head(SHOWN).to_list(), frame[CASE].head(SHOWN).to_numpy()))
    if extra:
        messages.append(notices.extra_cases(read.label, extra))
    if not known.all():
        strange = frame.filter(~known)
        cases = [gold.cases[code] for code in strange[CASE].head(MOST_NAMED)]
        count = int(strange[TIMES].sum()) if TIMES in strange.columns else len(strange)
        messages.append(notices.extra_items(read.label, with_cases(names_of(strange[ITEM]), cases, gold.cases), count))
    answered = np.bincount(frame[CASE].to_numpy(), minlength=len(gold.cases)) > 0
    return Matched(frame.filter(known), numbers.drop_nulls().to_numpy(), answered, tuple(messages))


def _match_labelled(gold: GoldItems, of_gold: Labelled, read: Table, rows: Labelled) -> Matched | None:
    """The same without tables; none where an item of the output occurs twice, or only one side is an array."""
    if (rows.items is None) is not gold.numbered or (gold.numbered and len(rows) != len(of_gold)):
        return None
    codes = np.array([gold.codes.get(case, -1) for case in rows.cases], dtype=np.int32)
    extra = [case for case in rows.cases if case not in gold.codes]
    case = rows.case if bool((codes == np.arange(len(codes))).all()) else codes[rows.case]
    if len(case) == len(of_gold) and bool((case == gold.case).all()) and rows.has_same_items(of_gold):
        every = np.ones(len(gold.cases), dtype=bool)
        frame = later(lambda: read.frame.with_columns(pl.Series(CASE, case)))
        return Matched(frame, np.empty(0, dtype=np.int64), every, (), in_gold_order=True, labels=rows.labels)
    kept = np.flatnonzero(case >= 0)
    if len(kept) == 0:
        raise BadData(no_common_case(gold.label, gold.cases, read.label, extra))
    if rows.repeated:
        return None
    numbers = rows.rows_in(of_gold, case)
    known = np.flatnonzero(numbers >= 0)
    if len(known) == 0:
        raise BadData(_no_common_item(gold, read, rows.names(kept[:SHOWN]), case[kept[:SHOWN]]))
    messages = [notices.extra_cases(read.label, extra)] if extra else []
    strange = np.flatnonzero((numbers < 0) & (case >= 0))
    if len(strange):
        first = strange[:MOST_NAMED]
        named = with_cases(rows.names(first), [gold.cases[code] for code in case[first]], gold.cases)
        messages.append(notices.extra_items(read.label, named, len(strange)))
    answered = np.bincount(case[kept], minlength=len(gold.cases)) > 0
    frame = later(lambda: read.frame.with_columns(pl.Series(CASE, case))[known])
    return Matched(frame, numbers[known], answered, tuple(messages), labels=rows.labels.take(known))


def _no_common_item(gold: GoldItems, read: Table, items: list[str], codes: NDArray[np.int32]) -> Diagnostic:
    first = np.arange(min(SHOWN, len(gold.case)))
    of_gold, of_output = (
        with_cases(names, [gold.cases[code] for code in some], gold.cases)
        for names, some in ((gold.names(first), gold.case[first]), (items, codes))
    )
    return table.no_common_item(read.label, gold.label, of_gold, of_output)


def _unique(
    frame: pl.DataFrame, read: Table, policy: Policy, *, several: bool, gold: bool
) -> tuple[pl.DataFrame, list[Diagnostic]]:
    if several:
        return gathered(frame), []
    _refuse_best(policy)
    pair_keys = keys(frame[CASE].to_numpy(), frame[ITEM])
    valued = frame if VALUE in frame.columns else frame.with_columns(pl.lit(None, dtype=pl.String).alias(VALUE))
    role: Role = "gold" if gold else "output"
    kept, messages = without_duplicates(valued, pair_keys, read, role, policy.on_duplicate, what="label")
    return (kept if VALUE in frame.columns else kept.drop(VALUE)), messages


def _refuse_best(policy: Policy) -> None:
    """No label is better than another."""
    if policy.on_duplicate == "best":
        raise BadUsage(usage.bad_option("on_duplicate", "best", ["error", "first", "last"]))


def gathered(frame: pl.DataFrame) -> pl.DataFrame:
    """One row per item with the list of all its labels."""
    listed = frame if isinstance(frame.schema[VALUE], pl.List) else frame.with_columns(pl.concat_list(VALUE))
    labels = pl.col(VALUE).list.drop_nulls().list.unique(maintain_order=True)
    if not frame.select(pl.struct(CASE, ITEM).is_duplicated().any()).item():
        return listed.with_columns(labels)
    further = [pl.col(name).first() for name in frame.columns if name not in {CASE, ITEM, VALUE}]
    return listed.group_by(CASE, ITEM, maintain_order=True).agg(pl.col(VALUE).list.explode(), *further).with_columns(labels)


def answer_notices(
    gold: GoldItems, read: Table, matched: Matched, answered: NDArray[np.bool_], policy: Policy, rule: str
) -> list[Diagnostic]:
    """Cases that the output lacks, then items without an answer in the cases that it has."""
    messages = missing_case_notices(gold.cases, read.label, ~matched.cases, policy)
    open_items = np.flatnonzero(~answered & matched.cases[gold.case])
    if len(open_items):
        first = open_items[:MOST_NAMED]
        names = with_cases(gold.names(first), [gold.cases[code] for code in gold.case[first]], gold.cases)
        if policy.missing_items == "error":
            raise BadData(labelling.missing_items(read.label, names, gold.count(open_items), gold.total))
        messages.append(notices.missing_items(read.label, names, gold.count(open_items), gold.total, rule))
    return messages


def labels_alone(read: Table) -> Table:
    """The table as a classifier's: scores say nothing, but whole numbers in an array or dict are labels."""
    if read.labelled is not None:
        return read
    read = with_numbers_as_labels(read)
    frame = read.frame
    if VALUE not in frame.columns or frame[VALUE].dtype.is_float():
        raise BadData(labelling.no_label(read.label, scores=SCORE in frame.columns or VALUE in frame.columns))
    return replace(read, frame=frame.drop(SCORE)) if SCORE in frame.columns else read


def with_numbers_as_labels(read: Table) -> Table:
    """The table, in which whole numbers of an array or dict are labels."""
    frame = read.frame
    if (
        VALUE not in frame.columns
        and SCORE in frame.columns
        and (read.reader == "array" or isinstance(read.origin, NestedOrigin))
    ):
        integers = frame[SCORE].cast(pl.Int64, strict=False)
        if bool((integers == frame[SCORE]).all()):
            return replace(read, frame=frame.drop(SCORE).with_columns(integers.alias(VALUE)))
    return read
