"""Internal criteria: each partition of a case by itself, in the space of its items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.metrics.names import measures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.align.clustered import Clustered
    from plumbline.metrics.measure import Measure, Single
    from plumbline.views.geometry import Geometry


def default_criteria(*, features: bool) -> list[str]:
    """All criteria that can be had; without features, those of distances."""
    return [
        one.name for one in measures(["internal"], task="clustering") if features or one.parts[0].metric.needs == "distances"
    ]


def check_given(wanted: list[Measure], features: Any, distances: Any) -> None:  # noqa: ANN401 - whatever was given
    """Refuse criteria that cannot be had from what was given."""
    parts = [part for measure in wanted for part in measure.parts if part.metric.internal]
    lacking = [part.name for part in parts if features is None and (part.metric.needs == "features" or distances is None)]
    if lacking:
        raise BadUsage(usage.needs_features(lacking, only_distances=distances is not None))
    told = [part.name for part in parts if distances is not None and dict(part.arguments).get("distance", "") not in _OPEN]
    if told:
        raise BadUsage(usage.distance_is_given(told))


_OPEN: Final = ("", "euclidean")
"""No choice of a distance: none to make, or the default."""


def internal_columns(aligned: Clustered, asked: list[Single]) -> list[pl.Series]:
    """A column for each criterion and a row for each list."""
    rows = [
        [single.metric.kernel(space, **single.metric.own(single.arguments)) for single in asked] for space in _spaces(aligned)
    ]
    return [pl.Series(single.name, [row[at] for row in rows], dtype=pl.Float64) for at, single in enumerate(asked)]


def _spaces(aligned: Clustered) -> Iterator[Geometry]:
    """Each list in the order of lists."""
    from plumbline.align.placed import Placed  # noqa: PLC0415 - every task checks what was given, few look at it
    from plumbline.views.geometry import Geometry  # noqa: PLC0415

    for members in aligned.memberships:
        order = np.argsort(members.number, kind="stable")
        items, clusters = members.number[order], members.codes[order]
        cases = aligned.gold.case[items]
        for case in range(len(aligned.cases)):
            own = cases == case
            yield Geometry(clusters[own], items[own], aligned.placed or Placed())
