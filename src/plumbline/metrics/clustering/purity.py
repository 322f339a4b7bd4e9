"""Set matching: each cluster and the class that it shares most with."""

from __future__ import annotations

import numpy as np
import polars as pl

from plumbline.metrics.clustering.settings import OVERLAPS, PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Share
from plumbline.schema import LIST
from plumbline.views.contingency import Contingency, best, class_size, cluster_best, cluster_size, n, size
from plumbline.views.terms import ratio

NO_CLUSTER = "the output has no cluster there"
ALL_DIFFERENT = "every class has one item, so that singletons are right already"


@metric("Purity", range=(0, 1), paper="zhao2001", **{**OVERLAPS, "undefined": NO_CLUSTER}, claims=("homogeneity",))
def purity(v: Contingency) -> pl.Expr:
    r"""Share of items that belong to the largest class of their cluster.

    $$\frac{\sum_j \max_i |C_j \cap L_i|}{\sum_j |C_j|}$$

    Singletons reach 1. With overlaps an item counts once for each of its clusters.
    """
    return ratio(v.over_clusters("best of clusters", best), v.over_clusters("sum of clusters", size))


@metric(
    "InvPurity",
    range=(0, 1),
    paper="zhao2001",
    aliases={"InversePurity": {}},
    **OVERLAPS,
    claims=("size versus quantity", "size versus quantity, overlapping"),
)
def inverse_purity(v: Contingency) -> pl.Expr:
    r"""Share of items that are in the cluster which holds most of their class.

    $$\frac{\sum_i \max_j |C_j \cap L_i|}{\sum_i |L_i|}$$

    One cluster for everything reaches 1.
    """
    return v.over_classes("best of classes", best) / v.over_classes("sum of classes", size)


@metric(
    "ClusterF",
    range=(0, 1),
    paper="larsen1999",
    **OVERLAPS,
    claims=("rag bag", "size versus quantity", "size versus quantity, overlapping"),
)
def cluster_f(v: Contingency, *, alpha: Share = 0.5) -> pl.Expr:
    r"""For each class the F of the cluster that fits it best, weighted by the size of the class.

    $$\sum_i \frac{|L_i|}{\sum |L|} \max_j F_\alpha(C_j, L_i)$$
    """
    f = n / (alpha * cluster_size + (1.0 - alpha) * class_size)
    return v.best_in_classes(f"fit {alpha!r}", f * class_size) / v.over_classes("sum of classes", size)


@metric(
    "EditDistance",
    range=(0, None),
    paper="pantel2002",
    better="lower",
    **{**PARTITIONS, "undefined": ALL_DIFFERENT},
    claims=("completeness", "size versus quantity"),
)
def edit_distance(v: Contingency) -> pl.Expr:
    r"""Merges of clusters and moves of items that lead to the gold, as a share of those that singletons need.

    $$\frac{merges + moves}{N - k}$$

    Each cluster becomes part of the class that it shares most items with; of equal ones, so that fewest merges are
    needed. An item in no cluster is one more move, and N counts the items of the gold.
    """
    moves = v.over_clusters("moves", size - best) + v.items - v.over_clusters("sum of clusters", size)
    merges = v.over_clusters("clusters of the gold's items", best > 0) - v.fact("heirs", lambda: _heirs(v))
    return ratio(merges + moves, v.over_classes("sum of classes", size) - v.number_of_classes)


def _heirs(v: Contingency) -> pl.DataFrame:
    """How many classes some cluster becomes part of: as many as can be, where a cluster shares most with several."""
    most = v.cells.filter(n == cluster_best)
    tied = most.filter(pl.len().over(LIST, "cluster") > 1).select(LIST).unique()
    simple = (
        most.join(tied, on=LIST, how="anti")
        .group_by(LIST, maintain_order=True)
        .agg(pl.col("class").n_unique().cast(pl.Float64).alias("heirs"))
    )
    rows = [
        (number, _matching(of_list))
        for (number,), of_list in most.join(tied, on=LIST, how="semi").group_by(LIST, maintain_order=True)
    ]
    return pl.concat([simple, pl.DataFrame(rows, schema=simple.schema, orient="row")])


def _matching(of_list: pl.DataFrame) -> float:
    """The most classes that clusters can be matched to, each cluster to one of its own."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - scipy is slow to import
    from scipy.sparse.csgraph import maximum_bipartite_matching  # noqa: PLC0415 - the same

    rows, columns = (np.unique(of_list[side].to_numpy(), return_inverse=True)[1] for side in ("cluster", "class"))
    graph = csr_array((np.ones(len(rows)), (rows, columns)))
    return float((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())
