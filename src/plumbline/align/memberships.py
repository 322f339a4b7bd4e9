"""Which item is in which clusters: rows of gold and outputs, repeated rows, items that one side lacks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.align.keys import keys, may_repeat, recode, rows_of_cases
from plumbline.align.missing import MOST_NAMED, missing_case_notices, names_of, no_common_case, with_cases
from plumbline.deferred import deferring, later, replaced
from plumbline.errors import BadData, Diagnostic, clusterings, labelling, notices, table
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM, LABEL, NUMBER, ONLY_CASE, TIMES, VALUE, WEIGHT
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.policy import Policy
    from plumbline.io.labelled import CodedLabels, Labelled
    from plumbline.io.table import Table

NOISE: Final = "-1"
"""The label that clustering libraries give to items outside every cluster."""
ONE_SIDED: Final = "one-sided"
"""The rule by which each side is scored over its items, whatever the other side has."""
COREFERENCE: Final = frozenset({"conll", "conllu"})
"""Readers of files that are scored so unless another rule is chosen, as the scorer of CoNLL does."""
ALONE: Final = "(not clustered)"
"""The cluster of an item that the system lacks."""
_ROW: Final = "row"


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Item, case and label of each row as arrays."""

    number: NDArray[np.int64]
    case: NDArray[np.int32]
    labels: CodedLabels


