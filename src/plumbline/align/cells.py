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
    """A partition against a partition."""

    cells: pl.DataFrame
    """`list, cluster, class, n, cluster_size, class_size` of every cluster and class that share an item."""
    clusters: pl.DataFrame
    """`list, cluster, size` of every cluster."""
    classes: pl.DataFrame
    """`list, class, size` of every class."""


class Groups(NamedTuple):
    """Clusterings that overlap: items with equal memberships together."""

    groups: pl.DataFrame
    """`list, group, n`: how many items have the same classes and clusters."""
    in_cluster: pl.DataFrame
    """`list, group, cluster`, a row for each cluster of a group; none for items without any."""
    in_class: pl.DataFrame
    """`list, group, class`, a row for each class of a group."""


def count_cells(lists: Codes, clusters: Members, classes: Members, kept: NDArray[np.bool_] | None) -> Cells:
    """Every item has at most one cluster and one class; `lists` has the list of each item."""
    of_cluster, of_class = (_of_items(members, kept) for members in (clusters, classes))
    cluster, class_ = _compact(of_cluster), _compact(of_class)
    width = int(cluster.max(initial=-1)) + 1
    key = class_ * width
    key += cluster
    if min(cluster.min(initial=0), class_.min(initial=0)) < 0:
        key = key[(cluster >= 0) & (class_ >= 0)]
    found, n = _counted(key, width * (int(class_.max(initial=-1)) + 1))
    at_class, at_cluster = np.divmod(found, max(width, 1))
    cluster_lists, cluster_sizes = _sizes(cluster, lists)
    class_lists, class_sizes = _sizes(class_, lists)
    cells = {
        LIST: class_lists[at_class],
        "cluster": at_cluster,
        "class": at_class,
        "n": n.astype(np.float64),
        "cluster_size": cluster_sizes[at_cluster],
        "class_size": class_sizes[at_class],
    }
    return Cells(
        pl.DataFrame(cells),
        pl.DataFrame({LIST: cluster_lists, "cluster": np.arange(len(cluster_sizes)), "size": cluster_sizes}).filter(
            pl.col("size") > 0
        ),
        pl.DataFrame({LIST: class_lists, "class": np.arange(len(class_sizes)), "size": class_sizes}).filter(pl.col("size") > 0),
    )


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
        found = np.flatnonzero(counts)
        return found, counts[found]
    ordered = np.sort(key)
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def _sizes(code: Codes, lists: Codes) -> tuple[Codes, NDArray[np.float64]]:
    """The list and the size of each cluster."""
    own, of = (code, lists) if code.min(initial=0) >= 0 else (code[code >= 0], lists[code >= 0])
    sizes = np.bincount(own)
    home = np.zeros(len(sizes), dtype=np.int64)
    home[own] = of
    return home, sizes.astype(np.float64)


def count_groups(lists: Codes, clusters: Members, classes: Members, kept: NDArray[np.bool_] | None) -> Groups:
    """Items with the same classes and clusters together; nothing as long as the collection is kept."""
    signed = pl.DataFrame(
        {LIST: lists, NUMBER: np.arange(len(lists)), "classes": _signature(classes), "clusters": _signature(clusters)}
    )
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
