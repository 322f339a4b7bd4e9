"""Reliability and Sensitivity of rankings and organizations: every metric is an array over lists from one view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import numpy as np

from plumbline.compute.computed import Computed, combined, singles, worst_end
from plumbline.errors import BadUsage, usage
from plumbline.lazily import pl
from plumbline.schema import LIST
from plumbline.views.relations import KINDS, Relations, Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.align.organization import AlignedOrganizations
    from plumbline.align.sides import AlignedSides
    from plumbline.metrics.measure import Measure, Single


NO_OUTPUT: Final = "no output"
"""The cause of all that is lost on a case that a system lacks."""


def needs_relations(single: Single) -> bool:
    """Whether it looks at relations between all items of a list."""
    return single.metric.needs == "relations"


def setting_of(single: Single) -> Setting:
    """How a measure weighs and judges relations."""
    setting: Setting = single.metric.kernel_arguments(single.arguments)["setting"]
    return setting


def relations_of(aligned: AlignedSides) -> Relations:
    """The view of all lists."""
    return Relations(
        lambda setting: (aligned.sides(system, setting.rel, finite=setting.finite) for system in range(len(aligned.systems)))
    )


def relation_values(aligned: AlignedSides, single: Single, view: Relations) -> NDArray[np.float64]:
    """The values of all lists: the worst where a system lacks a case, unless the gold has nothing there."""
    setting = setting_of(single)
    values = single.metric.apply(view, single.arguments)
    has_gold = np.tile(aligned.prioritised_by_gold(setting.rel), len(aligned.systems))
    with_worst = np.asarray(np.where(aligned.missing & has_gold, worst_end(single), values))
    return np.where(has_gold, with_worst, np.nan) if aligned.needs_gold else with_worst


def losses_by_cause(aligned: AlignedSides, single: Single, view: Relations) -> dict[str, NDArray[np.float64]]:
    """What is missing to 1 on each list, by cause; a system that lacks a case loses all to that. NaN if undefined."""
    value = relation_values(aligned, single, view)
    which, over = single.metric.name, dict(single.arguments)["over"]
    amounts_by_cause = view.losses(which, over, setting_of(single))  # type: ignore[arg-type]  # the declaration allows no others
    defined = ~np.isnan(value)
    lost = {
        cause: np.where(defined, np.where(aligned.missing, 0.0, amounts), np.nan) for cause, amounts in amounts_by_cause.items()
    }
    if aligned.missing.any():
        lost[NO_OUTPUT] = np.where(aligned.missing, 1.0 - value, np.where(defined, 0.0, np.nan))
    return lost


def relation_losses(
    align: Callable[[Iterable[str]], Alignment], wanted: list[Single], known: tuple[str, ...]
) -> tuple[Alignment, Iterator[tuple[Single, NDArray[np.float64], dict[str, NDArray[np.float64]]]]]:
    """The alignment, and for each measure its values and what each cause took from them; `known` are examples of measures."""
    other = next((single for single in wanted if not needs_relations(single)), None)
    if other is not None:
        raise BadUsage(usage.bad_option("metric", other.name, list(known)))
    both = next((single for single in wanted if str(dict(single.arguments)["over"]) not in KINDS), None)
    if both is not None:
        raise BadUsage(usage.both_kinds(both.name))
    aligned = align({"relations"})
    sides = cast("AlignedSides", aligned)
    view = relations_of(sides)
    return aligned, ((single, relation_values(sides, single, view), losses_by_cause(sides, single, view)) for single in wanted)


def relation_columns(aligned: AlignedSides, parts: list[Single]) -> list[pl.Series]:
    """A column for each measure, null where it is undefined."""
    view = relations_of(aligned)
    return [pl.Series(single.name, relation_values(aligned, single, view), nan_to_null=True) for single in parts]


def compute_organization(aligned: AlignedOrganizations, measures: list[Measure]) -> Computed:
    """The value of every measure on every list."""
    lists = pl.DataFrame({LIST: np.arange(len(aligned.missing))})
    return Computed(combined(lists.with_columns(relation_columns(aligned, singles(measures))), measures), measures)
