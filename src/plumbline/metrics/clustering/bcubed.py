"""BCubed precision and recall."""

from __future__ import annotations

from plumbline.metrics.clustering.settings import OVERLAPS
from plumbline.metrics.registry import metric
from plumbline.views.contingency import Contingency, Numbers
from plumbline.views.neighbours import bcubed


@metric("BCubedP", range=(0, 1), paper="amigo2009", aliases={"B3P": {}}, **OVERLAPS, claims=("homogeneity", "rag bag"))
def bcubed_precision(v: Contingency) -> Numbers:
    r"""BCubed precision: of the items that share a cluster with an item, how many rightly do, on average.

    $$Avg_e \, Avg_{e'} \frac{\min(|C(e) \cap C(e')|, |L(e) \cap L(e')|)}{|C(e) \cap C(e')|}$$

    With overlaps this is extended BCubed; e' runs over all items, e included, that share a cluster with e.
    """
    return bcubed(v, "cluster")


@metric(
    "BCubedR", range=(0, 1), paper="amigo2009", aliases={"B3R": {}}, **OVERLAPS, claims=("completeness", "size versus quantity")
)
def bcubed_recall(v: Contingency) -> Numbers:
    r"""BCubed recall: of the items that share a class with an item, how many share a cluster too, on average.

    $$Avg_e \, Avg_{e'} \frac{\min(|C(e) \cap C(e')|, |L(e) \cap L(e')|)}{|L(e) \cap L(e')|}$$
    """
    return bcubed(v, "class")
