"""Every clustering reduced to what metrics need: how many items share the same clusters and the same classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.keys import keys, may_repeat, recode
from plumbline.align.policy import Policy
from plumbline.errors import BadData, BadUsage, Diagnostic, notices, table, usage
from plumbline.schema import CASE, ITEM, LIST, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.io.table import Table

NOISE: Final = "-1"
"""The label that clustering libraries give to items outside every cluster."""
ALONE: Final = "(not clustered)"
"""The cluster of an item that the system lacks."""
NUMBER: Final = "number"
"""The number of an item of the gold."""
GROUP: Final = "group"
"""Items with the same classes and clusters."""


@dataclass(frozen=True)
class GoldClasses:
    """The items of the gold, and which classes each is in."""

    label: str
    cases: list[str]
    case: NDArray[np.int32]
    items: pl.DataFrame
    """`case, item, number`, a row for each item."""
    members: pl.DataFrame
    """`number, class, label`, a row for each item in a class."""
    origin: Table
    notices: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Clustered:
    """All clusterings against one gold."""

    gold: GoldClasses
    systems: tuple[str, ...]
    tags: tuple[str | None, ...]
    groups: pl.DataFrame
    """`list, group, n`: how many items have the same classes and clusters."""
    in_cluster: pl.DataFrame
    """`list, group, cluster`, a row for each cluster of a group; none for items without any."""
    in_class: pl.DataFrame
    """`list, group, class`, a row for each class of a group."""
    overlapping: NDArray[np.bool_]
    """Whether an item of the list is in several clusters or classes."""
    witnesses: tuple[str, ...]
    """For each system, a sentence that names an item in several clusters or classes; empty if there is none."""
    missing: NDArray[np.bool_]
    policy: Policy
    notices: tuple[Diagnostic, ...]

    memberships: tuple[pl.DataFrame, ...] = ()
    """`number, label` of every item in a cluster, for each system; kept only where asked for."""

    @property
    def cases(self) -> list[str]:
        """Cases in the order of the gold."""
        return self.gold.cases

    @property
    def overlapping_gold(self) -> NDArray[np.bool_]:
        """Which cases have an item in several classes."""
        found = np.zeros(len(self.cases), dtype=bool)
        several = np.bincount(self.gold.members[NUMBER].to_numpy(), minlength=len(self.gold.items)) > 1
        found[self.gold.case[several]] = True
        return found


def prepare_classes(read: Table) -> GoldClasses:
    """Number the cases, items and classes of the gold."""
    cases = read.frame[CASE].unique(maintain_order=True).cast(pl.String).to_list()
    codes, _ = recode(read.frame[CASE], {name: code for code, name in enumerate(cases)})
    frame, said = _pairs(read.frame.with_columns(pl.Series(CASE, codes)), read)
    numbers = pl.int_range(pl.len()).alias(NUMBER)
    if _is_partition(frame):
        items = frame.select(CASE, ITEM, numbers)
        members = frame.select(numbers, CASE, VALUE)
    else:
        items = frame.select(CASE, ITEM).unique(maintain_order=True).with_columns(numbers)
        members = frame.join(items, on=[CASE, ITEM], how="left", maintain_order="left").select(NUMBER, CASE, VALUE)
    members = members.drop_nulls(VALUE).select(NUMBER, _coded().alias("class"), pl.col(VALUE).alias("label"))
    return GoldClasses(read.label, cases, items[CASE].to_numpy(), items, members, read, (*read.notices, *said))


def _is_partition(frame: pl.DataFrame) -> bool:
    """Whether no item has two rows."""
    codes = frame[CASE].to_numpy()
    if not may_repeat(keys(codes, frame[ITEM]), codes):
        return True
    return not frame.select(pl.struct(CASE, ITEM).is_duplicated().any()).item()


def _coded() -> pl.Expr:
    """A number for each cluster of each case."""
    return pl.col(CASE).cast(pl.Int64) * 2**32 + pl.col(VALUE).cast(pl.Categorical).to_physical().cast(pl.Int64)


def _pairs(frame: pl.DataFrame, read: Table) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """One row for each item in a cluster; a repeated row is ignored with a notice."""
    long = (
        frame.explode(VALUE) if isinstance(frame.schema[VALUE], pl.List) else frame.with_columns(pl.col(VALUE).cast(pl.String))
    )
    numbered = long.with_row_index("row")
    if _is_partition(long):
        return numbered, []
    once = numbered.unique([CASE, ITEM, VALUE], keep="first", maintain_order=True)
    repeated = len(long) - len(once)
    if not repeated:
        return once, []
    row = int(numbered.join(once, on="row", how="anti")["row"][0])
    example = str(read.origin.places([row], "item")[0])
    return once, [notices.repeated(read.label, repeated, "row", example, "same cluster")]


def align_clusters(
    gold: GoldClasses, outputs: Iterable[tuple[str, Table]], policy: Policy, noise: str | None, *, keep: bool = False
) -> Clustered:
    """Align one system after the other and keep only groups of items, and all memberships if asked to."""
    names: list[str] = []
    tags: list[str | None] = []
    parts, overlaps, witnesses, missing, memberships, said = [], [], [], [], [], list(gold.notices)
    for name, read in outputs:
        members, absent, notes = _members(gold, read, policy, noise)
        first = len(names) * len(gold.cases)
        parts.append(_grouped(gold, members, policy, absent, first))
        if keep:
            memberships.append(members.select(NUMBER, "label"))
        several, witness = _overlap(gold, members, read)
        overlaps.append(several)
        witnesses.append(witness)
        missing.append(absent)
        said += [*read.notices, *notes]
        names.append(name)
        tags.append(read.tag)
    groups, in_cluster, in_class = (pl.concat(tables) for tables in zip(*parts, strict=True))
    return Clustered(
        gold,
        tuple(names),
        tuple(tags),
        groups,
        in_cluster,
        in_class,
        np.concatenate(overlaps),
        tuple(witnesses),
        np.concatenate(missing),
        policy,
        tuple(said),
        tuple(memberships),
    )


def _members(
    gold: GoldClasses, read: Table, policy: Policy, noise: str | None
) -> tuple[pl.DataFrame, NDArray[np.bool_], list[Diagnostic]]:
    """`number, cluster, row` of every item of the gold that the system has; which cases it lacks; notices."""
    codes, extra = recode(read.frame[CASE], {case: code for code, case in enumerate(gold.cases)})
    frame, said = _pairs(read.frame.with_columns(pl.Series(CASE, codes)), read)
    known = _numbered(gold, frame)
    strange = known.filter(pl.col(NUMBER).is_null() & (pl.col(CASE) >= 0))[ITEM].unique(maintain_order=True)
    if extra:
        said.append(notices.extra_cases(read.label, extra))
    known = known.drop_nulls(NUMBER)
    if known.is_empty():
        raise BadData(
            table.no_common_item(read.label, gold.label, gold.items[ITEM].head(3).to_list(), frame[ITEM].head(3).to_list())
        )
    if len(strange):
        said.append(notices.extra_items(read.label, strange.to_list()))
    said += _noise_notice(known, read, noise)
    absent = np.bincount(known[CASE].to_numpy(), minlength=len(gold.cases)) == 0
    members = known.select(NUMBER, CASE, VALUE, "row")
    if noise is not None:
        alone = pl.when(pl.col(VALUE) == noise).then(pl.format("{} {}", VALUE, NUMBER)).otherwise(VALUE)
        members = members.with_columns(alone.alias(VALUE))
    members = members.drop_nulls(VALUE).select(NUMBER, _coded().alias("cluster"), "row", pl.col(VALUE).alias("label"))
    members, notes = _completed(gold, read, members, absent, policy)
    return members, absent, said + notes


def _numbered(gold: GoldClasses, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows with the number of their item, null if the gold has none; rows in the gold's order need no join."""
    same = len(frame) == len(gold.items) and bool((frame[CASE].to_numpy() == gold.case).all())
    if same and bool((frame[ITEM] == gold.items[ITEM]).all()):
        return frame.with_columns(gold.items[NUMBER])
    return frame.join(gold.items, on=[CASE, ITEM], how="left", maintain_order="left")


