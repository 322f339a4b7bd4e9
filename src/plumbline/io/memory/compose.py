"""A ranking and a clustering of the same items, combined into one organization."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadData, organizations, table
from plumbline.io.columns.levels import checked, one_level
from plumbline.io.table import PickedOrigin
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM, LABEL, ONLY_CASE, VALUE

if TYPE_CHECKING:
    from plumbline.io.table import Table

_ROW: Final = "row"
_FEW: Final = 5


@dataclass(frozen=True)
class Composed:
    """Two sources of one system or gold: one orders the items, the other groups them.

    Example:
        >>> import plumbline
        >>> system = plumbline.Composed("posts.run", "posts_clusters.tsv")
        >>> scores = plumbline.evaluate("posts_gold.csv", {"posts": system}, "F(Rel,Sens)", task="organization")
        >>> round(scores.mean["value"][0], 4)
        0.8768
    """

    priority: Any
    """A ranking, a filter or judgements, in any form that is read as an organization."""
    clusters: Any
    """A clustering, in any form that the clustering task reads; one without cases holds in every case."""


def compose(priority: Table, clusters: Table) -> Table:
    """Items with the levels of one table and the clusters of the other.

    The priority was read as an organization and has no clusters; the clusters were read as the clustering task reads them.
    An item in several clusters occurs once in each, an item without any is alone, and an item without priority is left out.
    """
    if priority.frame[LABEL].null_count() < len(priority.frame):
        reason = f"has clusters of its own, and {clusters.label} was given for clusters"
        raise BadData(organizations.not_composed(priority.label, reason))
    if VALUE not in clusters.frame.columns or clusters.frame[VALUE].dtype.is_float():
        raise BadData(organizations.not_composed(clusters.label, "has numbers, as a ranking has, and was given for clusters"))
    members = checked(one_level(clusters))
    known = members.frame.filter(pl.col(LABEL).is_not_null()).select(pl.col(CASE).cast(pl.String), ITEM, LABEL)
    ranked = priority.frame.select(pl.col(CASE).cast(pl.String), ITEM, VALUE).with_row_index(_ROW)
    keys = _keys(ranked, known)
    joined = ranked.join(known.select(*keys, LABEL), on=keys, how="left", maintain_order="left_right")
    dropped = known.join(ranked, on=keys, how="anti")[ITEM].unique(maintain_order=True)
    if len(known) and len(ranked) and not joined[LABEL].count():
        examples = [frame[ITEM].unique(maintain_order=True).head(3).to_list() for frame in (ranked, known)]
        raise BadData(table.no_common_item(clusters.label, priority.label, *examples))
    remarks = [*priority.notices, *clusters.notices]
    if len(dropped):
        names = dropped.head(_FEW).to_list()
        remarks.append(organizations.without_priority(clusters.label, priority.label, names, len(dropped)))
    return replace(
        priority,
        frame=joined.select(pl.col(CASE).cast(pl.Categorical), ITEM, VALUE, LABEL),
        origin=PickedOrigin(priority.origin, joined[_ROW]),
        notices=tuple(remarks),
    )


def _keys(ranked: pl.DataFrame, known: pl.DataFrame) -> list[str]:
    """Clusters of the same case, or, where the clustering has no cases and the ranking has, of every case."""
    without_cases = bool((known[CASE] == ONLY_CASE).all()) and not bool((ranked[CASE] == ONLY_CASE).any())
    return [ITEM] if without_cases else [CASE, ITEM]
