"""Reliability over relatedness: whoever shares a cluster on one side should share one on the other.

Documents that occur once on both sides are counted cell by cell (cluster and class); those that occur several times meet
their partners one by one, documents with the same clusters and classes together.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.align.sides import summed
from plumbline.lazily import pl, sparse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.sides import Side, Sides
    from plumbline.views.weighing import Weighted

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

Sparse = Any
"""A sparse array; scipy ships no types."""
MOST_TOGETHER: Final = 4_000_000
"""Pairs of groups that are looked at together."""


@dataclass(frozen=True)
class Related:
    """For each list the Reliability of its relations, and, if requested, the loss to documents that the other side lacks."""

    value: Numbers
    causes: tuple[Numbers, ...] = ()


def related(sides: Sides, weighted: Weighted, shared: Numbers | None = None, *, causes: bool = False) -> Related:
    """Over the clusters of x, judged by those of g; `weighted` is x's.

    `shared` is what each occurrence gives to each unit of weight in its cluster; all of its weight unless given.
    """
    x, g = sides.x, sides.g
    times_x, times_g = sides.times(x), sides.times(g)
    cluster_weight = summed(x.cluster, weighted.w)
    value = weighted.tail.copy()
    once = (times_x == 1) & (times_g == 1)
    if shared is None:
        shared = np.divide(weighted.w, cluster_weight[x.cluster], out=np.zeros(len(weighted.w)), where=weighted.w > 0)
    cells = _cells(sides, weighted.w, shared, once)
    value += summed(cells.home, cells.w * cells.shared, sides.count)
    several = (times_x > 0) & (times_g > 0) & ~once
    if several.any():
        value += _several(sides, weighted.w, shared, cells, several)
    value[np.bincount(x.lists, minlength=sides.count) == 0] = np.nan
    return Related(value, (_absent(sides, weighted, times_g == 0, cluster_weight),) if causes else ())


@dataclass(frozen=True)
class _Cells:
    """Documents that occur once, by cluster and class: list, both numbers, what they weigh and share out together."""

    home: Integers
    cluster: Integers
    klass: Integers
    w: Numbers
    shared: Numbers


def _cells(sides: Sides, weights: Numbers, shared: Numbers, once: NDArray[np.bool_]) -> _Cells:
    klass = np.full(len(sides.home), -1, dtype=np.int64)
    klass[sides.g.doc] = sides.g.cluster
    mine = once[sides.x.doc]
    cluster = sides.x.cluster[mine]
    classes = klass[sides.x.doc[mine]]
    key = cluster * (int(klass.max(initial=0)) + 1) + classes
    keys, first, cell = np.unique(key, return_index=True, return_inverse=True)
    together, given = (summed(cell, values[mine], len(keys)) for values in (weights, shared))
    return _Cells(sides.x.lists[mine][first], cluster[first], classes[first], together, given)


def _absent(sides: Sides, weighted: Weighted, lacking: NDArray[np.bool_], cluster_weight: Numbers) -> Numbers:
    """All relations of documents that the other side lacks, and those of their neighbours with them."""
    gone = summed(sides.x.cluster, weighted.w * lacking[sides.x.doc], len(cluster_weight))
    home = np.zeros(len(cluster_weight), dtype=np.int64)
    home[sides.x.cluster] = sides.x.lists
    share = np.divide(gone, cluster_weight, out=np.zeros(len(gone)), where=cluster_weight > 0)
    return summed(home, gone + (cluster_weight - gone) * share, sides.count)


def _several(sides: Sides, w: Numbers, shared: Numbers, cells: _Cells, several: NDArray[np.bool_]) -> Numbers:
    """Relations with at least one document that occurs several times; those with one that occurs once count in both ways."""
    group = _grouped(sides, several)
    first = int(group.max()) + 1
    members = _matrix(group, sides.x, None, cells.cluster, first)
    weights = _matrix(group, sides.x, w, cells.cluster, first, cells.w)
    given = _matrix(group, sides.x, shared, cells.cluster, first, cells.shared)
    classes = _matrix(group, sides.g, None, cells.klass, first)
    back = _matrix(group, sides.x, np.zeros_like(shared), cells.cluster, first, cells.shared)
    one_way, both_ways = sparse.hstack((given, weights)).tocsr(), sparse.hstack((weights, back)).tocsr()
    home = np.zeros(first, dtype=np.int64)
    home[group[several]] = sides.home[several]
    rightly_met = np.zeros(first)
    for rows in _blocks(members, first):
        met = (members[rows] @ members.T).tocsr()
        rightly = met.minimum(classes[rows] @ classes.T)
        met.data = 1.0 / met.data
        rightly_met[rows] = rightly.multiply(met).multiply(one_way[rows] @ both_ways.T).sum(axis=1)
    return summed(home, rightly_met, sides.count)


def _grouped(sides: Sides, several: NDArray[np.bool_]) -> Integers:
    """A number for each document that occurs several times, the same for documents with the same clusters and classes."""
    signed = pl.DataFrame({"doc": np.flatnonzero(several)})
    for name, side in (("clusters", sides.x), ("classes", sides.g)):
        mine = several[side.doc]
        rows = pl.DataFrame({"doc": side.doc[mine], name: side.cluster[mine]}).sort("doc", name)
        sets = rows.group_by("doc", maintain_order=True).agg(pl.col(name).cast(pl.String).str.join(" "))
        signed = signed.join(sets, on="doc", how="left", maintain_order="left")
    numbers = signed.select(pl.struct("clusters", "classes").rank("dense") - 1).to_series().to_numpy()
    group = np.full(len(several), -1, dtype=np.int64)
    group[signed["doc"].to_numpy()] = numbers
    return group


def _matrix(
    group: Integers, side: Side, weights: Numbers | None, of_cells: Integers, first: int, cell_weights: Numbers | None = None
) -> Sparse:
    """Groups by clusters, then cells: whether one is in the other, or what it weighs there."""
    mine = group[side.doc] >= 0
    rows = np.concatenate((group[side.doc[mine]], first + np.arange(len(of_cells))))
    columns = np.concatenate((side.cluster[mine], of_cells))
    weights_of_groups = np.ones(int(mine.sum())) if weights is None else weights[mine]
    rest = np.ones(len(of_cells)) if cell_weights is None else cell_weights
    made = sparse.csr_array(
        (np.concatenate((weights_of_groups, rest)), (rows, columns)),
        shape=(first + len(of_cells), max(int(side.cluster.max(initial=-1)), int(of_cells.max(initial=-1))) + 1),
    )
    made.sum_duplicates()
    if weights is None:
        made.data[:] = 1.0
    return made


def _blocks(members: Sparse, rows: int) -> Iterator[slice]:
    """Rows that meet so many groups together that they fit into memory."""
    met = np.asarray(members[:rows] @ (members.T @ np.ones(members.shape[0])))
    block = np.floor_divide(np.cumsum(met), MOST_TOGETHER).astype(np.int64)
    cuts = np.append(np.flatnonzero(np.diff(block, prepend=-1)), rows)
    return (slice(start, stop) for start, stop in pairwise(cuts.tolist()))
