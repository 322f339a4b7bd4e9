"""Clusterings: for each item its cluster, its class, and what they share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.errors.base import nearest
from plumbline.schema import CASE, ITEM, LABEL, NUMBER, WEIGHT

if TYPE_CHECKING:
    from plumbline.align.clustering import AlignedClusters
    from plumbline.metrics.measure import Single
    from plumbline.tools.why.result import Why


def explain_clusters(aligned: AlignedClusters, measure: Single, number: int, plain: Why, item: str | None) -> Why:  # noqa: ARG001 - all metrics look at the same
    """A row for each item in a cluster and a class: how large both are, and how many items they share; weights as given."""
    case = number % len(aligned.cases)
    members = aligned.memberships[number // len(aligned.cases)]
    items = aligned.gold.items_with(members).filter(pl.col(CASE) == case).select(NUMBER, ITEM)
    in_cluster = _sized(items, members.rows, "cluster")
    in_class = _sized(items, aligned.gold.members.rows, "class")
    rows = in_cluster.join(in_class, on=[NUMBER, ITEM], how="full", coalesce=True)
    shared = rows.group_by("cluster", "class").len("shared")
    rows = rows.join(shared, on=["cluster", "class"], how="left", maintain_order="left").sort(NUMBER)
    if item is not None:
        if item not in items[ITEM].to_list():
            raise BadUsage(usage.unknown_name("item", item, nearest(item, items[ITEM].to_list(), n=2)))
        rows = rows.filter(pl.col(ITEM) == item)
    weights = [name for name in ("cluster_weight", "class_weight") if name in rows.columns]
    return replace(plain, rows=rows.select(ITEM, "cluster", "class", "cluster_size", "class_size", "shared", *weights))


def _sized(items: pl.DataFrame, members: pl.DataFrame, name: str) -> pl.DataFrame:
    weight = [pl.col(WEIGHT).alias(f"{name}_weight")] if WEIGHT in members.columns else []
    chosen = members.select(NUMBER, pl.col(LABEL).alias(name), *weight)
    members_of = items.join(chosen, on=NUMBER, how="inner", maintain_order="left")
    return members_of.with_columns(pl.len().over(name).alias(f"{name}_size"))
