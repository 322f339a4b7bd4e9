"""Tables of sums: units that somebody has counted already, with a row for each arm, or for each arm and segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData
from plumbline.errors import experiments as problems
from plumbline.io.columns.text import single_values
from plumbline.truth.experiments.power import MOST_UNITS
from plumbline.truth.experiments.sums import Sums

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.truth.experiments.counting import Layout
    from plumbline.truth.experiments.units import UnitTable

COUNTS: Final = ("n", "count", "units", "users", "trials")
SUM: Final = "sum"
SQUARES: Final = "sum_of_squares"
PRODUCTS: Final = "sum_of_products"
METRIC: Final = "metric"
ONLY: Final = "value"
"""What the quantity of a table with one sum is called."""


def count_column(table: UnitTable) -> str | None:
    """The column with the number of units, if the table holds sums."""
    sums = any(column == SUM or column.endswith(f"_{SUM}") for column in table.columns)
    return table.find(None, COUNTS) if sums else None


def widened(table: UnitTable, variant: str, keys: tuple[str, ...]) -> pl.DataFrame:
    """The whole table with a column for each sum, `orders_sum`, also where a column names the metric of each row."""
    frame = table.rows.collect()
    if METRIC not in frame.columns:
        return frame.rename({name: f"{ONLY}_{name}" for name in (SUM, SQUARES) if name in frame.columns})
    present = [name for name in (SUM, SQUARES) if name in frame.columns]
    count = count_column(table) or COUNTS[0]
    index = [name for name in (variant, *keys) if name in frame.columns]
    names = frame[METRIC].unique(maintain_order=True).to_list()
    counts = frame.group_by(index, maintain_order=True).agg(pl.col(count).first(), pl.col(count).n_unique().alias("different"))
    if (counts["different"] > 1).any():
        raise BadData(problems.bad_sums(table.label, "the metrics of an arm have different numbers of units"))
    wide = counts.drop("different")
    for name in names:
        some = frame.filter(pl.col(METRIC) == name)
        renamed = some.select(*index, *(pl.col(one).alias(f"{name}_{one}") for one in present))
        wide = wide.join(renamed, on=index, how="left", maintain_order="left")
    return wide


def quantities(frame: pl.DataFrame) -> list[str]:
    """The quantities of which there is a sum."""
    return [column.removesuffix(f"_{SUM}") for column in frame.columns if column.endswith(f"_{SUM}")]


def sums_of(table: UnitTable, frame: pl.DataFrame, count: str, layout: Layout) -> tuple[Sums, tuple[Diagnostic, ...]]:
    """The sums as they stand in the table."""
    names = quantities(frame)
    n = _numbers(table, frame, count)
    if not ((n > 0) & (n <= MOST_UNITS) & (n == np.floor(n))).all():
        raise BadData(problems.bad_sums(table.label, f"{count} must be whole numbers above 0, and at most {MOST_UNITS:,}"))
    first = np.column_stack([_numbers(table, frame, f"{name}_{SUM}") for name in names])
    second = np.full((len(frame), len(names), len(names)), np.nan)
    shares = []
    for at, name in enumerate(names):
        if f"{name}_{SQUARES}" in frame.columns:
            second[:, at, at] = _numbers(table, frame, f"{name}_{SQUARES}")
            _check_squares(table, name, n, first[:, at], second[:, at, at])
        elif ((first[:, at] >= 0) & (first[:, at] <= n)).all():
            second[:, at, at] = first[:, at]
            shares.append(name)
        else:
            reason = f"{name} has no sum of squares, and its sum is not a count of units"
            raise BadData(problems.bad_sums(table.label, reason))
        for other in range(at):
            product = next(
                (
                    column
                    for column in (f"{name}_{names[other]}_{PRODUCTS}", f"{names[other]}_{name}_{PRODUCTS}")
                    if column in frame.columns
                ),
                None,
            )
            if product is not None:
                second[:, at, other] = second[:, other, at] = _numbers(table, frame, product)
    keys = frame.select(table_keys(table, frame, layout))
    known = np.repeat(n[:, None], len(names), axis=1).astype(np.int64)
    sums = Sums(keys, tuple(names), np.zeros(len(names)), n.astype(np.int64), known, first, second, frozenset(shares))
    return sums, ((problems.no_squares(shares),) if shares else ())


def table_keys(table: UnitTable, frame: pl.DataFrame, layout: Layout) -> list[pl.Expr]:
    """The keys of the groups, of columns that the table has."""
    missing = next((key for key in (layout.variant, *layout.keys) if key not in frame.columns), None)
    if missing is not None:
        raise BadData(problems.bad_sums(table.label, f"there is no column {missing}"))
    return layout.expressions(table)


def _check_squares(table: UnitTable, name: str, n: object, first: object, second: object) -> None:
    with np.errstate(over="ignore"):
        allowed = np.asarray(second) * np.asarray(n) * (1 + 1e-9) >= np.asarray(first) ** 2
    if not allowed.all():
        raise BadData(problems.bad_sums(table.label, f"the sum of squares of {name} is smaller than its sum allows"))


def _numbers(table: UnitTable, frame: pl.DataFrame, column: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    numbers = single_values(frame[column], column).cast(pl.Float64, strict=False)
    if numbers.null_count() or not numbers.is_finite().all():
        raise BadData(problems.bad_sums(table.label, f"{column} has cells that are not numbers"))
    return numbers.to_numpy()
