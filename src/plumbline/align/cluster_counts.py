"""Counts of clusterings: cells of clusters and classes, or groups of items with equal memberships where something overlaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl

from plumbline.schema import LIST, NUMBER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.memberships import Members

    Codes = NDArray[np.int64]

GROUP: Final = "group"
"""Items with the same classes and clusters."""
FEW_CELLS: Final = 2**22
"""Up to this many possible cells are counted in a table; of more, the ones that occur are found by sorting."""


class Cells(NamedTuple):
    """The numbers of items that clusters and classes share."""

    cells: pl.DataFrame
    """`list, cluster, class, n, cluster_size, class_size, cluster_best` of every cluster and class that share an item;
    those of a class are beside each other."""
    clusters: pl.DataFrame
    """`list, cluster, size, best` of every cluster: its items, and the most that it shares with a class."""
    classes: pl.DataFrame
    """`list, class, size, best` of every class."""


class Groups(NamedTuple):
    """Clusterings that overlap: items with equal memberships together."""

    groups: pl.DataFrame
    """`list, group, n`: how many items have the same classes and clusters."""
    in_cluster: pl.DataFrame
    """`list, group, cluster`, a row for each cluster of a group; none for items without any."""
    in_class: pl.DataFrame
    """`list, group, class`, a row for each class of a group."""


def count_cells(
    case: NDArray[np.int32], first: int, clusters: Members, classes: Members, kept: NDArray[np.bool_] | None
) -> Cells:
    """Every item has at most one cluster and one class, and a case; `first` is the list of case 0."""
    cluster, class_ = (_compact(_of_items(members, kept)) for members in (clusters, classes))
    width, height = (int(code.max(initial=-1)) + 2 for code in (cluster, class_))  # one more for no cluster, no class
    at_cluster, at_class, n = _shared(cluster, class_, width, height)
    both = (at_class >= 0) & (at_cluster >= 0)
    of_clusters = _Side.of(at_cluster, n, both, _lists(cluster, case, width, first))
    of_classes = _Side.of(at_class, n, both, _lists(class_, case, height, first))
    at_class, at_cluster = at_class[both], at_cluster[both]
    cells = {
        LIST: of_classes.lists[at_class],
        "cluster": at_cluster,
        "class": at_class,
        "n": n[both],
        "cluster_size": of_clusters.size[at_cluster],
        "class_size": of_classes.size[at_class],
        "cluster_best": of_clusters.best[at_cluster],
    }
    return Cells(pl.DataFrame(cells), of_clusters.table("cluster"), of_classes.table("class"))


def _shared(cluster: Codes, class_: Codes, width: int, height: int) -> tuple[Codes, Codes, NDArray[np.float64]]:
    """The cluster, the class and the items of each cell, -1 for no cluster and for no class."""
    key = class_ * width
    key += cluster
    key += width + 1
    keys, n = _counted(key, width * height)
    at_class, at_cluster = np.divmod(keys, width)
    return at_cluster - 1, at_class - 1, n.astype(np.float64)


class _Side(NamedTuple):
    """The list and the size of each cluster, and the most items that it shares with a class; the last is none."""

    lists: Codes
    size: NDArray[np.float64]
    best: NDArray[np.float64]

    @classmethod
    def of(cls, at: Codes, n: NDArray[np.float64], both: NDArray[np.bool_], lists: Codes) -> _Side:
        """From the cluster of each cell and its items, which in some cells have no class."""
        size, best = np.zeros(len(lists)), np.zeros(len(lists))
        np.add.at(size, at, n)
        np.maximum.at(best, at[both], n[both])
        return cls(lists, size, best)

    def table(self, name: str) -> pl.DataFrame:
        """A row for each cluster that has an item."""
        used = np.flatnonzero(self.size[:-1])
        return pl.DataFrame({LIST: self.lists[used], name: used, "size": self.size[used], "best": self.best[used]})


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


def _counted(key: Codes, possible: int) -> tuple[Codes, Codes]:
    """The distinct keys and how often each occurs."""
    if possible <= max(FEW_CELLS, 2 * len(key)):
        counts = np.bincount(key, minlength=possible)
        distinct = np.flatnonzero(counts > 0)
        return distinct, counts[distinct]
    ordered = np.sort(key)
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def count_groups(lists: Codes, clusters: Members, classes: Members, kept: NDArray[np.bool_] | None) -> Groups:
    """Count items with the same classes and clusters together; no array as long as the collection is kept."""
    signatures = {"classes": _signature(classes), "clusters": _signature(clusters)}
    signed = pl.DataFrame({LIST: lists, **signatures}).with_row_index(NUMBER)
    if kept is not None:
        signed = signed.filter(pl.Series(kept))
    groups = signed.group_by(LIST, "classes", "clusters", maintain_order=True).agg(
        pl.len().cast(pl.Float64).alias("n"), pl.col(NUMBER).first()
    )
    groups = groups.with_row_index(GROUP).cast({GROUP: pl.Int64})
    return Groups(
        groups.select(LIST, GROUP, "n"), _memberships(groups, clusters, "cluster"), _memberships(groups, classes, "class")
    )


def _memberships(groups: pl.DataFrame, members: Members, name: str) -> pl.DataFrame:
    pairs = pl.DataFrame({NUMBER: members.number, name: members.codes})
    return groups.join(pairs, on=NUMBER, how="inner", maintain_order="left").select(LIST, GROUP, name)


def cells_of(overlaps: Groups) -> Cells:
    """The tables of cells for clusterings that overlap: an item counts in each of its cells."""
    both = overlaps.in_cluster.join(overlaps.in_class, on=[LIST, GROUP]).join(overlaps.groups, on=[LIST, GROUP])
    cells = both.group_by(LIST, "cluster", "class", maintain_order=True).agg(pl.col("n").sum()).sort(LIST, "class", "cluster")
    clusters = _sized(overlaps, overlaps.in_cluster, cells, "cluster")
    classes = _sized(overlaps, overlaps.in_class, cells, "class")
    of_cluster = clusters.rename({"size": "cluster_size", "best": "cluster_best"})
    of_class = classes.select(LIST, "class", pl.col("size").alias("class_size"))
    complete = cells.join(of_cluster, on=[LIST, "cluster"], maintain_order="left").join(
        of_class, on=[LIST, "class"], maintain_order="left"
    )
    return Cells(complete.select(NO_CELLS.cells.columns), clusters, classes)


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


_SIDE: Final = {"size": pl.Float64, "best": pl.Float64}
NO_CELLS: Final = Cells(
    pl.DataFrame(
        schema={
            **dict.fromkeys((LIST, "cluster", "class"), pl.Int64),
            **dict.fromkeys(("n", "cluster_size", "class_size", "cluster_best"), pl.Float64),
        }
    ),
    pl.DataFrame(schema={LIST: pl.Int64, "cluster": pl.Int64, **_SIDE}),
    pl.DataFrame(schema={LIST: pl.Int64, "class": pl.Int64, **_SIDE}),
)
NO_GROUPS: Final = Groups(
    pl.DataFrame(schema={LIST: pl.Int64, GROUP: pl.Int64, "n": pl.Float64}),
    pl.DataFrame(schema={LIST: pl.Int64, GROUP: pl.Int64, "cluster": pl.Int64}),
    pl.DataFrame(schema={LIST: pl.Int64, GROUP: pl.Int64, "class": pl.Int64}),
)