@deferring("rows")
@dataclass(frozen=True)
class Members:
    """`number, case, label, row`: a row for each item of the gold in a cluster, with the row of the file that says so.

    `weight` is how far the item belongs to the cluster, where that was given.
    """

    rows: pl.DataFrame
    items: int
    """How many items there are: those of the gold, and those that it lacks where they count."""
    added: NDArray[np.int64] | None = None
    """Clusters of items that the system lacks, numbered below 0; 0 for the rows that it has."""
    extra: pl.DataFrame | None = None
    """`case, item, number` of items that the gold lacks and that count all the same; numbers go on after the gold's."""
    kept: NDArray[np.bool_] | None = None
    """Which items count, if not all do."""
    array: pl.Series | None = None
    """The labels of an array, one for each item of one case, where the rows are made only if they are asked for."""
    coded: CodedRows | None = None
    """The same of other labels that need no table."""

    @cached_property
    def number(self) -> NDArray[np.uint32] | NDArray[np.int64]:
        """The item of each row."""
        if self.coded is not None:
            return self.coded.number
        return self.rows[NUMBER].to_numpy() if self.array is None else np.arange(self.items, dtype=np.uint32)

    @cached_property
    def each_once(self) -> bool:
        """Whether the rows are the items in their order."""
        return self.array is not None or (len(self.number) == self.items and bool((self.number[1:] > self.number[:-1]).all()))

    @cached_property
    def overlaps(self) -> NDArray[np.bool_]:
        """Whether each item is in several clusters."""
        if self.each_once:
            return np.zeros(self.items, dtype=np.bool_)
        return np.asarray(np.bincount(self.number, minlength=self.items) > 1)

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The number of the cluster of each row, different for different cases."""
        if self.coded is not None:
            case, code = self.coded.case, self.coded.labels.codes.astype(np.int64)
        else:
            labels = self.rows[LABEL] if self.array is None else self.array
            case = self.rows[CASE].to_numpy() if self.array is None else np.empty(0, dtype=np.int32)
            code = labels.to_numpy().astype(np.int64, copy=False) if labels.dtype.is_integer() else _physical(labels)
        if code.min(initial=0) < 0:
            code = code - code.min()
        if case.any():
            code, within = np.multiply(case, code.max(initial=0) + 1, dtype=np.int64), code
            code += within
        if self.added is not None:
            code = np.where(self.added < 0, code.max(initial=0) - self.added, code)
        return np.asarray(code, dtype=np.int64)


def _physical(labels: pl.Series) -> NDArray[np.int64]:
    """A number for each label, in the order in which they occur; those of polars depend on which thread met a label first."""
    codes = labels.cast(pl.Categorical).to_physical()
    distinct = codes.unique(maintain_order=True).to_numpy()
    number = np.empty(int(distinct.max(initial=0)) + 1, dtype=np.int64)
    number[distinct] = np.arange(len(distinct))
    return np.asarray(number[codes.to_numpy()])


@deferring("read_items")
@dataclass(frozen=True)
class GoldClasses:
    """The items of the gold, and which classes each is in."""

    label: str
    cases: list[str]
    read_items: pl.DataFrame
    """`case, item, number`, a row for each item as it was read."""
    members: Members
    notices: tuple[Diagnostic, ...]
    labelled: Labelled | None = None
    """The rows as they were read, where tables are made only if they are asked for."""

    @cached_property
    def items(self) -> pl.DataFrame:
        """The same with items as text, as which they are named and looked up."""
        return _named(self.read_items)

    def items_with(self, members: Members) -> pl.DataFrame:
        """`case, item, number` of these items and of those that only a system has, where they count."""
        tables = [self.items] if members.extra is None else [self.items, members.extra]
        return pl.concat([table.select(CASE, ITEM, NUMBER) for table in tables], how="vertical_relaxed")

    @cached_property
    def times(self) -> NDArray[np.int64] | None:
        """How many items each of them stands for; none if it is one each."""
        if self.labelled is not None or self.members.array is not None or TIMES not in self.read_items.columns:
            return None
        return self.read_items[TIMES].to_numpy()

    @cached_property
    def case(self) -> NDArray[np.int32]:
        """The case of each item."""
        if self.labelled is not None:
            return self.labelled.case
        if self.members.array is not None:
            return np.zeros(self.members.items, dtype=np.int32)
        return self.read_items[CASE].to_numpy()


def prepare_classes(read: Table) -> GoldClasses:
    """Number the cases and items of the gold."""
    labels = _labels_of_array(read)
    if labels is not None:
        items = later(lambda: _in_one_case(read).select(CASE, ITEM, NUMBER))
        return GoldClasses(read.label, [ONLY_CASE], items, _members_of_array(read, labels), read.notices)
    _check_labels(read)
    cases = read.frame[CASE].unique(maintain_order=True).cast(pl.String).to_list()
    codes, _ = recode(read.frame[CASE], {name: code for code, name in enumerate(cases)})
    frame, messages, partition = _pairs(read.frame.with_columns(pl.Series(CASE, codes)), read)
    if partition:
        rows = frame.with_columns(pl.col(_ROW).alias(NUMBER))
        items = rows.select(CASE, ITEM, NUMBER, *_times(frame))
    else:
        items = frame.select(CASE, ITEM, *_times(frame)).unique([CASE, ITEM], keep="first", maintain_order=True)
        items = items.with_row_index(NUMBER)
        rows = frame.join(items, on=[CASE, ITEM], how="left", maintain_order="left")
    members = Members(_chosen(rows), len(items))
    if read.empty_cases:
        messages.append(notices.empty_cases(read.label, list(read.empty_cases)))
    return GoldClasses(read.label, cases, items, members, (*read.notices, *messages))


def _labels_of_array(read: Table) -> pl.Series | None:
    """The labels of an array in which every item has one; none if it is another table."""
    if read.numbered is None or len(read.numbered) > 1:
        return None
    labels = read.numbered[0]
    plain = labels.name == VALUE and labels.dtype != pl.List and len(labels) > 0 and not labels.null_count()
    return labels if plain and not labels.dtype.is_float() else None


def _members_of_array(read: Table, labels: pl.Series) -> Members:
    return Members(later(lambda: _chosen(_in_one_case(read))), len(labels), array=labels)


def _in_one_case(read: Table) -> pl.DataFrame:
    """The rows of an array, with the number of each."""
    numbers = pl.int_range(read.rows, dtype=pl.UInt32, eager=True)
    zero = pl.lit(0, dtype=pl.Int32)
    return read.frame.with_columns(zero.alias(CASE), numbers.alias(_ROW), numbers.alias(NUMBER))


def _check_labels(read: Table) -> None:
    """Clusters have names; the grades and scores of TREC files are none."""
    if VALUE not in read.frame.columns or read.frame[VALUE].dtype.is_float():
        raise BadData(labelling.no_label(read.label))


def _chosen(rows: pl.DataFrame) -> pl.DataFrame:
    weight = [WEIGHT] if WEIGHT in rows.columns else []
    return rows.select(NUMBER, CASE, pl.col(VALUE).alias(LABEL), _ROW, *weight, *_times(rows)).drop_nulls(LABEL)


def _times(rows: pl.DataFrame) -> list[str]:
    """The column that says how many items a row stands for, if there is one."""
    return [TIMES] if TIMES in rows.columns else []


def _count(rows: pl.DataFrame) -> int:
    """How many items these rows stand for."""
    return int(rows[TIMES].sum()) if TIMES in rows.columns else len(rows)


def _pairs(frame: pl.DataFrame, read: Table) -> tuple[pl.DataFrame, list[Diagnostic], bool]:
    """One row for each item in a cluster, and whether no item has two; a repeated row is ignored with a notice."""
    numbered = frame if _ROW in frame.columns else frame.with_row_index(_ROW)
    if read.settled is not None:
        settled = read.settled
        partition = read.reader == "array" or _is_partition(frame)
        examples = settled.origin.places(sorted(settled.examples)[1:2], "item") if settled.repeated else []
        made = [notices.repeated(read.label, settled.repeated, "row", one, "same cluster") for one in examples]
        return numbered, made, partition
    listed = isinstance(frame.schema[VALUE], pl.List)
    if not listed and (read.reader == "array" or _is_partition(frame)):
        return numbered, [], True
    long = numbered.explode(VALUE) if listed else numbered
    once = long.unique([CASE, ITEM, VALUE], keep="first", maintain_order=True)
    if len(once) == len(long):
        return once, [], False
    row = int(long.filter(pl.struct(CASE, ITEM, VALUE).is_duplicated())[_ROW][1])
    example = read.origin.places([row], "item")[0]
    return once, [notices.repeated(read.label, len(long) - len(once), "row", example, "same cluster")], False


def _is_partition(frame: pl.DataFrame) -> bool:
    """Whether no item has two rows."""
    codes = frame[CASE].to_numpy()
    if not may_repeat(keys(codes, frame[ITEM]), codes):
        return True
    return not frame.select(pl.struct(CASE, ITEM).is_duplicated().any()).item()


def weight_notices(read: Table, *, needed: bool) -> list[Diagnostic]:
    """A notice if there are weights and no metric looks at them.

    Raises:
        BadData: If metrics look at them and one is not above 0.
    """
    if read.labelled is not None or WEIGHT not in read.frame.columns:
        return []
    if not needed:
        return [clusterings.idle_weights(read.label)]
    weights = read.frame[WEIGHT]
    wrong = (~(weights.is_finite() & (weights > 0))).fill_null(value=True).arg_true()
    if len(wrong):
        row = int(wrong[0])
        raise BadData(clusterings.bad_weight(read.origin.places([row], "weight")[0], str(read.frame[ITEM][row])))
    return []


def rule_for_clusters(gold: Table, policy: Policy) -> str:
    """What an item counts as that one side lacks; files of coreference have a default of their own."""
    if policy.missing_items is None and gold.reader in COREFERENCE:
        return ONE_SIDED
    return policy.rule_for_items("clustering")


@dataclass(frozen=True)
class Read:
    """A system's memberships, which cases it lacks, and notices."""

    members: Members
    absent: NDArray[np.bool_]
    notices: list[Diagnostic]


