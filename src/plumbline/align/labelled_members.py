"""Clusterings without tables: each item is in one cluster, and rows are arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.align.keys import rows_of_cases
from plumbline.align.memberships import (
    ALONE,
    NOISE,
    ONE_SIDED,
    CodedRows,
    GoldClasses,
    Members,
    Read,
    prepare_classes,
    read_members,
)
from plumbline.align.missing import MOST_NAMED, missing_case_notices, with_cases
from plumbline.deferred import later
from plumbline.errors import notices
from plumbline.io.labelled import CodedLabels
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.policy import Policy
    from plumbline.errors import Diagnostic
    from plumbline.io.labelled import Labelled
    from plumbline.io.table import Table

    Places = NDArray[np.int64]


def labelled_classes(read: Table) -> GoldClasses | None:
    """The gold, if no item of it occurs twice; none if it needs a table."""
    rows = read.labelled
    if rows is None or rows.repeated:
        return None
    coded = CodedRows(np.arange(len(rows)), rows.case, rows.labels)
    empty = (notices.empty_cases(read.label, list(read.empty_cases)),) if read.empty_cases else ()
    members = Members(later(lambda: prepare_classes(read).members.rows), len(rows), coded=coded)
    items = later(lambda: prepare_classes(read).read_items)
    return GoldClasses(read.label, rows.cases, items, members, (*read.notices, *empty), labelled=rows)


def read_labelled(gold: GoldClasses, read: Table, policy: Policy, rule: str) -> Read | None:
    """The memberships of a system; none if it needs a table, or has something to refuse."""
    of_gold, rows = gold.labelled, read.labelled
    if of_gold is None or rows is None or (of_gold.items is None) is not (rows.items is None):
        return None
    number_of = {case: code for code, case in enumerate(gold.cases)}
    codes = np.array([number_of.get(case, -1) for case in rows.cases], dtype=np.int32)
    case = rows.case if bool((codes == np.arange(len(codes))).all()) else codes[rows.case]
    table = later(lambda: read_members(gold, read, policy, rule, None).members.rows)
    if len(case) == len(of_gold) and bool((case == of_gold.case).all()) and rows.has_same_items(of_gold):
        coded = CodedRows(np.arange(len(rows)), case, rows.labels)
        absent = np.zeros(len(gold.cases), dtype=np.bool_)
        return Read(Members(table, len(rows), coded=coded), absent, _noise_notice(rows.labels, read))
    if rule in {ONE_SIDED, "error"} or rows.items is None or rows.repeated:
        return None
    numbers = rows.rows_in(of_gold, case)
    known = np.flatnonzero(numbers >= 0)
    if len(known) == 0:
        return None
    extra = [name for name in rows.cases if name not in number_of]
    messages = [notices.extra_cases(read.label, extra)] if extra else []
    strange = np.flatnonzero((numbers < 0) & (case >= 0))
    if len(strange):
        named = _with_cases(rows, case, strange, gold)
        messages.append(notices.extra_items(read.label, named, len(strange), counted=False))
    matched = CodedRows(numbers[known], case[known], rows.labels.take(known))
    messages += _noise_notice(matched.labels, read)
    absent = rows_of_cases(matched.case, len(gold.cases)) == 0
    lacking = np.flatnonzero(np.bincount(matched.number, minlength=len(of_gold)) == 0)
    messages += missing_case_notices(gold.cases, read.label, absent, policy)
    unanswered = lacking[~absent[of_gold.case[lacking]]]
    if len(unanswered):
        named = _with_cases(of_gold, of_gold.case, unanswered, gold)
        how = task_named("clustering").item_rules[rule]
        messages.append(notices.missing_items(read.label, named, len(unanswered), len(of_gold), how))
    coded, added = _completed(of_gold, matched, lacking, rule)
    return Read(Members(table, len(of_gold), added, coded=coded), absent, messages)


def _completed(gold: Labelled, matched: CodedRows, lacking: Places, rule: str) -> tuple[CodedRows, Places | None]:
    """The rows with those of items that the system lacks, as the rule says, and the clusters of these, numbered below 0."""
    if rule not in {"singleton", "one-cluster"} or len(lacking) == 0:
        return matched, None
    clusters = 1 + (lacking if rule == "singleton" else gold.case[lacking].astype(np.int64))
    names = tuple(dict.fromkeys((*matched.labels.names, ALONE)))
    codes = np.append(matched.labels.codes, np.full(len(lacking), names.index(ALONE), dtype=np.int32))
    number, case = np.append(matched.number, lacking), np.append(matched.case, gold.case[lacking])
    return CodedRows(number, case, CodedLabels(names, codes)), np.append(
        np.zeros(len(matched.number), dtype=np.int64), -clusters
    )


def _with_cases(rows: Labelled, case: NDArray[np.int32], places: Places, gold: GoldClasses) -> list[str]:
    """A few items for a message."""
    first = places[:MOST_NAMED]
    return with_cases(rows.names(first), [gold.cases[code] for code in case[first]], gold.cases)


def _noise_notice(labels: CodedLabels, read: Table) -> list[Diagnostic]:
    """A notice if a label looks like that of items outside every cluster."""
    count = int(np.count_nonzero(labels.flags(NOISE.__eq__))) if NOISE in labels.names else 0
    return [notices.maybe_noise(read.label, count, NOISE)] if count else []
