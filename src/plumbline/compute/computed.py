"""The result of every task's computation, and what the computations share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from plumbline.metrics.measure import Combined
from plumbline.views.terms import harmonic

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Measure, Single


@dataclass(frozen=True)
class Computed:
    """The values of measures on all lists."""

    values: pl.DataFrame
    """`list` and a column for each measure, with a row for each list; null where a measure is undefined."""
    measures: list[Measure]
    """The measures that were computed; one request such as `P(average=none)` may have become several."""
    notices: tuple[Diagnostic, ...] = ()


def singles(measures: list[Measure]) -> list[Single]:
    """The single measures whose values are needed, each once."""
    return list(dict.fromkeys(part for measure in measures for part in measure.parts))


def combined(scored: pl.DataFrame, measures: list[Measure]) -> pl.DataFrame:
    """The values with those of every F, which come after their parts."""
    return scored.with_columns(_value(measure).alias(measure.name) for measure in measures if isinstance(measure, Combined))


def _value(measure: Measure) -> pl.Expr:
    """A column of a single measure, or F of two such values."""
    if isinstance(measure, Combined):
        return harmonic(_value(measure.first), _value(measure.second), measure.alpha)
    return pl.col(measure.name)


def worst_end(single: Single) -> float | None:
    """The end of the range that is worst; none if it is open."""
    least, most = single.metric.range
    return most if single.metric.better == "lower" else least


def finite(score: pl.Expr) -> pl.Expr:
    """A number, or null where it is infinite or NaN."""
    value = score.cast(pl.Float64)
    return pl.when(value.is_finite()).then(value)
