"""The pool behind an evaluation that is read already, as reports and figures show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.align.ranking import RELATIONS, AlignedRankings
from plumbline.truth.pools.inspect_pool import METRICS, inspected
from plumbline.truth.pools.places import places_of
from plumbline.truth.pools.rescoring import by_grades_alone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.metrics.measure import Measure
    from plumbline.truth.pools.inspection import Inspection
    from plumbline.truth.pools.places import Places

MOST_METRICS: Final = 3
"""Metrics by which systems are scored again."""


def why_no_pool(evaluation: Evaluation) -> str | None:
    """Why a pool cannot be looked at; None if it can."""
    options = evaluation.request.options
    if options.get("judged_only") or options.get("ties") == "average":
        return "it looks at whole lists in one order, and judged_only or ties=average leave none"
    aligned = evaluation.alignment({RELATIONS}, items=True)
    if not isinstance(aligned, AlignedRankings):
        return "it needs rankings"
    if aligned.gold.sample is not None:
        return "the gold is a random sample, which is not meant to be complete"
    if not any((full.judged >= 0).any() for full in aligned.full_lists):
        return "there is no judged item in any list"
    return None


def pool_of(evaluation: Evaluation, teams: Mapping[str, str] | None = None) -> Inspection:
    """Inspect the pool of these rankings; a system that has no team is one of its own.

    Systems are scored by the first metrics of the evaluation that can be computed again, or by the usual ones.
    """
    places = places_of(evaluation)
    systems = places.aligned.systems
    named = [(teams or {}).get(name, name) for name in systems]
    everyone = np.ones(len(systems), dtype=np.bool_)
    return inspected(places, measures_of(evaluation, places), evaluation.request.level, named, everyone)


def measures_of(evaluation: Evaluation, places: Places) -> list[Measure]:
    """The metrics by which systems are scored again: those that reward, and read nothing but the grades of judged items."""
    request = evaluation.request
    fit = [] if request.options.get("lengths") is not None else list(filter(_can_be_repeated, request.measures))
    return by_grades_alone(places, fit)[:MOST_METRICS] or request.for_metrics(METRICS).measures


def _can_be_repeated(measure: Measure) -> bool:
    return measure.better == "higher" and all(part.metric.needs != RELATIONS for part in measure.parts)
