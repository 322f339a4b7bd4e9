"""Judgements as numbers: units, assessors and categories, and what level the categories are of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, judgements
from plumbline.io.judgements.judgements import NUMBER
from plumbline.io.judgements.part import ASSESSOR
from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.judgements.judgements import Judgements

    Codes = NDArray[np.int64]
    Numbers = NDArray[np.float64]

Level = Literal["nominal", "ordinal", "interval", "ratio", "sets"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
_MOST_GRADES: Final = 20
"""Whole numbers with more different values than these are read as measured, not graded."""
TWO: Final = 2


@dataclass(frozen=True, eq=False)
class Ratings:
    """A judgement is a unit, an assessor and a category; no assessor judges a unit twice, and units come in order."""

    unit: Codes
    assessor: Codes
    category: Codes
    assessors: tuple[str, ...]
    categories: tuple[str, ...]
    """The labels, from the lowest to the highest where they have an order."""
    values: Numbers
    """The number of each category; its place where labels are no numbers."""
    case: Codes
    """The case of each unit."""
    cases: tuple[str, ...]
    items: tuple[str, ...] = ()
    """The item of each unit."""
    sets: tuple[frozenset[str], ...] = ()
    """The labels of each category, where answers are sets."""

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self.case)

    @cached_property
    def counts(self) -> Numbers:
        """How many assessors chose each category, `[unit, category]`."""
        flat = np.bincount(self.unit * len(self.categories) + self.category, minlength=self.units * len(self.categories))
        return flat.reshape(self.units, len(self.categories)).astype(np.float64)

    @cached_property
    def judged(self) -> Numbers:
        """How many judgements each unit has."""
        return np.bincount(self.unit, minlength=self.units).astype(np.float64)

    def without(self, assessor: int) -> Ratings:
        """The same without one assessor."""
        return self.rows(self.assessor != assessor)

    def rows(self, kept: NDArray[np.bool_]) -> Ratings:
        """Some of the judgements; units and names stay."""
        return replace(self, unit=self.unit[kept], assessor=self.assessor[kept], category=self.category[kept])

    def cut(self, at: float) -> Ratings:
        """Two categories: below a grade, and from it on."""
        high = (self.values >= at).astype(np.int64)
        return replace(
            self,
            category=high[self.category],
            categories=(f"below {at:g}", f"from {at:g}"),
            values=np.array([0.0, 1.0]),
            sets=(),
        )


def ratings_of(table: Judgements, scale: tuple[float, float] | None = None) -> Ratings:
    """The judgements as numbers; with a scale of whole numbers, all its grades are categories."""
    frame = table.frame
    units = frame.select(CASE, ITEM).with_columns(pl.struct(CASE, ITEM).rank("dense").alias("unit") - 1)
    unit = units["unit"].to_numpy().astype(np.int64)
    order = np.argsort(unit, kind="stable")
    firsts = units.unique("unit", maintain_order=True).sort("unit")
    case_names = firsts[CASE].unique(maintain_order=True)
    assessors = frame[ASSESSOR].unique(maintain_order=True)
    labels, values, sets = _categories(table, scale)
    names = frame[LABEL].list.unique().list.sort().list.join("\x1f") if table.are_sets else frame[LABEL]
    keys = ["\x1f".join(sorted(one)) for one in sets] if table.are_sets else labels
    category = _codes(names, pl.Series(keys, dtype=pl.String))
    return Ratings(
        unit[order],
        _codes(frame[ASSESSOR], assessors)[order],
        category[order],
        tuple(assessors),
        tuple(labels),
        values,
        _codes(firsts[CASE], case_names),
        tuple(case_names),
        tuple(firsts[ITEM]),
        sets,
    )


def _codes(values: pl.Series, names: pl.Series) -> Codes:
    """The place of each value among the names."""
    if values.is_empty():
        return np.zeros(0, dtype=np.int64)
    return values.replace_strict(names, pl.Series(range(len(names)), dtype=pl.Int64), return_dtype=pl.Int64).to_numpy()


def _categories(table: Judgements, scale: tuple[float, float] | None) -> tuple[list[str], Numbers, tuple[frozenset[str], ...]]:
    frame = table.frame
    if table.are_sets:
        sets = sorted({frozenset(one) for one in frame[LABEL].to_list()}, key=lambda one: (len(one), sorted(one)))
        return [", ".join(sorted(one)) for one in sets], np.arange(len(sets), dtype=np.float64), tuple(sets)
    if not table.are_numbers:
        labels = frame[LABEL].unique().sort().to_list()
        return labels, np.arange(len(labels), dtype=np.float64), ()
    categories = frame.select(LABEL, NUMBER).unique().sort(NUMBER)
    values = {float(number): label for label, number in categories.iter_rows()}
    if scale is not None and all(number == int(number) for number in (*values, *scale)):
        values = {float(one): values.get(float(one), str(one)) for one in range(int(scale[0]), int(scale[1]) + 1)} | values
    numbers = sorted(values)
    return [values[number] for number in numbers], np.array(numbers), ()


def level_of(table: Judgements, wanted: Level | None) -> tuple[Level, tuple[Diagnostic, ...]]:
    """The level that was given, if labels can be of it, or else a guess, with a notice."""
    if wanted is not None:
        if wanted in {"ordinal", "interval", "ratio"} and not table.are_numbers:
            labels = table.frame[LABEL].explode().unique().sort().cast(pl.String).to_list()
            raise BadUsage(judgements.no_distances(labels, wanted))
        return wanted, ()
    if table.are_sets:
        return "sets", (judgements.guessed_level("sets", "answers have several labels"),)
    if not table.are_numbers:
        return "nominal", (judgements.guessed_level("nominal", "labels are not numbers"),)
    numbers = table.frame[NUMBER].unique()
    if len(numbers) <= TWO:
        return "nominal", (judgements.guessed_level("nominal", "there are two labels at most"),)
    if len(numbers) <= _MOST_GRADES and (numbers == numbers.floor()).all():
        reason = f"labels are {len(numbers)} whole numbers"
        return "ordinal", (judgements.guessed_level("ordinal", reason),)
    return "interval", (judgements.guessed_level("interval", "labels are numbers with many values"),)
