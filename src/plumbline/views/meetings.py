"""Items that meet: only groups that share a cluster or a class are paired, and items with equal memberships are one group."""

from __future__ import annotations

import polars as pl

from plumbline.schema import LIST


def meetings(groups: pl.DataFrame, in_cluster: pl.DataFrame, in_class: pl.DataFrame) -> pl.DataFrame:
    """`list, a, b, n_a, n_b, x, g, w_x, w_g` of every ordered pair of groups that meet, a group with itself included.

    x and g count the clusters and classes that they share, w_x and w_g add up one over the size of each of these.
    """
    own = groups.select(LIST, "group", "n")
    shared = _shared(in_cluster, own, "cluster", "x").join(
        _shared(in_class, own, "class", "g"), on=[LIST, "a", "b"], how="full", coalesce=True
    )
    sizes = own.rename({"group": "a", "n": "n_a"})
    met = shared.join(sizes, on=[LIST, "a"], how="left").join(
        sizes.rename({"a": "b", "n_a": "n_b"}), on=[LIST, "b"], how="left"
    )
    return met.with_columns(pl.col("x", "g").fill_null(0), pl.col("w_x", "w_g").fill_null(0.0))


def _shared(members: pl.DataFrame, own: pl.DataFrame, column: str, name: str) -> pl.DataFrame:
    sized = members.join(own, on=[LIST, "group"], how="left")
    sized = sized.with_columns(pl.col("n").sum().over(LIST, column).alias("size")).drop("n")
    left, right = sized.rename({"group": "a"}), sized.drop("size").rename({"group": "b"})
    pairs = left.join(right, on=[LIST, column])
    return pairs.group_by(LIST, "a", "b").agg(pl.len().alias(name), (1.0 / pl.col("size")).sum().alias(f"w_{name}"))