def _noise_notice(known: pl.DataFrame, read: Table, noise: str | None) -> list[Diagnostic]:
    if noise is not None or not (known[VALUE] == NOISE).any():
        return []
    return [notices.maybe_noise(read.label, int((known[VALUE] == NOISE).sum()), NOISE)]


def _completed(
    gold: GoldClasses, read: Table, members: pl.DataFrame, absent: NDArray[np.bool_], policy: Policy
) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """Items of the gold that the system lacks, as the policy says; a case without any item is told of as a whole."""
    rule = missing_rule(policy)
    missing = [gold.cases[code] for code in np.flatnonzero(absent)]
    if missing and policy.missing == "error":
        raise BadData(table.missing_case(read.label, missing, len(gold.cases)))
    said = []
    if missing:
        how = "counted as worst" if policy.missing == "worst" else "left out of its mean"
        said.append(notices.missing_cases(read.label, missing, len(gold.cases), how))
    open_items = gold.items.join(members, on=NUMBER, how="anti", maintain_order="left")
    told = open_items.filter(~pl.Series(absent).gather(open_items[CASE]))
    if len(told):
        if rule == "error":
            raise BadData(table.missing_items(read.label, told[ITEM].head(6).to_list(), len(told), len(gold.items)))
        said.append(notices.missing_items(read.label, told[ITEM].head(6).to_list(), len(told), len(gold.items), _RULES[rule]))
    if rule not in {"singleton", "one-cluster"} or open_items.is_empty():
        return members, said
    own = pl.col(NUMBER) if rule == "singleton" else pl.col(CASE).cast(pl.Int64)
    more = open_items.select(
        NUMBER, (-1 - own).alias("cluster"), pl.lit(0, dtype=members.schema["row"]).alias("row"), pl.lit(ALONE).alias("label")
    )
    return pl.concat([members, more]), said


