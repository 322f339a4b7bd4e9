"""The result of every task's computation, and what the computations share."""

from __future__ import annotations

from dataclasses import field
from itertools import starmap
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.deferred import deferring, later
from plumbline.lazily import pl
from plumbline.metrics.measure import Combined
from plumbline.records import dataclass
from plumbline.schema import LIST
from plumbline.views.terms import harmonic_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Measure, Single

    Values = NDArray[Any]
    """A number for each list, NaN where it is undefined; or texts."""


@deferring("values")
@dataclass(frozen=True, eq=False)
class Computed:
    """The values of measures on all lists."""

    values: pl.DataFrame
    """`list` and a column for each measure, with a row for each list; null where a measure is undefined."""
    measures: list[Measure]
    """The measures that were computed; one request such as `P(average=none)` may have become several."""
    notices: tuple[Diagnostic, ...] = ()
    arrays: Mapping[str, Values] = field(default_factory=dict)
    """The same values, where they were computed as arrays."""

    @classmethod
    def of(
        cls, arrays: Mapping[str, Values], lists: int, measures: list[Measure], notices: tuple[Diagnostic, ...] = ()
    ) -> Computed:
        """Values of so many lists that were computed as arrays; the table is made when it is first asked for."""
        return cls(later(lambda: _table(arrays, lists)), measures, notices, arrays)

    def array(self, measure: Measure) -> Values:
        """The values of a measure: numbers with NaN where it is undefined, or texts."""
        return self.arrays[measure.name] if measure.name in self.arrays else self.values[measure.name].to_numpy()


def _table(arrays: Mapping[str, Values], lists: int) -> pl.DataFrame:
    return pl.DataFrame([pl.Series(LIST, np.arange(lists)), *starmap(series_of, arrays.items())])


def series_of(name: str, values: Values) -> pl.Series:
    """The column of an array; what is not a number is null there."""
    if values.dtype == np.object_:
        return pl.Series(name, values.tolist(), dtype=pl.String)
    return pl.Series(name, values, nan_to_null=values.dtype.kind == "f")


def singles(measures: list[Measure]) -> list[Single]:
    """The single measures whose values are needed, each once."""
    return list(dict.fromkeys(part for measure in measures for part in measure.parts))


def combined(scored: pl.DataFrame, measures: list[Measure]) -> pl.DataFrame:
    """The values with those of every F, which come after their parts."""
    wanted = [measure for measure in measures if isinstance(measure, Combined)]
    if not wanted:
        return scored
    parts = {single.name: scored[single.name].cast(pl.Float64).to_numpy() for single in singles(list(wanted))}
    made = combined_values(parts, list(wanted))
    return scored.with_columns(pl.Series(one.name, made[one.name], nan_to_null=True) for one in wanted)


def combined_values(parts: Mapping[str, Values], measures: list[Measure]) -> dict[str, Values]:
    """The values with those of every F, which come after their parts."""
    further = {measure.name: _value(parts, measure) for measure in measures if isinstance(measure, Combined)}
    return {**parts, **further}


def _value(parts: Mapping[str, Values], measure: Measure) -> Values:
    """The values of a single measure, or F of two such values."""
    if isinstance(measure, Combined):
        return harmonic_values(_value(parts, measure.first), _value(parts, measure.second), measure.alpha)
    return parts[measure.name]


def worst_end(single: Single) -> float | None:
    """The end of the range that is worst; none if it is open."""
    least, most = single.metric.range
    return most if single.metric.better == "lower" else least


def finite(score: pl.Expr) -> pl.Expr:
    """A number, or null where it is infinite or NaN."""
    value = score.cast(pl.Float64)
    return pl.when(value.is_finite()).then(value)
