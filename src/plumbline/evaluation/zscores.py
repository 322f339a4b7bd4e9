"""Standardised scores: how many standard deviations a score lies above the mean that other systems had in the same case."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadData, BadUsage, files, table, usage
from plumbline.io.bytes.content import load
from plumbline.io.bytes.lines import Fields, data_lines
from plumbline.lazily import pl
from plumbline.schema import CASE, METRIC

if TYPE_CHECKING:
    from plumbline.metrics.measure import Measure

COLUMNS: Final = (CASE, METRIC, "mean", "std")
COUNT_OF_CASES: Final = "NumQ"
"""Counts cases, so it stays as it is."""


def read_reference(source: Any) -> pl.DataFrame:
    """Means and standard deviations by case and metric: lines `case metric mean std`, as trec_eval reads them, or a frame."""
    if isinstance(source, pl.DataFrame):
        if not set(COLUMNS) <= set(source.columns):
            raise BadUsage(usage.bad_object("the reference scores", f"a frame with the columns {', '.join(COLUMNS)}"))
        try:
            return source.select(COLUMNS).cast(_schema())  # type: ignore[arg-type]  # names to types
        except pl.exceptions.PolarsError:
            raise BadUsage(usage.bad_object("the reference scores", "mean and std as numbers")) from None
    if not isinstance(source, (str, os.PathLike)) and not hasattr(source, "read"):
        raise BadUsage(usage.bad_object("the reference scores", "a path or a frame"))
    content = load(source, None)
    rows = [_row(Fields.of(number, line), content.label) for number, line in data_lines(content)]
    if not rows:
        raise BadData(files.no_data(content.label))
    return pl.DataFrame(rows, schema=_schema(), orient="row")


def _row(fields: Fields, path: str) -> tuple[str, str, float, float]:
    if len(fields) != len(COLUMNS):
        raise BadData(table.wrong_columns(fields.place(path), len(fields), len(COLUMNS), " ".join(COLUMNS)))
    numbers = []
    for index in (2, 3):
        try:
            numbers.append(float(fields[index]))
        except ValueError:
            raise BadData(table.not_a_number(fields.place(path, index), COLUMNS[index], fields[index])) from None
        if not math.isfinite(numbers[-1]):
            raise BadData(table.not_finite(fields.place(path, index), COLUMNS[index], fields[index]))
    return fields[0], fields[1], numbers[0], numbers[1]


def standardised(wide: pl.DataFrame, measures: list[Measure], reference: pl.DataFrame) -> pl.DataFrame:
    """Every value minus the mean over the standard deviation; null where the reference has none, or they do not vary."""
    for measure in measures:
        if measure.name == COUNT_OF_CASES:
            continue
        reference_scores = reference.filter(pl.col(METRIC).is_in([measure.name, measure.typed])).unique(CASE, keep="first")
        known = wide.select(CASE).join(reference_scores, on=CASE, how="left", maintain_order="left")
        spread = known["std"].set(known["std"] <= 0, None)
        wide = wide.with_columns(((wide[measure.name] - known["mean"]) / spread).alias(measure.name))
    return wide


def _schema() -> dict[str, type[pl.DataType]]:
    return {CASE: pl.String, METRIC: pl.String, "mean": pl.Float64, "std": pl.Float64}
