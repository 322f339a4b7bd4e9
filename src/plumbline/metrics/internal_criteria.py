"""Internal criteria of clusterings, which look at features of items instead of a gold, and what each of them needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, usage
from plumbline.metrics.names import measures

if TYPE_CHECKING:
    from plumbline.metrics.measure import Measure


def default_criteria(*, features: bool) -> list[str]:
    """All criteria that can be had; without features, those of distances."""
    return [
        one.name for one in measures(["internal"], task="clustering") if features or one.parts[0].metric.needs == "distances"
    ]


def check_given(wanted: list[Measure], features: object, distances: object) -> None:
    """Refuse criteria that cannot be had from what was given."""
    parts = [part for measure in wanted for part in measure.parts if part.metric.internal]
    lacking = [part.name for part in parts if features is None and (part.metric.needs == "features" or distances is None)]
    if lacking:
        raise BadUsage(usage.needs_features(lacking, only_distances=distances is not None))
    chosen = [part.name for part in parts if distances is not None and dict(part.arguments).get("distance", "") not in _OPEN]
    if chosen:
        raise BadUsage(usage.distance_is_given(chosen))


_OPEN: Final = ("", "euclidean")
"""No choice of a distance: none to make, or the default."""
