"""The columns of a table of clusters: topic is a case for most, but the cluster where nothing else can be it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, table
from plumbline.io.columns.names import (
    CLASSES,
    CLUSTER_CASES,
    CLUSTER_ITEMS,
    CLUSTERS,
    CLUSTERS_BY_ROLE,
    KNOWN_TO_CLUSTERINGS,
    PROBABILITIES,
    TOPICS,
    WORDS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.errors import Place
    from plumbline.io.table import Origin, Role


@dataclass(frozen=True)
class ListedOrigin:
    """Rows of a table that has a list of items in each row."""

    origin: Origin
    rows: tuple[int, ...]

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The place of the list."""
        return self.origin.places([self.rows[row] if row >= 0 else row for row in rows], column)


def cluster_columns(
    frame: pl.DataFrame, names: Mapping[str, str], role: Role, origin: Origin
) -> tuple[pl.DataFrame, dict[str, str], Origin]:
    """The columns under the names of a table of labels: `label` is the cluster; a row for each item of a list."""
    chosen = _chosen(names, role, origin)
    items = chosen.get("item")
    if items is None or not isinstance(frame.schema[items], pl.List):
        return frame, chosen, origin
    long = frame.with_row_index("row of the list").explode(items)
    return long, chosen, ListedOrigin(origin, tuple(long["row of the list"]))


def _chosen(names: Mapping[str, str], role: Role, origin: Origin) -> dict[str, str]:
    """The cluster is chosen first, then the item, then the case; words and names are items where nothing else is."""
    left = dict(names)
    other_side = CLUSTERS_BY_ROLE["output" if role == "gold" else "gold"]
    wanted = tuple(dict.fromkeys((*CLUSTERS_BY_ROLE[role], *CLUSTERS, *CLASSES, *TOPICS, *other_side)))
    chosen = {}
    for meaning, candidates in (("label", wanted), ("item", (*CLUSTER_ITEMS, *WORDS)), ("case", (*CLUSTER_CASES, *WORDS))):
        name = next((name for name in candidates if name in left), None)
        if name is not None:
            chosen[meaning] = left.pop(name)
        elif meaning == "label":
            place = origin.places([-1], "cluster")[0]
            raise BadData(table.missing_column(place, "cluster", list(wanted), list(names.values()), None))
    others = {name: column for name, column in left.items() if name not in KNOWN_TO_CLUSTERINGS and name not in PROBABILITIES}
    return {**others, **chosen}
