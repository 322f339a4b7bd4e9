"""Entropy: what clusters tell about classes."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import numpy as np

from plumbline.metrics.clustering.settings import PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import AtLeast
from plumbline.views.contingency import Contingency, Numbers
from plumbline.views.terms import ratio_values as ratio

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
def entropy(v: Contingency) -> Numbers:
    r"""Mean entropy of the classes within a cluster, in nats.

    $$\sum_j \frac{|C_j|}{N} \sum_i -p_{ij} \ln p_{ij}$$
    """
    return _known(v, v.fact("H(L|C)", lambda: _conditional(v, v.cells.cluster_size)))


def _conditional(v: Contingency, size: Numbers) -> Numbers:
    """The entropy of the other side within groups of these sizes."""
    n = v.cells.n
    return np.maximum(v.cells.sum(-n * np.log(n / size)) / v.items, 0.0)


def _known(v: Contingency, value: Numbers) -> Numbers:
    """A value that has a meaning only where every item is in a cluster."""
    return np.where(v.complete, value, np.nan)


@metric(
    "ClassEntropy",
    range=(0, None),
    paper="zhao2001",
    better="lower",
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("completeness", "size versus quantity"),
)
def class_entropy(v: Contingency) -> Numbers:
    r"""Mean entropy of the clusters within a class, in nats.

    $$\sum_i \frac{|L_i|}{N} \sum_j -p_{ij} \ln p_{ij}$$
    """
    return _known(v, v.fact("H(C|L)", lambda: _conditional(v, v.cells.class_size)))


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
def mutual_information(v: Contingency) -> Numbers:
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
def variation_of_information(v: Contingency) -> Numbers:
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
) -> Numbers:
    r"""Mutual information as a share of a mean of the two entropies.

    $$\frac{MI}{(H(L) + H(C)) / 2}$$

    scikit-learn returns 1 where both sides are one cluster, and 0 or 1 where one entropy is 0; here 0/0 is undefined.
    """
    of_classes, of_clusters, mi = v.classes.entropy, v.clusters.entropy, v.mutual_information
    means = {
        "arithmetic": (of_classes + of_clusters) / 2.0,
        "min": np.minimum(of_classes, of_clusters),
        "max": np.maximum(of_classes, of_clusters),
        "geometric": np.sqrt(of_classes * of_clusters),
        "joint": of_classes + of_clusters - mi,
    }
    return _known(v, np.clip(ratio(mi, _snapped(means[norm])), 0.0, 1.0))


def _snapped(value: Numbers) -> Numbers:
    """An entropy that is 0 but for rounding is 0."""
    return np.where(np.abs(value) > ROUNDING, value, 0.0)


def _or_zero(part: Numbers, total: Numbers) -> Numbers:
    """A share, 0 where the whole is 0."""
    return np.where(total != 0, ratio(part, total), 0.0)


@metric(
    "Homogeneity",
    range=(0, 1),
    paper="rosenberg2007",
    elsewhere={"sklearn": "homogeneity_score"},
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("homogeneity",),
)
def homogeneity(v: Contingency) -> Numbers:
    r"""How close each cluster is to holding a single class.

    $$1 - \frac{H(L|C)}{H(L)}$$

    1 where the gold has one class.
    """
    return _known(v, np.clip(1.0 - _or_zero(entropy(v), _snapped(v.classes.entropy)), 0.0, 1.0))


@metric(
    "Completeness",
    range=(0, 1),
    paper="rosenberg2007",
    elsewhere={"sklearn": "completeness_score"},
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("size versus quantity",),
)
def completeness(v: Contingency) -> Numbers:
    r"""How close each class is to being in a single cluster.

    $$1 - \frac{H(C|L)}{H(C)}$$

    1 where there is one cluster.
    """
    return _known(v, np.clip(1.0 - _or_zero(class_entropy(v), _snapped(v.clusters.entropy)), 0.0, 1.0))


@metric(
    "VMeasure",
    range=(0, 1),
    paper="rosenberg2007",
    elsewhere={"sklearn": "v_measure_score"},
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("homogeneity", "size versus quantity"),
    symmetric=True,
)
def v_measure(v: Contingency, *, beta: Annotated[float, AtLeast(0)] = 1.0) -> Numbers:
    r"""Weighted harmonic mean of homogeneity and completeness.

    $$\frac{(1 + \beta) h c}{\beta h + c}$$
    """
    h, c = homogeneity(v), completeness(v)
    return _known(v, np.clip(_or_zero((1.0 + beta) * h * c, beta * h + c), 0.0, 1.0))
