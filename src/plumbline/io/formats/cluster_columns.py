"""The columns of a table of clusters: topic is a case for most, but the cluster where nothing else can be it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import BadData, table
from plumbline.io.memory.labels import PROBABILITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plumbline.errors import Place
    from plumbline.io.table import Origin, Role

_OF_GOLD: Final = ("gold_cluster", "gold_sense_id", "gold_sense", "topic_gold", "y_true")
_OF_OUTPUT: Final = ("predicted_cluster", "predict_sense_id", "predicted_sense_id", "y_pred")
SIDES: Final[dict[Role, tuple[str, ...]]] = {"gold": _OF_GOLD, "output": _OF_OUTPUT}
"""A file may hold gold and output side by side."""
CLUSTERS: Final = ("cluster", "cluster_id", "clusters", "group", "group_id", "groups", "community", "sense", "sense_id")
CLASSES: Final = ("label", "labels", "class", "classes", "category", "prediction", "predicted", "target", "y", "value")
TOPICS: Final = ("topic", "topic_id")
CASES: Final = ("case", "query_id", "qid", "q_id", "query", "topic", "topic_id", "test_case", "q", "entity_id", "entity")
NAMES: Final = ("word", "name")
ITEMS: Final = (
    *("item", "items", "members", "tweet_id", "context_id", "mention", "mention_id"),
    *("doc_id", "docno", "docid", "doc", "document", "document_id", "item_id", "pid", "id", "d"),
)
_KNOWN: Final = frozenset({*_OF_GOLD, *_OF_OUTPUT, *CLUSTERS, *CLASSES, *CASES, *NAMES, *ITEMS})
_TELLING: Final = frozenset(
    {*_OF_GOLD, *_OF_OUTPUT, *CLUSTERS, "topic_id", "entity_id", "tweet_id", "context_id", "mention_id"}
)
"""Names that are hardly those of an item or a cluster."""


@dataclass(frozen=True)
class ListedOrigin:
    """Rows of a table that has a list of items in each row."""

    origin: Origin
    rows: tuple[int, ...]

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The place of the list."""
        return self.origin.places([self.rows[row] if row >= 0 else row for row in rows], column)


def are_cluster_names(words: Iterable[str]) -> bool:
    """Whether a line names the columns of a table of clusters: one name that tells, and at least two that are known."""
    names = [word.strip().strip('"').lower() for word in words]
    return any(name in _TELLING for name in names) and sum(name in _KNOWN for name in names) > 1


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
    wanted = tuple(dict.fromkeys((*SIDES[role], *CLUSTERS, *CLASSES, *TOPICS, *_OF_GOLD, *_OF_OUTPUT)))
    chosen = {}
    for meaning, candidates in (("label", wanted), ("item", (*ITEMS, *NAMES)), ("case", (*CASES, *NAMES))):
        found = next((name for name in candidates if name in left), None)
        if found is not None:
            chosen[meaning] = left.pop(found)
        elif meaning == "label":
            place = origin.places([-1], "cluster")[0]
            raise BadData(table.missing_column(place, "cluster", list(wanted), list(names.values()), None))
    others = {name: column for name, column in left.items() if name not in _KNOWN and name not in PROBABILITIES}
    return {**others, **chosen}
