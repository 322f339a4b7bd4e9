"""Set matching: each cluster and the class that it shares most with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.lazily import sparse
from plumbline.metrics.clustering.settings import OVERLAPS, PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Share
from plumbline.views.contingency import Contingency, Numbers
from plumbline.views.terms import ratio_values as ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.int64]

NO_CLUSTER = "the output has no cluster there"
ALL_DIFFERENT = "every class has one item, so that singletons are right already"


@metric("Purity", range=(0, 1), paper="zhao2001", **{**OVERLAPS, "undefined": NO_CLUSTER}, claims=("homogeneity",))
def purity(v: Contingency) -> Numbers:
    r"""Share of items that belong to the largest class of their cluster.

    $$\frac{\sum_j \max_i |C_j \cap L_i|}{\sum_j |C_j|}$$

    Singletons reach 1. With overlaps an item counts once for each of its clusters.
    """
    return ratio(v.clusters.sum(v.clusters.best), v.clusters.total)


@metric(
    "InvPurity",
    range=(0, 1),
    paper="zhao2001",
    aliases={"InversePurity": {}},
    **OVERLAPS,
    claims=("size versus quantity", "size versus quantity, overlapping"),
)
def inverse_purity(v: Contingency) -> Numbers:
    r"""Share of items that are in the cluster which holds most of their class.

    $$\frac{\sum_i \max_j |C_j \cap L_i|}{\sum_i |L_i|}$$

    One cluster for everything reaches 1.
    """
    return v.classes.sum(v.classes.best) / v.classes.total


@metric(
    "ClusterF",
    range=(0, 1),
    paper="larsen1999",
    **OVERLAPS,
    claims=("rag bag", "size versus quantity", "size versus quantity, overlapping"),
)
def cluster_f(v: Contingency, *, alpha: Share = 0.5) -> Numbers:
    r"""For each class the F of the cluster that fits it best, weighted by the size of the class.

    $$\sum_i \frac{|L_i|}{\sum |L|} \max_j F_\alpha(C_j, L_i)$$
    """
    cells = v.cells
    f = cells.n / (alpha * cells.cluster_size + (1.0 - alpha) * cells.class_size)
    return cells.best_in_classes(f * cells.class_size) / v.classes.total


@metric(
    "EditDistance",
    range=(0, None),
    paper="pantel2002",
    better="lower",
    **{**PARTITIONS, "undefined": ALL_DIFFERENT},
    claims=("completeness", "size versus quantity"),
)
def edit_distance(v: Contingency) -> Numbers:
    r"""Merges of clusters and moves of items that lead to the gold, as a share of those that singletons need.

    $$\frac{merges + moves}{N - k}$$

    Each cluster becomes part of the class with which it shares most items; ties are broken so that the fewest merges are
    needed. An item in no cluster is one more move, and N counts the items of the gold.
    """
    best = v.clusters.best
    moves = v.clusters.sum(v.clusters.size - best) + v.items - v.clusters.total
    merges = v.clusters.sum(best > 0) - v.fact("heirs", lambda: _heirs(v))
    return ratio(merges + moves, v.classes.total - v.classes.number)


def _heirs(v: Contingency) -> Numbers:
    """How many classes some cluster becomes part of: as many as can be, where a cluster shares most with several.

    A cluster that shares most with one class can become part of that one only; the others are matched to the classes that are
    left.
    """
    cells = v.cells
    most = np.flatnonzero(cells.n == cells.cluster_best)
    cluster, class_ = cells.cluster[most], cells.class_[most]
    tied = (np.bincount(cluster, minlength=len(v.clusters.size)) > 1)[cluster]
    heirs = np.zeros(len(v.classes.size), dtype=np.bool_)
    heirs[class_[~tied]] = True
    left = tied & ~heirs[class_]
    if left.any():
        heirs[_matched_classes(cluster[left], class_[left])] = True
    return v.classes.sum(heirs)


def _matched_classes(cluster: Places, class_: Places) -> Places:
    """As many classes as clusters can be matched to, each cluster to one of its own."""
    _, rows = np.unique(cluster, return_inverse=True)
    classes, columns = np.unique(class_, return_inverse=True)
    graph = sparse.csr_array((np.ones(len(rows)), (rows, columns)))
    matches = sparse.csgraph.maximum_bipartite_matching(graph, perm_type="column")
    return np.asarray(classes[matches[matches >= 0]])
