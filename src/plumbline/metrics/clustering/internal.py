"""Internal criteria: how close the items of a cluster are, and how far apart clusters are, without a gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from plumbline.errors import BadUsage, usage
from plumbline.lazily import spatial
from plumbline.metrics.clustering.settings import PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.views.geometry import Geometry

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEATURES: Final[dict[str, Any]] = {**PARTITIONS, "needs": "features"}
"""A metric of vectors."""
DISTANCES: Final[dict[str, Any]] = {**PARTITIONS, "needs": "distances"}
"""A metric of distances, which features have too."""
TRIVIAL: Final = "there is one cluster only, or every item is alone"
SAME: Final = 1e-8
"""Centres that are nearer than this share of the whole space are one for scikit-learn."""
NO_DIRECTION: Final = "the features of an item are all 0"


@metric(
    "IntraSimilarity",
    range=(-1, 1),
    paper="manning2008",
    **{**FEATURES, "undefined": f"no two items share a cluster, or {NO_DIRECTION}"},
)
def intra_similarity(g: Geometry) -> float | None:
    r"""Mean cosine of two items of one cluster.

    $$\frac{\sum_j \sum_{x \ne y \in C_j} \cos(x, y)}{\sum_j |C_j| (|C_j| - 1)}$$

    Every pair counts once, so that large clusters weigh more. It is computed from sums of unit vectors, not pair by pair.
    """
    pairs = float((g.sizes * (g.sizes - 1.0)).sum())
    if pairs == 0 or not g.has_directions:
        return None
    return float(np.clip(g.cluster_sums[0][g.sizes > 1].sum() / pairs, -1.0, 1.0))


@metric(
    "InterSimilarity",
    range=(-1, 1),
    paper="manning2008",
    better="lower",
    **{**FEATURES, "undefined": f"there is one cluster only, or {NO_DIRECTION}"},
)
def inter_similarity(g: Geometry) -> float | None:
    r"""Mean cosine of two items of different clusters.

    $$\frac{\sum_{i \ne j} \sum_{x \in C_i, y \in C_j} \cos(x, y)}{N^2 - \sum_j |C_j|^2}$$
    """
    pairs = float(g.n**2 - (g.sizes**2).sum())
    if pairs == 0 or not g.has_directions:
        return None
    return float(np.clip(g.cluster_sums[1].sum() / pairs, -1.0, 1.0))


@metric(
    "Silhouette",
    range=(-1, 1),
    paper="rousseeuw1987",
    elsewhere={"sklearn": "silhouette_score"},
    **{**DISTANCES, "undefined": f"{TRIVIAL}, or a cosine is asked for and {NO_DIRECTION}"},
)
def silhouette(g: Geometry, *, distance: Literal["euclidean", "cosine", "manhattan"] = "euclidean") -> float | None:
    r"""Mean over items of how much closer their own cluster is than the nearest other one.

    $$\frac{1}{N} \sum_x \frac{b(x) - a(x)}{\max(a(x), b(x))}$$

    a is the mean distance to the other items of the cluster, b the least mean distance to the items of another cluster. An
    item that is alone counts 0. Given distances take precedence over features.
    """
    of_sklearn = _sklearn("Silhouette")
    if g.is_trivial or _lacks_directions(g, distance):
        return None
    if g.distances is not None:
        return float(of_sklearn.silhouette_score(g.distances, g.cluster, metric="precomputed"))
    return float(of_sklearn.silhouette_score(g.features, g.cluster, metric=distance))


@metric(
    "DaviesBouldin",
    range=(0, None),
    paper="davies1979",
    better="lower",
    elsewhere={"sklearn": "davies_bouldin_score"},
    **{**FEATURES, "undefined": f"{TRIVIAL}, or two clusters have the same centre"},
)
def davies_bouldin(g: Geometry) -> float | None:
    r"""How hard each cluster is to tell from the one most like it, on average.

    $$\frac{1}{m} \sum_i \max_{j \ne i} \frac{s_i + s_j}{d(c_i, c_j)}$$

    s is the mean distance of a cluster's items to its centre c. scikit-learn ignores clusters with the same centre, and
    returns 0, the best value, if there are no others; here that is undefined.
    """
    of_sklearn = _sklearn("DaviesBouldin")
    if g.is_trivial:
        return None
    space = _regular(g.dense)
    if _nearest(g.members @ space / g.sizes[:, None]) <= SAME:
        return None
    return float(of_sklearn.davies_bouldin_score(space, g.cluster))


@metric(
    "CalinskiHarabasz",
    range=(0, None),
    paper="calinski1974",
    elsewhere={"sklearn": "calinski_harabasz_score"},
    **{**FEATURES, "undefined": f"{TRIVIAL}, or the items of each cluster are all in one place"},
)
def calinski_harabasz(g: Geometry) -> float | None:
    r"""Variance between clusters over variance within them (the variance ratio criterion).

    $$\frac{\sum_j |C_j| d(c_j, c)^2 / (m - 1)}{\sum_j \sum_{x \in C_j} d(x, c_j)^2 / (N - m)}$$

    scikit-learn returns 1 where nothing varies within clusters; here that is undefined.
    """
    of_sklearn = _sklearn("CalinskiHarabasz")
    if g.is_trivial:
        return None
    _, first = np.unique(g.cluster, return_index=True)
    if bool((g.dense == g.dense[first][g.cluster]).all()):
        return None
    return float(of_sklearn.calinski_harabasz_score(_regular(g.dense), g.cluster))


@metric(
    "Dunn",
    range=(0, None),
    paper="dunn1974",
    **{**DISTANCES, "undefined": f"{TRIVIAL}, or the items of each cluster are all in one place"},
)
def dunn(g: Geometry, *, distance: Literal["euclidean", "cosine", "manhattan"] = "euclidean") -> float | None:
    r"""Smallest distance between two clusters over the largest diameter of one.

    $$\frac{\min_{i \ne j} \min_{x \in C_i, y \in C_j} d(x, y)}{\max_k \max_{x, y \in C_k} d(x, y)}$$

    A single outlier decides the value. All pairs are looked at, block by block. Given distances take precedence over features.
    """
    if g.is_trivial or _lacks_directions(g, distance):
        return None
    apart, diameter = np.inf, 0.0
    for block, together in g.distance_blocks(distance):
        apart = min(apart, float(np.min(block, where=~together, initial=np.inf)))
        diameter = max(diameter, float(np.max(block, where=together, initial=0.0)))
    return apart / diameter if diameter > 0 else None


def _lacks_directions(g: Geometry, distance: str) -> bool:
    return g.distances is None and distance == "cosine" and not g.has_directions


def _regular(space: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same around 0 and below 1: scikit-learn takes distances below 1e-8 for 0, however small the space is."""
    around = space - space.mean(axis=0)
    return np.asarray(np.ldexp(around, -int(np.frexp(np.abs(around).max())[1])))


def _nearest(points: NDArray[np.float64]) -> float:
    """The least distance of two points."""
    return float(spatial.KDTree(points).query(points, k=2)[0][:, 1].min())


def _sklearn(name: str) -> Any:  # noqa: ANN401 - a module without types
    try:
        from sklearn import metrics  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadUsage(usage.needs_extra(name, "cluster")) from None
    return metrics
