"""Entropy: what clusters tell about classes."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import polars as pl

from plumbline.metrics.clustering.settings import PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import AtLeast
from plumbline.views.contingency import Contingency, class_size, cluster_size, n
from plumbline.views.terms import ratio

ROUNDING: Final = 1e-15
"""Far below ln(2) / 1e14."""
INCOMPLETE = "an item is in no cluster or in no class"
ONE_EACH = f"the entropies that it is divided by are 0, as those of one cluster are, or {INCOMPLETE}"


@metric(
    "Entropy",
    range=(0, None),
    paper="zhao2001",
    better="lower",
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("homogeneity",),
)
def entropy(v: Contingency) -> pl.Expr:
    r"""Mean entropy of the classes within a cluster, in nats.

    $$\sum_j \frac{|C_j|}{N} \sum_i -p_{ij} \ln p_{ij}$$
    """
    return _known(v, (v.over_cells("H(L|C)", -n * (n / cluster_size).log()) / v.items).clip(lower_bound=0.0))


def _known(v: Contingency, value: pl.Expr) -> pl.Expr:
    """A value that has a meaning only where every item is in a cluster."""
    return pl.when(v.complete).then(value)


@metric(
    "ClassEntropy",
    range=(0, None),
    paper="zhao2001",
    better="lower",
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("completeness", "size versus quantity"),
)
def class_entropy(v: Contingency) -> pl.Expr:
    r"""Mean entropy of the clusters within a class, in nats.

    $$\sum_i \frac{|L_i|}{N} \sum_j -p_{ij} \ln p_{ij}$$
    """
    return _known(v, (v.over_cells("H(C|L)", -n * (n / class_size).log()) / v.items).clip(lower_bound=0.0))


@metric(
    "MI",
    range=(0, None),
    paper="manning2008",
    elsewhere={"sklearn": "mutual_info_score"},
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("homogeneity",),
    ideal_below_best="it is the entropy of the gold",
    symmetric=True,
)
def mutual_information(v: Contingency) -> pl.Expr:
    r"""Mutual information of clusters and classes, in nats.

    $$\sum_{ij} p_{ij} \ln \frac{p_{ij}}{p_i p_j}$$
    """
    return _known(v, v.mutual_information)


@metric(
    "VI",
    range=(0, None),
    paper="meila2007",
    better="lower",
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("homogeneity", "completeness", "size versus quantity"),
    symmetric=True,
)
def variation_of_information(v: Contingency) -> pl.Expr:
    r"""Variation of information: what clusters and classes do not tell about each other, in nats.

    $$H(L|C) + H(C|L)$$
    """
    return entropy(v) + class_entropy(v)


@metric(
    "NMI",
    range=(0, 1),
    paper="manning2008",
    elsewhere={"sklearn": "normalized_mutual_info_score"},
    **{**PARTITIONS, "undefined": ONE_EACH},
    claims=("homogeneity", "size versus quantity"),
    symmetric=True,
)
def normalised_information(
    v: Contingency, *, norm: Literal["arithmetic", "min", "max", "geometric", "joint"] = "arithmetic"
) -> pl.Expr:
    r"""Mutual information as a share of a mean of the two entropies.

    $$\frac{MI}{(H(L) + H(C)) / 2}$$

    scikit-learn returns 1 where both sides are one cluster, and 0 or 1 where one entropy is 0; here 0/0 is undefined.
    """
    of_classes, of_clusters, mi = v.entropy_of_classes, v.entropy_of_clusters, v.mutual_information
    means = {
        "arithmetic": (of_classes + of_clusters) / 2.0,
        "min": pl.min_horizontal(of_classes, of_clusters),
        "max": pl.max_horizontal(of_classes, of_clusters),
        "geometric": (of_classes * of_clusters).sqrt(),
        "joint": of_classes + of_clusters - mi,
    }
    return _known(v, ratio(mi, _snapped(means[norm])).clip(0.0, 1.0))


def _snapped(value: pl.Expr) -> pl.Expr:
    """An entropy that is 0 but for rounding is 0."""
    return pl.when(value.abs() > ROUNDING).then(value).otherwise(0.0)


@metric(
    "Homogeneity",
    range=(0, 1),
    paper="rosenberg2007",
    elsewhere={"sklearn": "homogeneity_score"},
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("homogeneity",),
)
def homogeneity(v: Contingency) -> pl.Expr:
    r"""How far each cluster holds one class only.

    $$1 - \frac{H(L|C)}{H(L)}$$

    1 where the gold has one class.
    """
    return _known(v, (1.0 - ratio(entropy(v), _snapped(v.entropy_of_classes)).fill_null(0.0)).clip(0.0, 1.0))


@metric(
    "Completeness",
    range=(0, 1),
    paper="rosenberg2007",
    elsewhere={"sklearn": "completeness_score"},
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("size versus quantity",),
)
def completeness(v: Contingency) -> pl.Expr:
    r"""How far each class is in one cluster only.

    $$1 - \frac{H(C|L)}{H(C)}$$

    1 where there is one cluster.
    """
    return _known(v, (1.0 - ratio(class_entropy(v), _snapped(v.entropy_of_clusters)).fill_null(0.0)).clip(0.0, 1.0))


@metric(
    "VMeasure",
    range=(0, 1),
    paper="rosenberg2007",
    elsewhere={"sklearn": "v_measure_score"},
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("homogeneity", "size versus quantity"),
    symmetric=True,
)
def v_measure(v: Contingency, *, beta: Annotated[float, AtLeast(0)] = 1.0) -> pl.Expr:
    r"""Weighted harmonic mean of homogeneity and completeness.

    $$\frac{(1 + \beta) h c}{\beta h + c}$$
    """
    h, c = homogeneity(v), completeness(v)
    return _known(v, ratio((1.0 + beta) * h * c, beta * h + c).fill_null(0.0).clip(0.0, 1.0))
