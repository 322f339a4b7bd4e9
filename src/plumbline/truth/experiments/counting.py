"""From a table of units to sums by arm, segment and day, in one pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData
from plumbline.errors import experiments as problems
from plumbline.io.columns.text import single_texts
from plumbline.truth.experiments.sums import Sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.truth.experiments.metric import Metric
    from plumbline.truth.experiments.units import UnitTable

ARM: Final = "arm"
_ROW: Final = "row"
_KEY: Final = "key {}"


@dataclass(frozen=True, eq=False)
class Layout:
    """Which columns tell the groups apart."""

    variant: str
    keys: tuple[str, ...] = ()
    """Segments, days and pairs."""
    moments: frozenset[str] = frozenset()
    """Those of the keys that are moments, which are cut to days."""

    def expressions(self, table: UnitTable) -> list[pl.Expr]:
        """The arm and the other keys as texts; numbers that are moments stay numbers, so that they can be ordered."""
        others = [moment(table, key) if key in self.moments else table.text(key) for key in self.keys]
        return [table.text(self.variant).alias(ARM), *(one.alias(_KEY.format(at)) for at, one in enumerate(others))]

    @property
    def names(self) -> list[str]:
        """The names of the keys in the sums, the arm first."""
        return [ARM, *(_KEY.format(at) for at in range(len(self.keys)))]

    def key(self, column: str) -> str:
        """The name of a column among the keys of the sums."""
        return _KEY.format(self.keys.index(column))


def moment(table: UnitTable, name: str) -> pl.Expr:
    """When a unit came: the day of a date, or a number as it is."""
    kind = table.schema[name]
    if kind.is_temporal():
        return pl.col(name).cast(pl.Date).cast(pl.String)
    if kind.is_numeric():
        return pl.col(name).cast(pl.Float64)
    texts = single_texts(table.head[name], name).drop_nulls()
    if len(texts) and texts.str.contains(r"^\d{4}-\d\d-\d\d").all():
        return pl.col(name).str.slice(0, 10)
    numbers = texts.cast(pl.Float64, strict=False)
    return pl.col(name).cast(pl.Float64, strict=False) if len(texts) and not numbers.null_count() else table.text(name)


def count(table: UnitTable, rows: pl.LazyFrame, layout: Layout, metrics: Sequence[Metric]) -> Sums:
    """The sums that all metrics need; cells that are no numbers are refused."""
    columns = tuple(dict.fromkeys(column for metric in metrics for column in metric.columns))
    pairs = sorted(
        {
            tuple(sorted((columns.index(a), columns.index(b))))
            for metric in metrics
            for a, b in combinations_with_replacement(metric.columns, 2)
        }
    )
    binary = [column for column in columns if table.looks_binary(column)]
    shift = np.array([0.0 if column in binary else _middle(table, column) for column in columns])
    values = [(table.number(column) - shift[at]).alias(f"x{at}") for at, column in enumerate(columns)]
    wrong = {at: cell for at, column in enumerate(columns) if (cell := table.is_wrong(column)) is not None}
    shifted = rows.select(*layout.expressions(table), *values, *(cell.alias(f"wrong{at}") for at, cell in wrong.items()))
    sums = [
        pl.len().alias("n"),
        *(pl.col(f"x{at}").count().alias(f"known{at}") for at in range(len(columns))),
        *(pl.col(f"x{at}").sum().alias(f"sum{at}") for at in range(len(columns))),
        *((pl.col(f"x{a}") * pl.col(f"x{b}")).sum().alias(f"sum{a}x{b}") for a, b in pairs),
        *(pl.col(f"wrong{at}").sum() for at in wrong),
        *(pl.col(f"x{columns.index(column)}").min().alias(f"min {column}") for column in binary),
        *(pl.col(f"x{columns.index(column)}").max().alias(f"max {column}") for column in binary),
    ]
    counted = table.collected(shifted.group_by(layout.names).agg(sums)).sort(layout.names, nulls_last=True)
    _refuse_wrong(table, rows, counted, {at: columns[at] for at in wrong})
    first = _matrix(counted, [f"sum{at}" for at in range(len(columns))])
    second = np.zeros((len(counted), len(columns), len(columns)))
    for a, b in pairs:
        second[:, a, b] = second[:, b, a] = counted[f"sum{a}x{b}"].to_numpy()
    _refuse_infinite(table, rows, columns, second)
    return Sums(
        counted.select(layout.names),
        columns,
        shift,
        counted["n"].cast(pl.Int64).to_numpy(),
        _matrix(counted, [f"known{at}" for at in range(len(columns))]).astype(np.int64),
        first,
        second,
        frozenset(column for column in binary if _is_binary(counted, column, columns.index(column))),
    )


def _middle(table: UnitTable, column: str) -> float:
    """A value near the mean, from the first rows.

    It is a whole number where the values are: sums of whole numbers are exact, in whatever order threads add them.
    """
    values = table.head.select(table.number(column)).to_series().drop_nulls()
    finite = values.filter(values.is_finite())
    middle = float(finite.mean()) if len(finite) else 0.0  # type: ignore[arg-type]  # a mean of numbers is a number
    if not np.isfinite(middle):
        return 0.0  # sums are refused later, by the name of the column
    return float(round(middle)) if bool((finite == finite.round()).all()) else middle


def _is_binary(counted: pl.DataFrame, column: str, at: int) -> bool:
    """Whether all values are 0 or 1: none is outside, and squaring changes nothing."""
    low, high = counted[f"min {column}"].min(), counted[f"max {column}"].max()
    within = low is not None and high is not None and low >= 0 and high <= 1  # type: ignore[operator]  # numbers
    return bool(within and counted[f"sum{at}"].sum() == counted[f"sum{at}x{at}"].sum())


def _matrix(frame: pl.DataFrame, columns: list[str]) -> NDArray[np.float64]:
    return frame.select(pl.col(columns).cast(pl.Float64)).to_numpy()


def _refuse_wrong(table: UnitTable, rows: pl.LazyFrame, counted: pl.DataFrame, columns: dict[int, str]) -> None:
    for at, column in columns.items():
        number = int(counted[f"wrong{at}"].sum() or 0)
        cell = table.is_wrong(column)
        if number and cell is not None:
            raise BadData(_not_a_value(table, rows, column, cell, number))


def _refuse_infinite(table: UnitTable, rows: pl.LazyFrame, columns: Sequence[str], second: NDArray[np.float64]) -> None:
    for at, column in enumerate(columns):
        if not np.isfinite(second[:, at, at]).all():
            cell = table.number(column).is_infinite()
            number = int(table.collected(rows.select(cell.sum())).item())
            if number == 0:
                raise BadData(problems.too_large(table.label, column))
            raise BadData(_not_a_value(table, rows, column, cell, number))


def _not_a_value(table: UnitTable, rows: pl.LazyFrame, column: str, cell: pl.Expr, number: int) -> Diagnostic:
    faulty = (
        rows.select(pl.int_range(pl.len()).alias(_ROW), pl.col(column), cell.alias("wrong")).filter("wrong").head(1).collect()
    )
    return problems.not_a_value(table.place(int(faulty[_ROW][0]), column), column, str(faulty[column][0]), number)


def metric_sums(table: UnitTable, rows: pl.LazyFrame, layout: Layout, every: Sums, metric: Metric) -> Sums:
    """The sums of one metric over the units that have all of its columns."""
    some = every.only(metric.columns)
    complete = some.complete()
    if complete is not None:
        return complete
    known = rows.filter(pl.all_horizontal(table.number(column).is_not_null() for column in metric.columns))
    return count(table, known, layout, [metric])


def unit_values(table: UnitTable, rows: pl.LazyFrame, layout: Layout, metric: Metric) -> pl.DataFrame:
    """The values of a metric that is no sum, with the keys of each unit."""
    column = metric.of.numerator
    value = table.number(column).alias("value")
    wrong = table.is_wrong(column)
    if wrong is not None and (number := int(table.collected(rows.select(wrong.sum())).item() or 0)):
        raise BadData(_not_a_value(table, rows, column, wrong, number))
    return table.collected(rows.select(*layout.expressions(table), value).drop_nulls("value"))