def read_members(gold: GoldClasses, read: Table, policy: Policy, rule: str, noise: str | None) -> Read:
    """The memberships of the gold's items, completed by what the rule says about items that one side lacks."""
    labels = _labels_of_array(read)
    if labels is not None and gold.members.array is not None and len(labels) == gold.members.items and noise is None:
        absent = np.zeros(1, dtype=np.bool_)
        return Read(_members_of_array(read, labels), absent, _noise_notice(labels, read, noise))
    _check_labels(read)
    codes, extra = recode(read.frame[CASE], {case: code for code, case in enumerate(gold.cases)})
    coded = read.frame.with_columns(pl.Series(CASE, codes))
    of_gold = coded.with_row_index(_ROW).filter(pl.col(CASE) >= 0) if extra else coded
    frame, messages, _ = _pairs(of_gold, read)
    in_gold_order, rows = _numbered(gold, frame)
    if extra:
        messages.append(notices.extra_cases(read.label, extra))
    known, invented = rows if in_gold_order else rows.drop_nulls(NUMBER), None
    if known.is_empty():
        if extra and of_gold.is_empty():
            raise BadData(no_common_case(gold.label, gold.cases, read.label, extra))
        own = (gold.items, of_gold.unique([CASE, ITEM], keep="first", maintain_order=True))
        raise BadData(table.no_common_item(read.label, gold.label, *(_with_cases(rows, gold) for rows in own)))
    if len(known) < len(rows):
        strange = rows.filter(pl.col(NUMBER).is_null() & (pl.col(CASE) >= 0))
        once = strange.unique([CASE, ITEM], maintain_order=True)
        if len(once):
            named = _with_cases(once, gold)
            messages.append(notices.extra_items(read.label, named, _count(once), counted=rule == ONE_SIDED))
        if len(once) and rule == ONE_SIDED:
            known, invented = _with_extra(gold, known, strange)
    chosen = _without_noise(_chosen(known), noise)
    messages += _noise_notice(chosen[LABEL], read, noise, chosen[TIMES] if TIMES in chosen.columns else None)
    absent = rows_of_cases(chosen[CASE].to_numpy(), len(gold.cases)) == 0
    if len(chosen) == gold.members.items and in_gold_order:
        return Read(Members(chosen, gold.members.items), absent, messages)
    members, notes = _completed(gold, read, chosen, absent, policy, rule)
    if invented is not None:
        members = replaced(members, items=members.items + len(invented), extra=invented)
    return Read(members, absent, messages + notes)


