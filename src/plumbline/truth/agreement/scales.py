"""How far apart two categories are: weights of agreement, and Krippendorff's distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.agreement.ratings import Level, Ratings

    Numbers = NDArray[np.float64]

Weights = Literal["identity", "linear", "quadratic", "ordinal", "ratio"]
SetDistance = Literal["masi", "jaccard"]
_SUBSET: Final = 2 / 3
_MEETING: Final = 1 / 3


@dataclass(frozen=True, eq=False)
class Scale:
    """The categories of some ratings as a coefficient sees them."""

    level: Level
    values: Numbers
    partial: Numbers
    """`[K, K]`: how much credit two answers get, 1 for the same."""
    distances: Numbers | None
    """`[K, K]`: Krippendorff's squared distances; None where they depend on how often categories were chosen."""
    credit: Numbers
    """The credit of coefficients without weights of their own: for the same answer only, unless weights were given."""

    def distance(self, chosen: Numbers) -> Numbers:
        """`[row, K, K]`: squared distances, given how often each category was chosen, `[row, K]`."""
        if self.distances is not None:
            return np.broadcast_to(self.distances, (len(chosen), *self.distances.shape))
        middle = np.cumsum(chosen, axis=1) - chosen / 2
        return (middle[:, :, None] - middle[:, None, :]) ** 2


def scale_of(ratings: Ratings, level: Level, weights: Weights | None, distance: SetDistance) -> Scale:
    """The weights and distances of a level; of sets, one less the distance is the credit."""
    if level == "sets":
        apart = set_distances(ratings, distance)
        return Scale(level, ratings.values, 1 - apart, apart, np.eye(len(ratings.values)))
    usual: dict[Level, Weights] = {"ordinal": "quadratic", "interval": "quadratic", "ratio": "ratio"}
    credit = weight_matrix(weights or usual.get(level, "identity"), ratings.values)
    same = credit if weights is not None else np.eye(len(ratings.values))
    return Scale(level, ratings.values, credit, level_distances(level, ratings.values), same)


def weight_matrix(name: Weights, values: Numbers) -> Numbers:
    """The credit that two categories get."""
    size = len(values)
    if name == "identity" or size == 1:
        return np.eye(size)
    gap = np.abs(values[:, None] - values[None, :])
    if name == "linear":
        return np.asarray(1 - gap / gap.max())
    if name == "quadratic":
        return np.asarray(1 - (gap / gap.max()) ** 2)
    if name == "ordinal":  # Gwet 2014: pairs of categories between two, their own included
        steps = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
        between = steps * (steps + 1) / 2
        return np.asarray(1 - between / between.max())
    apart = ratio_distances(values)
    return np.asarray(1 - apart / apart.max())


def level_distances(level: Level, values: Numbers) -> Numbers | None:
    """Krippendorff's squared distances of all pairs of categories; None for ordinal ones."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    return ratio_distances(values) if level == "ratio" else None


def ratio_distances(values: Numbers) -> Numbers:
    """Squared differences relative to the sum; two zeros are the same."""
    total = values[:, None] + values[None, :]
    return np.asarray(np.divide(values[:, None] - values[None, :], total, out=np.zeros_like(total), where=total != 0) ** 2)


def set_distances(ratings: Ratings, name: SetDistance) -> Numbers:
    """One less Jaccard's or MASI's similarity of all pairs of sets (Passonneau 2006)."""
    labels = sorted(frozenset[str]().union(*ratings.sets))
    has = np.array([[label in one for label in labels] for one in ratings.sets], dtype=np.float64).reshape(
        len(ratings.sets), -1
    )
    sizes = has.sum(axis=1)
    common = has @ has.T
    union = sizes[:, None] + sizes[None, :] - common
    jaccard = np.divide(common, union, out=np.ones_like(union), where=union > 0)
    if name == "jaccard":
        return np.asarray(1 - jaccard)
    equal = (common == sizes[:, None]) & (common == sizes[None, :])
    inside = (common == sizes[:, None]) | (common == sizes[None, :])
    kind = np.where(equal, 1.0, np.where(inside & (common > 0), _SUBSET, np.where(common > 0, _MEETING, 0.0)))
    return np.asarray(1 - jaccard * kind)