def missing_rule(policy: Policy) -> str:
    """What becomes of an item of the gold that a system lacks."""
    rule = "singleton" if policy.missing_items == "usual" else policy.missing_items
    if rule not in _RULES:
        raise BadUsage(usage.bad_option("missing_items", rule, list(_RULES)))
    return rule


_RULES: Final = {
    "singleton": "each a cluster of its own",
    "one-cluster": "all in one cluster",
    "drop": "left out of the gold too",
    "absent": "precision 1 and recall 0",
    "error": "",
}


def _grouped(
    gold: GoldClasses, members: pl.DataFrame, policy: Policy, absent: NDArray[np.bool_], first: int
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Items with the same classes and clusters together; nothing as long as the collection is kept."""
    items = gold.items.select(NUMBER, (pl.col(CASE).cast(pl.Int64) + first).alias(LIST))
    if missing_rule(policy) == "drop":
        there = members.select(NUMBER).unique()
        whole = pl.Series(absent).gather(gold.items[CASE])
        items = items.filter(whole | items[NUMBER].is_in(there[NUMBER].implode()))
    classes = _signature(gold.members, "class", len(gold.items))
    clusters = _signature(members, "cluster", len(gold.items))
    signed = items.with_columns(
        pl.Series("classes", classes).gather(items[NUMBER]), pl.Series("clusters", clusters).gather(items[NUMBER])
    )
    groups = signed.group_by(LIST, "classes", "clusters", maintain_order=True).agg(
        pl.len().cast(pl.Float64).alias("n"), pl.col(NUMBER).first()
    )
    groups = groups.with_row_index(GROUP).cast({GROUP: pl.Int64})
    shown = groups.select(LIST, GROUP, NUMBER)
    in_cluster = shown.join(members.select(NUMBER, "cluster"), on=NUMBER, how="inner").select(LIST, GROUP, "cluster")
    in_class = shown.join(gold.members.select(NUMBER, "class"), on=NUMBER, how="inner").select(LIST, GROUP, "class")
    return groups.select(LIST, GROUP, "n"), in_cluster, in_class


def _signature(members: pl.DataFrame, column: str, items: int) -> NDArray[np.int64]:
    """A number for each item such that items with the same set of clusters have the same number; -1 for an empty set."""
    signature = np.full(items, -1, dtype=np.int64)
    numbers = members[NUMBER].to_numpy()
    if np.bincount(numbers, minlength=items).max(initial=0) <= 1:
        signature[numbers] = members[column].to_numpy()
        return signature
    sets = members.sort(NUMBER, column).group_by(NUMBER, maintain_order=True).agg(pl.col(column))
    text = sets[column].list.eval(pl.element().cast(pl.String)).list.join(" ")
    signature[sets[NUMBER].to_numpy()] = text.cast(pl.Categorical).to_physical().cast(pl.Int64).to_numpy()
    return signature


def _overlap(gold: GoldClasses, members: pl.DataFrame, read: Table) -> tuple[NDArray[np.bool_], str]:
    """Which cases have an item in several clusters or classes, and one such item in words."""
    both = (
        np.bincount(frame[NUMBER].to_numpy(), minlength=len(gold.items)) > 1 for frame in (members.select(NUMBER), gold.members)
    )
    of_system, of_gold = both
    several = np.zeros(len(gold.cases), dtype=bool)
    several[gold.case[of_system | of_gold]] = True
    if of_system.any():
        number = int(np.flatnonzero(of_system)[0])
        rows = members.filter(pl.col(NUMBER) == number)["row"].head(2).to_list()
        first, again = read.origin.places(rows, "item")
        return several, f"{again}: item {gold.items[ITEM][number]} is in a cluster already ({_line(first)})"
    if of_gold.any():
        number = int(np.flatnonzero(of_gold)[0])
        return several, f"{gold.label}: item {gold.items[ITEM][number]} is in several classes"
    return several, ""


def _line(place: object) -> str:
    line = getattr(place, "line", None)
    return f"line {line}" if line else str(place)


def made_of(aligned: Clustered, members: pl.DataFrame, *, overlapping: bool) -> Clustered:
    """The same gold with one made clustering of `number, cluster`."""
    none = np.zeros(len(aligned.cases), dtype=bool)
    groups, in_cluster, in_class = _grouped(aligned.gold, members, Policy(), none, 0)
    several = np.full(len(aligned.cases), overlapping) | aligned.overlapping_gold
    return replace(
        aligned,
        systems=("",),
        groups=groups,
        in_cluster=in_cluster,
        in_class=in_class,
        overlapping=several,
        witnesses=("",),
        missing=none,
    )