def _with_extra(gold: GoldClasses, known: pl.DataFrame, strange: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows with those of items that the gold lacks, and these items; their numbers go on after the gold's."""
    first = pl.lit(len(gold.items), dtype=known.schema[NUMBER])
    once = strange.select(CASE, ITEM, *_times(strange)).unique([CASE, ITEM], keep="first", maintain_order=True)
    extra = once.with_row_index(NUMBER).with_columns(pl.col(NUMBER) + first)
    numbers = extra.select(CASE, ITEM, NUMBER)
    rows = strange.drop(NUMBER).join(numbers, on=[CASE, ITEM], how="left", maintain_order="left")
    return pl.concat([known, rows.select(known.columns).cast(known.schema)]), extra


def _with_cases(rows: pl.DataFrame, gold: GoldClasses) -> list[str]:
    """A few items for a message."""
    return with_cases(names_of(rows[ITEM]), [gold.cases[code] for code in rows[CASE].head(MOST_NAMED)], gold.cases)


def _numbered(gold: GoldClasses, frame: pl.DataFrame) -> tuple[bool, pl.DataFrame]:
    """The rows with the number of their item, null if the gold has none; rows in the gold's order need no join."""
    alike = len(frame) == len(gold.read_items) and frame.schema[ITEM] == gold.read_items.schema[ITEM]
    same = alike and bool((frame[CASE].to_numpy() == gold.case).all())
    if same and bool((frame[ITEM] == gold.read_items[ITEM]).all()):
        return True, frame.with_columns(gold.read_items[NUMBER])
    return False, _named(frame).join(gold.items, on=[CASE, ITEM], how="left", maintain_order="left")


def _named(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows whose items are text, also where arrays have numbers."""
    return rows.with_columns(pl.col(ITEM).cast(pl.String))


def _without_noise(rows: pl.DataFrame, noise: str | None) -> pl.DataFrame:
    """Each item with the label of noise becomes a cluster of its own."""
    if noise is None:
        return rows
    text = pl.col(LABEL).cast(pl.String)
    return rows.with_columns(pl.when(text == noise).then(pl.format("{} {}", text, NUMBER)).otherwise(text).alias(LABEL))


def _noise_notice(labels: pl.Series, read: Table, noise: str | None, times: pl.Series | None = None) -> list[Diagnostic]:
    if noise is not None or labels.dtype.is_unsigned_integer():
        return []
    is_noise = labels.to_numpy() == int(NOISE) if labels.dtype.is_integer() else (labels == NOISE).to_numpy()
    count = int(np.count_nonzero(is_noise)) if times is None else int(times.to_numpy()[is_noise].sum())
    return [notices.maybe_noise(read.label, count, NOISE)] if count else []


def _completed(
    gold: GoldClasses, read: Table, rows: pl.DataFrame, absent: NDArray[np.bool_], policy: Policy, rule: str
) -> tuple[Members, list[Diagnostic]]:
    """Items of the gold that the system lacks, as the rule says; a case without any item gets one notice."""
    messages = missing_case_notices(gold.cases, read.label, absent, policy)
    lacking = gold.items.join(rows, on=NUMBER, how="anti", maintain_order="left")
    unanswered = lacking.filter(~pl.Series(absent).gather(lacking[CASE]))
    if len(unanswered):
        facts = (read.label, _with_cases(unanswered, gold), _count(unanswered), _count(gold.items))
        if rule == "error":
            raise BadData(labelling.missing_items(*facts))
        messages.append(notices.missing_items(*facts, task_named("clustering").item_rules[rule]))
    if rule not in {"singleton", "one-cluster"} or lacking.is_empty():
        return Members(rows, len(gold.items)), messages
    clusters = 1 + lacking[NUMBER if rule == "singleton" else CASE].to_numpy().astype(np.int64)
    more = lacking.select(
        NUMBER, CASE, pl.lit(ALONE).alias(LABEL), pl.lit(0, dtype=rows.schema[_ROW]).alias(_ROW), *_times(lacking)
    )
    if WEIGHT in rows.columns:
        more = more.with_columns(pl.lit(1.0).alias(WEIGHT)).select(rows.columns)
    both = pl.concat([rows.with_columns(pl.col(LABEL).cast(pl.String)), more.cast({CASE: rows.schema[CASE]})])
    return Members(both, len(gold.items), np.concatenate([np.zeros(len(rows), dtype=np.int64), -clusters])), messages
