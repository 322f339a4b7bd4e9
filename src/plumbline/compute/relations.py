"""Reliability and Sensitivity of rankings and organizations: every metric is an array over lists from one view."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.organized import Organized
from plumbline.compute.result import Computed, combined, singles, worst_end
from plumbline.schema import CASE, GRADE, LIST
from plumbline.views.ranked_sides import ranked_sides
from plumbline.views.relations import Relations, Setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.lists import Aligned
    from plumbline.metrics.measure import Measure, Single


NO_OUTPUT: Final = "no output"
"""The cause of all that is lost on a case that a system lacks."""


def needs_relations(single: Single) -> bool:
    """Whether it looks at relations between all items of a list."""
    return single.metric.needs == "relations"


def setting_of(single: Single) -> Setting:
    """How a measure weighs and judges relations."""
    known = {field.name for field in fields(Setting)}
    return Setting(**{name: value for name, value in single.arguments if name in known})


def relations_of(aligned: Aligned | Organized) -> Relations:
    """The view of all lists."""
    if isinstance(aligned, Organized):
        return Relations(lambda _: aligned.sides)
    return Relations(
        lambda setting: (
            ranked_sides(aligned, system, setting.rel, finite=setting.finite) for system in range(len(aligned.systems))
        )
    )


def counted(aligned: Aligned | Organized, single: Single, view: Relations) -> NDArray[np.float64]:
    """The values of all lists: the worst where a system lacks a case, unless the gold has nothing there.

    Of a ranking nothing is defined where nothing is relevant.
    """
    setting = setting_of(single)
    values = single.metric.kernel(view, dict(single.arguments)["over"], setting)
    there = np.tile(_some_gold(aligned, setting.rel), len(aligned.systems))
    made = np.asarray(np.where(aligned.missing & there, worst_end(single), values))
    return made if isinstance(aligned, Organized) else np.where(there, made, np.nan)


def losses_by_cause(aligned: Aligned | Organized, single: Single, view: Relations) -> dict[str, NDArray[np.float64]]:
    """What is missing to 1 on each list, by cause; a system that lacks a case loses all to that. Not a number if undefined."""
    value = counted(aligned, single, view)
    which, over = single.metric.name, dict(single.arguments)["over"]
    found = view.losses(which, over, setting_of(single))  # type: ignore[arg-type]  # the declaration allows no others
    defined = ~np.isnan(value)
    lost = {cause: np.where(defined, np.where(aligned.missing, 0.0, amounts), np.nan) for cause, amounts in found.items()}
    if aligned.missing.any():
        lost[NO_OUTPUT] = np.where(aligned.missing, 1.0 - value, np.where(defined, 0.0, np.nan))
    return lost


def _some_gold(aligned: Aligned | Organized, rel: float | None) -> NDArray[np.bool_]:
    """Whether the gold prioritises anything, case by case."""
    if isinstance(aligned, Organized):
        return np.asarray(np.bincount(aligned.gold.rows[CASE].to_numpy(), minlength=len(aligned.cases)) > 0)
    return np.asarray(aligned.gold.counts(pl.col(GRADE) > 0 if rel is None else pl.col(GRADE) >= rel) > 0)


def relation_columns(aligned: Aligned | Organized, asked: list[Single]) -> list[pl.Series]:
    """A column for each measure, null where it is undefined."""
    view = relations_of(aligned)
    return [pl.Series(single.name, counted(aligned, single, view), nan_to_null=True) for single in asked]


def compute_organization(aligned: Organized, measures: list[Measure]) -> Computed:
    """The value of every measure on every list."""
    lists = pl.DataFrame({LIST: np.arange(len(aligned.missing))})
    return Computed(combined(lists.with_columns(relation_columns(aligned, singles(measures))), measures))
