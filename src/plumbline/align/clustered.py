"""Every clustering reduced to what metrics need: sizes of clusters and classes, and what they share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl

from plumbline.align.cells import NO_CELLS, NO_GROUPS, Cells, Groups, count_cells, count_groups
from plumbline.align.keys import rows_of_cases
from plumbline.align.memberships import GoldClasses, Members, read_members
from plumbline.schema import CASE, ITEM, LABEL, NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.align.placed import Placed
    from plumbline.align.policy import Policy
    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table

_ROW = "row"


@dataclass(frozen=True)
class Clustered:
    """All clusterings against one gold."""

    task: ClassVar[Literal["clustering"]] = "clustering"
    gold: GoldClasses
    systems: tuple[str, ...]
    tags: tuple[str | None, ...]
    partitions: Cells
    """The lists in which nothing overlaps."""
    overlaps: Groups
    """The lists of systems in which something does."""
    items: NDArray[np.int64]
    """How many items each list has."""
    overlapping: NDArray[np.bool_]
    """Whether a list is counted by groups."""
    witnesses: tuple[tuple[str, str], ...]
    """For each system, the place of an item in several clusters or classes and a sentence that names it, or two empty texts."""
    missing: NDArray[np.bool_]
    policy: Policy
    notices: tuple[Diagnostic, ...]
    memberships: tuple[Members, ...] = ()
    """Of each system; kept only where asked for."""
    placed: Placed | None = None
    """What is known about the items themselves, where it was given."""

    @property
    def cases(self) -> list[str]:
        """Cases in the order of the gold."""
        return self.gold.cases


def align_clusters(
    gold: GoldClasses, outputs: Iterable[tuple[str, Table]], policy: Policy, noise: str | None, *, keep: bool = False
) -> Clustered:
    """Align one system after the other and keep only counts, and all memberships if asked to."""
    names: list[str] = []
    tags: list[str | None] = []
    parts, witnesses, missing, memberships, said = [], [], [], [], list(gold.notices)
    for name, output in outputs:
        read = read_members(gold, output, policy, noise)
        kept = _kept(gold, read.members, read.absent) if policy.rule_for_items("clustering") == "drop" else None
        parts.append(_counted(gold, read.members, kept, len(names) * len(gold.cases)))
        if keep:
            memberships.append(read.members)
        witnesses.append(_witness(gold, read.members, output))
        missing.append(read.absent)
        said += [*output.notices, *read.notices]
        names.append(name)
        tags.append(output.tag)
    cells, groups, items, overlapping = (list(column) for column in zip(*parts, strict=True))
    return Clustered(
        gold,
        tuple(names),
        tuple(tags),
        Cells(*(pl.concat(tables) for tables in zip(*cells, strict=True))),
        Groups(*(pl.concat(tables) for tables in zip(*groups, strict=True))),
        np.concatenate(items),
        np.concatenate(overlapping),
        tuple(witnesses),
        np.concatenate(missing),
        policy,
        tuple(said),
        tuple(memberships),
    )


Counted = tuple[Cells, Groups, "NDArray[np.int64]", "NDArray[np.bool_]"]


def _counted(gold: GoldClasses, members: Members, kept: NDArray[np.bool_] | None, first: int) -> Counted:
    """Counts of one system, by cells or by groups, the number of items of each list, and which way was taken."""
    several = bool(members.overlaps.any() or gold.members.overlaps.any())
    own = gold.case if kept is None else gold.case[kept]
    items = rows_of_cases(own, len(gold.cases))
    flags = np.full(len(gold.cases), several)
    if several:
        lists = gold.case.astype(np.int64) + first
        return NO_CELLS, count_groups(lists, members, gold.members, kept), items, flags
    return count_cells(gold.case, first, members, gold.members, kept), NO_GROUPS, items, flags


def _kept(gold: GoldClasses, members: Members, absent: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Items that the system has, or whose whole case it lacks."""
    there = np.bincount(members.number, minlength=gold.members.items) > 0
    return np.asarray(there | absent[gold.case])


def _witness(gold: GoldClasses, members: Members, read: Table) -> tuple[str, str]:
    """An item in several clusters: where, and which."""
    if members.overlaps.any():
        number = int(np.flatnonzero(members.overlaps)[0])
        rows = members.rows.filter(pl.col(NUMBER) == number)[_ROW].head(2).to_list()
        first, again = read.origin.places(rows, "item")
        where = f"line {first.line}" if first.line else str(first)
        return str(again), f"item {gold.items[ITEM][number]} is in a cluster already ({where})"
    if gold.members.overlaps.any():
        number = int(np.flatnonzero(gold.members.overlaps)[0])
        return gold.label, f"item {gold.items[ITEM][number]} is in several classes"
    return "", ""


def made_of(aligned: Clustered, labels: pl.Series | list[pl.Series]) -> Clustered:
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
        overlaps=groups,
        items=counts,
        overlapping=flags,
        witnesses=(("", ""),),
        missing=none,
        memberships=(members,),
    )
