"""Metrics of the coreference community: links, optimal matches, and entities weighted by their size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from plumbline.metrics.clustering.settings import OVERLAPS, PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.schema import LIST
from plumbline.views.contingency import Contingency, class_size, cluster_size, n, size
from plumbline.views.terms import harmonic, ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Likeness = Callable[[Numbers, Numbers, Numbers], Numbers]


Part = Literal["F", "P", "R"]


def _part(precision: pl.Expr, recall: pl.Expr, part: Part) -> pl.Expr:
    return {"P": precision, "R": recall}.get(part, harmonic(precision, recall, 0.5))


@metric(
    "MUC",
    range=(0, 1),
    paper="vilain1995",
    **{**PARTITIONS, "undefined": "one of the sides links no two items"},
    claims=("completeness", "size versus quantity"),
    symmetric=True,
)
def muc(v: Contingency, *, part: Part = "F") -> pl.Expr:
    r"""Links that need not be added to or taken from the output to make it the gold.

    $$R = \frac{\sum_i (|L_i| - parts(L_i))}{\sum_i (|L_i| - 1)}$$

    Precision exchanges the sides. Singletons do not count.
    """
    pieces = v.over_cells("pieces", n**0)
    in_cells = v.over_cells("in cells", n)
    of_classes, of_clusters = v.over_classes("sum of classes", size), v.over_clusters("sum of clusters", size)
    kept = in_cells - pieces
    recall = ratio(kept, of_classes - v.number_of_classes)
    precision = ratio(kept, of_clusters - v.number_of_clusters)
    return _part(precision, recall, part)


@metric(
    "LEA",
    range=(0, 1),
    paper="moosavi2016",
    **PARTITIONS,
    claims=("completeness", "rag bag", "size versus quantity"),
    symmetric=True,
)
def lea(v: Contingency, *, part: Part = "F") -> pl.Expr:
    r"""Share of the links of each entity that are found, weighted by the size of the entity.

    $$R = \frac{\sum_i |L_i| \sum_j \frac{link(C_j \cap L_i)}{link(L_i)}}{\sum_i |L_i|}$$

    An entity of one item has one link, to itself, which is found if the other side has that item alone too.
    """
    links = n * (n - 1.0)
    both_alone = (class_size == 1) & (cluster_size == 1)

    def found_links(items: pl.Expr) -> pl.Expr:
        return pl.when(items > 1).then(items * links / (items * (items - 1.0))).otherwise(both_alone.cast(pl.Float64))

    recall = v.over_cells("entity links", found_links(class_size)) / v.over_classes("sum of classes", size)
    precision = ratio(v.over_cells("cluster links", found_links(cluster_size)), v.over_clusters("sum of clusters", size))
    return _part(precision, recall, part)


@metric(
    "BLANC",
    range=(0, 1),
    paper="luo2014",
    **{**PARTITIONS, "undefined": "there is no pair of items in the gold"},
    claims=("homogeneity", "completeness"),
)
def blanc(v: Contingency, *, part: Part = "F") -> pl.Expr:
    r"""Mean of the scores of links and of non-links.

    $$\frac{F_{together} + F_{apart}}{2}$$

    Where the gold has one of the two kinds only, that kind decides, as in the scorer of CoNLL: a gold of single items has no
    links, and one entity has no non-links.
    """
    ss, given, wanted = v.pairs("SS"), v.pairs("SS") + v.pairs("SD"), v.pairs("SS") + v.pairs("DS")
    clustered, classified = v.over_clusters("sum of clusters", size), v.over_classes("sum of classes", size)
    apart_given, apart_wanted = _pairs(clustered) - given, _pairs(classified) - wanted
    linked = v.fact("linked by cluster", lambda: _linked(v, "cluster")) + v.fact("linked by class", lambda: _linked(v, "class"))
    right_apart = _pairs(v.over_cells("in cells", n)) - linked + ss
    together = _part(_zero(ss, given), _zero(ss, wanted), part)
    apart = _part(_zero(right_apart, apart_given), _zero(right_apart, apart_wanted), part)
    value = pl.when(wanted == 0).then(apart).when(apart_wanted == 0).then(together).otherwise((together + apart) / 2.0)
    return pl.when(classified > 1).then(value)


def _pairs(count: pl.Expr) -> pl.Expr:
    return count * (count - 1.0) / 2.0


def _linked(v: Contingency, side: Literal["cluster", "class"]) -> pl.DataFrame:
    """Pairs of items of one cluster that are both in some class, or of one class that are both in some cluster."""
    present = v.cells.group_by(LIST, side, maintain_order=True).agg(n.sum())
    return present.group_by(LIST, maintain_order=True).agg(_pairs(n).sum().alias(f"linked by {side}"))


def _zero(share: pl.Expr, total: pl.Expr) -> pl.Expr:
    """A share that is 0 where the whole is empty: a side without links finds none of the other side's."""
    return ratio(share, total).fill_null(0.0)


@metric(
    "CEAFm",
    range=(0, 1),
    paper="luo2005",
    **OVERLAPS,
    claims=("size versus quantity", "size versus quantity, overlapping"),
    symmetric=True,
)
def ceaf_mentions(v: Contingency, *, part: Part = "F") -> pl.Expr:
    r"""Items that clusters share with the classes that they are matched to, one to one and as well as possible.

    $$P = \frac{\max \sum |C_j \cap L_i|}{\sum |C_j|}$$
    """
    matched = v.fact("ceaf m", lambda: _matched(v, "ceaf m", lambda shared, _a, _b: shared))
    precision = ratio(matched, v.over_clusters("sum of clusters", size))
    return _part(precision, matched / v.over_classes("sum of classes", size), part)


@metric(
    "CEAFe",
    range=(0, 1),
    paper="luo2005",
    **OVERLAPS,
    claims=("completeness", "rag bag", "size versus quantity", "size versus quantity, overlapping"),
    symmetric=True,
)
def ceaf_entities(v: Contingency, *, part: Part = "F") -> pl.Expr:
    r"""Likeness of clusters and the classes that they are matched to, one to one and as well as possible.

    $$P = \frac{\max \sum \frac{2 |C_j \cap L_i|}{|C_j| + |L_i|}}{m}$$

    m is the number of clusters, for recall that of classes.
    """
    matched = v.fact("ceaf e", lambda: _matched(v, "ceaf e", lambda shared, a, b: 2.0 * shared / (a + b)))
    precision = ratio(matched, v.number_of_clusters)
    return _part(precision, matched / v.number_of_classes, part)


def _matched(v: Contingency, name: str, likeness: Likeness) -> pl.DataFrame:
    """The best sum of likeness over one-to-one matches, found by scipy's assignment solver, list by list."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - scipy is slow to import

    lists, totals = [], []
    for (number,), cells in v.cells.group_by(LIST, maintain_order=True):
        rows, columns = (np.unique(cells[side].to_numpy(), return_inverse=True)[1] for side in ("cluster", "class"))
        worth = np.zeros((rows.max() + 1, columns.max() + 1))
        sizes = (cells[side].to_numpy() for side in ("n", "cluster_size", "class_size"))
        worth[rows, columns] = likeness(*sizes)
        chosen = linear_sum_assignment(worth, maximize=True)
        lists.append(number)
        totals.append(float(worth[chosen].sum()))
    return pl.DataFrame({LIST: lists, name: totals}, schema={LIST: pl.Int64, name: pl.Float64})
