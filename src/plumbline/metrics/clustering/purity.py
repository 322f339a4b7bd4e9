"""Set matching: each cluster and the class that it shares most with."""

from __future__ import annotations

import polars as pl

from plumbline.metrics.clustering.settings import OVERLAPS, PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Share
from plumbline.schema import LIST
from plumbline.views.confusion import ratio
from plumbline.views.contingency import Contingency, best, class_size, cluster_size, n, size

NO_CLUSTER = "the output has no cluster there"
ALL_DIFFERENT = "every class has one item, so that singletons are right already"


@metric("Purity", range=(0, 1), paper="zhao2001", **{**OVERLAPS, "undefined": NO_CLUSTER})
def purity(v: Contingency) -> pl.Expr:
    r"""Share of items that belong to the largest class of their cluster.

    $$\frac{\sum_j \max_i |C_j \cap L_i|}{\sum_j |C_j|}$$

    Singletons reach 1. With overlaps an item counts once for each of its clusters.
    """
    return ratio(v.over_clusters("best of clusters", best), v.over_clusters("sum of clusters", size))


@metric("InvPurity", range=(0, 1), paper="zhao2001", aliases={"InversePurity": {}}, **OVERLAPS)
def inverse_purity(v: Contingency) -> pl.Expr:
    r"""Share of items that are in the cluster which holds most of their class.

    $$\frac{\sum_i \max_j |C_j \cap L_i|}{\sum_i |L_i|}$$

    One cluster for everything reaches 1.
    """
    return v.over_classes("best of classes", best) / v.over_classes("sum of classes", size)


@metric("ClusterF", range=(0, 1), paper="larsen1999", **OVERLAPS)
def cluster_f(v: Contingency, *, alpha: Share = 0.5) -> pl.Expr:
    r"""For each class the F of the cluster that fits it best, weighted by the size of the class.

    $$\sum_i \frac{|L_i|}{\sum |L|} \max_j F_\alpha(C_j, L_i)$$
    """
    f = n / (alpha * cluster_size + (1.0 - alpha) * class_size)
    name = f"fit {alpha!r}"
    of_class = v.cells.group_by(LIST, "class").agg((f.max() * class_size.first()).alias("fit"))
    fits = v.fact(name, lambda: of_class.group_by(LIST).agg(pl.col("fit").sum().alias(name)))
    return fits / v.over_classes("sum of classes", size)


@metric("EditDistance", range=(0, None), paper="pantel2002", better="lower", **{**PARTITIONS, "undefined": ALL_DIFFERENT})
def edit_distance(v: Contingency) -> pl.Expr:
    r"""Merges of clusters and moves of items that lead to the gold, as a share of those that singletons need.

    $$\frac{merges + moves}{N - k}$$

    Each cluster becomes part of the class that it shares most items with.
    """
    moves = v.over_clusters("moves", size - best)
    heirs = v.fact("heirs", lambda: _heirs(v))
    merges = v.number_of_clusters - heirs
    return ratio(merges + moves, v.items - v.number_of_classes)


def _heirs(v: Contingency) -> pl.DataFrame:
    """How many classes some cluster becomes part of."""
    ordered = v.cells.sort(LIST, "cluster", "n", "class_size", "class", descending=[False, False, True, True, False])
    chosen = ordered.group_by(LIST, "cluster", maintain_order=True).agg(pl.col("class").first())
    return chosen.group_by(LIST).agg(pl.col("class").n_unique().cast(pl.Float64).alias("heirs"))
