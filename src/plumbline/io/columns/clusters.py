"""The columns of a table of clusters, of which one may hold lists of items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, table
from plumbline.io.columns.names import cluster_columns, clusters_of

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


def listed_columns(
    frame: pl.DataFrame, names: Mapping[str, str], role: Role, origin: Origin
) -> tuple[pl.DataFrame, dict[str, str], Origin]:
    """The columns under the names of a table of labels; a row for each item of a list."""
    chosen = cluster_columns(names, role)
    if "label" not in chosen:
        place = origin.places([-1], "cluster")[0]
        raise BadData(table.missing_column(place, "cluster", list(clusters_of(role)), list(names.values()), None))
    items = chosen.get("item")
    if items is None or not isinstance(frame.schema[items], pl.List):
        return frame, chosen, origin
    long = frame.with_row_index("row of the list").explode(items)
    return long, chosen, ListedOrigin(origin, tuple(long["row of the list"]))
