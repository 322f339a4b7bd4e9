"""Every clustering reduced to what metrics need: sizes of clusters and classes, and what they share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from plumbline.align.alignment import Alignment
from plumbline.align.cluster_counts import NO_COUNTS, Counts, Groups, count_cells, count_groups, joined, no_groups
from plumbline.align.keys import rows_of_cases
from plumbline.align.labelled_members import labelled_classes, read_labelled
from plumbline.align.memberships import (
    ONE_SIDED,
    GoldClasses,
    Members,
    prepare_classes,
    read_members,
    rule_for_clusters,
    weight_notices,
)
from plumbline.deferred import deferring, later, replaced
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM, LABEL, NUMBER, TIMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.align.alignment import AlignOptions
    from plumbline.align.item_features import ItemFeatures
    from plumbline.io.table import Table

FUZZY: Final = "memberships"
"""What metrics need that look at how far items belong to clusters."""
_ROW = "row"


@deferring("overlaps")
@dataclass(frozen=True, kw_only=True)
class AlignedClusters(Alignment):
    """All clusterings against one gold."""

    task: ClassVar[str] = "clustering"
    gold: GoldClasses
    partitions: Counts
    """The lists in which nothing overlaps."""
    overlaps: Groups
    """The lists of systems in which something does."""
    items: NDArray[np.int64]
    """How many items each list has."""
    overlapping: NDArray[np.bool_]
    """Whether a list is counted by groups."""
    witnesses: tuple[tuple[str, str], ...]
    """For each system, the place of an item in several clusters or classes and a sentence that names it, or two empty texts."""
    one_sided: bool = False
    """Whether each side is scored over its items, whatever the other side has."""
    memberships: tuple[Members, ...] = ()
    """Of each system; kept only where items or their features are needed."""
    item_features: ItemFeatures | None = None
    """Features of the items, or distances between them, where they were given."""


def align_clustering(gold_table: Table, outputs: Iterable[tuple[str, Table]], options: AlignOptions) -> AlignedClusters:
    """Align one clustering after the other and keep only counts, and memberships where items are needed."""
    policy, gold = options.policy, labelled_classes(gold_table) or prepare_classes(gold_table)
    rule = rule_for_clusters(gold_table, policy)
    item_features = None
    if options.features is not None or options.distances is not None:
        from plumbline.align.item_features import read_item_features  # noqa: PLC0415 - lazy border: internal criteria only

        item_features = read_item_features(gold, options.features, options.distances, options.max_bytes)
    names: list[str] = []
    tags: list[str | None] = []
    fuzzy = FUZZY in options.needs
    parts, witnesses, missing, memberships = [], [], [], []
    messages = [*gold.notices, *weight_notices(gold_table, needed=fuzzy)]
    for name, output in outputs:
        here = gold if output.settled is None or output.settled.gold is None else prepare_classes(output.settled.gold)
        quickly = read_labelled(here, output, policy, rule) if options.noise is None else None
        read = quickly or read_members(here, output, policy, rule, options.noise)
        kept = _kept(here, read.members, read.absent) if rule == "drop" else None
        parts.append(_counted(here, read.members, kept, len(names) * len(gold.cases)))
        if options.items or fuzzy or item_features is not None:
            memberships.append(read.members if kept is None else replaced(read.members, kept=kept))
        witnesses.append(_witness(here, read.members, output))
        missing.append(read.absent)
        messages += [*output.notices, *read.notices, *weight_notices(output, needed=fuzzy)]
        names.append(name)
        tags.append(output.tag)
    cells, groups, items, overlapping = (list(column) for column in zip(*parts, strict=True))
    return AlignedClusters(
        gold=gold,
        systems=tuple(names),
        tags=tuple(tags),
        missing=np.concatenate(missing),
        policy=policy,
        notices=tuple(messages),
        partitions=joined(cells),
        overlaps=later(lambda: _joined_groups(groups)),
        items=np.concatenate(items),
        overlapping=np.concatenate(overlapping),
        witnesses=tuple(witnesses),
        one_sided=rule == ONE_SIDED,
        memberships=tuple(memberships),
        item_features=item_features,
    )


def _joined_groups(parts: list[Groups | None]) -> Groups:
    """The groups of several systems."""
    groups = [part for part in parts if part is not None] or [no_groups()]
    return groups[0] if len(groups) == 1 else Groups(*(pl.concat(tables) for tables in zip(*groups, strict=True)))


Counted = tuple[Counts, Groups | None, "NDArray[np.int64]", "NDArray[np.bool_]"]


def _counted(gold: GoldClasses, members: Members, kept: NDArray[np.bool_] | None, first: int) -> Counted:
    """Counts of one system, by cells or by groups, the number of items of each list, and which way was taken."""
    several = bool(members.overlaps.any() or gold.members.overlaps.any())
    case, classes, times = gold.case, gold.members, gold.times
    if members.extra is not None:
        case = np.concatenate((case, members.extra[CASE].to_numpy().astype(case.dtype)))
        classes = replaced(classes, items=members.items)
        times = times if times is None else np.concatenate((times, members.extra[TIMES].to_numpy()))
    items = _items_of_cases(case, kept, times, len(gold.cases))
    flags = np.full(len(gold.cases), several)
    if several:
        return NO_COUNTS, count_groups(case.astype(np.int64) + first, members, classes, kept, times), items, flags
    return count_cells(case, first, members, classes, kept, times), None, items, flags


def _items_of_cases(
    case: NDArray[np.int32], kept: NDArray[np.bool_] | None, times: NDArray[np.int64] | None, cases: int
) -> NDArray[np.int64]:
    if times is None:
        return rows_of_cases(case if kept is None else case[kept], cases)
    return np.bincount(case, times if kept is None else times * kept, cases).astype(np.int64)


def _kept(gold: GoldClasses, members: Members, absent: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Items that the system has, or whose whole case it lacks."""
    clustered = np.bincount(members.number, minlength=gold.members.items) > 0
    return np.asarray(clustered | absent[gold.case])


def _witness(gold: GoldClasses, members: Members, read: Table) -> tuple[str, str]:
    """An item in several clusters: where, and which."""
    if members.overlaps.any():
        number = int(np.flatnonzero(members.overlaps)[0])
        rows = members.rows.filter(pl.col(NUMBER) == number)[_ROW].to_list()
        first, again = read.origin.places(read.in_its_order(rows)[:2], "item")
        where = f"line {first.line}" if first.line else str(first)
        return str(again), f"item {gold.items_with(members)[ITEM][number]} is in a cluster already ({where})"
    if gold.members.overlaps.any():
        number = int(np.flatnonzero(gold.members.overlaps)[0])
        return gold.label, f"item {gold.items[ITEM][number]} is in several classes"
    return "", ""


def made_of(aligned: AlignedClusters, labels: pl.Series | list[pl.Series]) -> AlignedClusters:
    """The same gold with one made clustering: a label for each item, or several."""
    columns = [labels] if isinstance(labels, pl.Series) else labels
    items = aligned.gold.items
    rows = pl.concat([items.select(NUMBER, CASE, column.alias(LABEL), pl.lit(0).alias(_ROW)) for column in columns])
    members = Members(rows, len(items))
    cells, groups, counts, flags = _counted(aligned.gold, members, None, 0)
    none = np.zeros(len(aligned.cases), dtype=np.bool_)
    return replace(
        aligned,
        systems=("",),
        partitions=cells,
        overlaps=groups or no_groups(),
        items=counts,
        overlapping=flags,
        witnesses=(("", ""),),
        missing=none,
        memberships=(members,),
    )
