"""Counts of clusterings: cells of clusters and classes, or groups of items with equal memberships where something overlaps."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from plumbline.lazily import pl
from plumbline.schema import LIST, NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.memberships import Members

    Codes = NDArray[np.int64]
    Numbers = NDArray[np.float64]

GROUP: Final = "group"
"""Items with the same classes and clusters."""
FEW_CELLS: Final = 2**22
"""Up to this many possible cells are counted in a table; of more, the ones that occur are found by sorting."""


class Cells(NamedTuple):
    """A value for every cluster and class of a list that share an item, class by class; lists are in rising order."""

    lists: Codes
    cluster: Codes
    class_: Codes
    n: Numbers
    """The items that both share."""
    cluster_size: Numbers
    class_size: Numbers
    cluster_best: Numbers
    """The most items that the cluster shares with a class."""


class Sizes(NamedTuple):
    """A value for every cluster, or for every class; lists are in rising order."""

    lists: Codes
    code: Codes
    size: Numbers
    best: Numbers
    """The most items that it shares with one group of the other side."""


class Counts(NamedTuple):
    """The numbers of items that clusters and classes have and share."""

    cells: Cells
    clusters: Sizes
    classes: Sizes


def joined(parts: Sequence[Counts]) -> Counts:
    """The counts of several systems, in the order of their lists."""
    if len(parts) == 1:
        return parts[0]
    cells, clusters, classes = zip(*parts, strict=True)
    return Counts(
        Cells(*_by_list(cells)),
        Sizes(*_by_list(clusters)),
        Sizes(*_by_list(classes)),
    )


def _by_list(tables: Sequence[tuple[NDArray[Any], ...]]) -> list[NDArray[Any]]:
    """The columns of all tables one below the other, by their first column, which names the list."""
    columns = [np.concatenate(parts) for parts in zip(*tables, strict=True)]
    if (columns[0][1:] >= columns[0][:-1]).all():
        return columns
    order = np.argsort(columns[0], kind="stable")
    return [column[order] for column in columns]


class Groups(NamedTuple):
    """Clusterings that overlap: items with equal memberships together."""

    groups: pl.DataFrame
    """`list, group, n`: how many items have the same classes and clusters."""
    in_cluster: pl.DataFrame
    """`list, group, cluster`, a row for each cluster of a group; none for items without any."""
    in_class: pl.DataFrame
    """`list, group, class`, a row for each class of a group."""


def count_cells(
    case: NDArray[np.int32],
    first: int,
    clusters: Members,
    classes: Members,
    kept: NDArray[np.bool_] | None,
    times: Codes | None = None,
) -> Counts:
    """Every item has at most one cluster and one class, and a case; `first` is the list of case 0."""
    cluster, class_ = (_compact(_of_items(members, kept)) for members in (clusters, classes))
    width, height = (int(code.max(initial=-1)) + 2 for code in (cluster, class_))  # one more for no cluster, no class
    at_cluster, at_class, n = _shared(cluster, class_, width, height, times)
    both = (at_class >= 0) & (at_cluster >= 0)
    of_clusters = _Side.of(at_cluster, n, both, _lists(cluster, case, width, first))
    of_classes = _Side.of(at_class, n, both, _lists(class_, case, height, first))
    if not both.all():
        at_class, at_cluster, n = at_class[both], at_cluster[both], n[both]
    cells = Cells(
        of_classes.lists[at_class],
        at_cluster,
        at_class,
        n,
        of_clusters.size[at_cluster],
        of_classes.size[at_class],
        of_clusters.best[at_cluster],
    )
    return Counts(cells, of_clusters.sizes(), of_classes.sizes())


def _shared(cluster: Codes, class_: Codes, width: int, height: int, times: Codes | None) -> tuple[Codes, Codes, Numbers]:
    """The cluster, the class and the items of each cell, -1 for no cluster and for no class."""
    key = class_ * width
    key += cluster
    key += width + 1
    keys, n = counted(key, width * height, times)
    at_class, at_cluster = np.divmod(keys, width)
    return at_cluster - 1, at_class - 1, n.astype(np.float64)


class _Side(NamedTuple):
    """The list and the size of each cluster, and the most items that it shares with a class; the last is none."""

    lists: Codes
    size: Numbers
    best: Numbers

    @classmethod
    def of(cls, at: Codes, n: Numbers, both: NDArray[np.bool_], lists: Codes) -> _Side:
        """From the cluster of each cell and its items, which in some cells have no class."""
        size, best = np.zeros(len(lists)), np.zeros(len(lists))
        np.add.at(size, at, n)
        np.maximum.at(best, at[both], n[both])
        return cls(lists, size, best)

    def sizes(self) -> Sizes:
        """A value for each cluster that has an item."""
        used = np.flatnonzero(self.size[:-1])
        return Sizes(*_by_list([(self.lists[used], used, self.size[used], self.best[used])]))


def _lists(code: Codes, case: NDArray[np.int32], count: int, first: int) -> Codes:
    """The list of each cluster; items in none have -1, which is the last place."""
    home = np.zeros(count, dtype=np.int32)
    home[code] = case
    return home.astype(np.int64) + first


def _of_items(members: Members, kept: NDArray[np.bool_] | None) -> Codes:
    """The cluster of each item, -1 for none."""
    if members.each_once:
        code = members.codes
    else:
        code = np.full(members.items, -1, dtype=np.int64)
        code[members.number] = members.codes
    return code if kept is None else np.where(kept, code, -1)


def _compact(code: Codes) -> Codes:
    """Numbers without large gaps, so that they can number the places of an array."""
    if code.max(initial=0) < max(4 * len(code), FEW_CELLS):
        return code
    distinct, place = np.unique(code, return_inverse=True)
    return place - int(distinct[0] == -1)


def counted(key: Codes, possible: int, times: Codes | None = None) -> tuple[Codes, Codes]:
    """The distinct keys and how often each occurs, where a key may count several times."""
    if possible <= max(FEW_CELLS, 2 * len(key)):
        counts = np.bincount(key, times, possible)
        distinct = np.flatnonzero(counts > 0)
        return distinct, counts[distinct]
    if times is not None:
        order = np.argsort(key, kind="stable")
        starts = np.flatnonzero(np.concatenate(([True], key[order][1:] != key[order][:-1])))
        return key[order][starts], np.add.reduceat(times[order], starts)
    ordered = np.sort(key)
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def count_groups(
    lists: Codes, clusters: Members, classes: Members, kept: NDArray[np.bool_] | None, times: Codes | None = None
) -> Groups:
    """Count items with the same classes and clusters together; no array as long as the collection is kept."""
    signatures = {"classes": _signature(classes), "clusters": _signature(clusters)}
    n = np.ones(len(lists)) if times is None else times.astype(np.float64)
    signed = pl.DataFrame({LIST: lists, **signatures, "n": n}).with_row_index(NUMBER)
    if kept is not None:
        signed = signed.filter(pl.Series(kept))
    groups = signed.group_by(LIST, "classes", "clusters", maintain_order=True).agg(pl.col("n").sum(), pl.col(NUMBER).first())
    groups = groups.with_row_index(GROUP).cast({GROUP: pl.Int64})
    return Groups(
        groups.select(LIST, GROUP, "n"), _memberships(groups, clusters, "cluster"), _memberships(groups, classes, "class")
    )


def _memberships(groups: pl.DataFrame, members: Members, name: str) -> pl.DataFrame:
    pairs = pl.DataFrame({NUMBER: members.number, name: members.codes})
    return groups.join(pairs, on=NUMBER, how="inner", maintain_order="left").select(LIST, GROUP, name)


def counts_of(overlaps: Groups) -> Counts:
    """The same counts of clusterings that overlap: an item counts in each of its cells."""
    both = overlaps.in_cluster.join(overlaps.in_class, on=[LIST, GROUP]).join(overlaps.groups, on=[LIST, GROUP])
    cells = both.group_by(LIST, "cluster", "class", maintain_order=True).agg(pl.col("n").sum()).sort(LIST, "class", "cluster")
    clusters = _sized(overlaps, overlaps.in_cluster, cells, "cluster")
    classes = _sized(overlaps, overlaps.in_class, cells, "class")
    of_cluster = clusters.rename({"size": "cluster_size", "best": "cluster_best"})
    of_class = classes.select(LIST, "class", pl.col("size").alias("class_size"))
    complete = cells.join(of_cluster, on=[LIST, "cluster"], maintain_order="left").join(
        of_class, on=[LIST, "class"], maintain_order="left"
    )
    columns = (LIST, "cluster", "class", "n", "cluster_size", "class_size", "cluster_best")
    return Counts(Cells(*_arrays(complete.select(columns))), Sizes(*_arrays(clusters)), Sizes(*_arrays(classes)))


def _arrays(table: pl.DataFrame) -> list[NDArray[Any]]:
    return [column.to_numpy() for column in table.get_columns()]


def _sized(overlaps: Groups, members: pl.DataFrame, cells: pl.DataFrame, name: str) -> pl.DataFrame:
    """`list, cluster, size, best` of every cluster, or the same of classes."""
    sizes = (
        members.join(overlaps.groups, on=[LIST, GROUP])
        .group_by(LIST, name, maintain_order=True)
        .agg(pl.col("n").sum().alias("size"))
    )
    most = cells.group_by(LIST, name, maintain_order=True).agg(pl.col("n").max().alias("best"))
    return sizes.join(most, on=[LIST, name], how="left").with_columns(pl.col("best").fill_null(0.0)).sort(LIST, name)


def _signature(members: Members) -> Codes:
    """A number for each item such that items with the same set of clusters have the same number; -1 for an empty set."""
    signature = np.full(members.items, -1, dtype=np.int64)
    if not members.overlaps.any():
        signature[members.number] = members.codes
        return signature
    rows = pl.DataFrame({NUMBER: members.number, "code": members.codes}).sort(NUMBER, "code")
    sets = rows.group_by(NUMBER, maintain_order=True).agg(pl.col("code").cast(pl.String).str.join(" "))
    signature[sets[NUMBER].to_numpy()] = sets["code"].cast(pl.Categorical).to_physical().cast(pl.Int64).to_numpy()
    return signature


_NONE: Final = (np.empty(0, dtype=np.int64), np.empty(0))
NO_COUNTS: Final = Counts(
    Cells(*(_NONE[:1] * 3), *(_NONE[1:] * 4)),
    *(Sizes(*(_NONE[:1] * 2), *(_NONE[1:] * 2)),) * 2,
)


@cache
def no_groups() -> Groups:
    """Of lists in which nothing overlaps."""
    columns = ([("n", pl.Float64)], [("cluster", pl.Int64)], [("class", pl.Int64)])
    return Groups(*(pl.DataFrame(schema={LIST: pl.Int64, GROUP: pl.Int64, **dict(more)}) for more in columns))
