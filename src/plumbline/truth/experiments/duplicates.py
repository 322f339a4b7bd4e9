"""Units with several rows: those in two arms are a fault of the assignment, others have to be added up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData
from plumbline.errors import experiments as problems
from plumbline.truth.experiments.counting import ARM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.errors import Diagnostic
    from plumbline.truth.experiments.metric import Metric
    from plumbline.truth.experiments.units import UnitTable

_ROW: Final = "row number"


def one_row_each(
    table: UnitTable, variant: str, unit: str | None, paired: str | None, metrics: Sequence[Metric], on_duplicate: str
) -> tuple[pl.LazyFrame, tuple[Diagnostic, ...]]:
    """The rows with one for each unit, or for each unit and pair."""
    rows, arm = table.rows, table.text(variant)
    if unit is None:
        return rows, ()
    key = [unit] if paired is None else [unit, paired]
    counted = rows.select(pl.len().alias("rows"), pl.struct(key).n_unique() if paired else pl.col(unit).n_unique())
    total, different = table.collected(counted).row(0)
    if total == different and paired is None:
        return rows, ()
    notices: list[Diagnostic] = []
    crossed = (
        rows.select(pl.col(unit), arm.alias(ARM))
        .drop_nulls()
        .group_by(unit)
        .agg(pl.col(ARM).n_unique())
        .filter(pl.col(ARM) > 1)
    )
    in_two = table.collected(crossed.select(unit))
    if len(in_two) and on_duplicate != "drop":
        raise BadData(_in_two_arms(table, arm, unit, in_two[unit]))
    if len(in_two):
        rows = rows.join(in_two.lazy(), on=unit, how="anti", maintain_order="left")
        notices.append(problems.dropped(len(in_two)))
    if on_duplicate == "sum":
        return _summed(table, rows, key, metrics), tuple(notices)
    again = rows.group_by(key).agg(pl.len().alias("rows")).filter(pl.col("rows") > 1).drop_nulls(unit)
    repeated = table.collected(again)
    if len(repeated):
        raise BadData(_several_rows(table, unit, repeated))
    return rows, tuple(notices)


def _summed(table: UnitTable, rows: pl.LazyFrame, key: list[str], metrics: Sequence[Metric]) -> pl.LazyFrame:
    """The rows of each unit added up; what was before the start, and everything else, is taken from its first row."""
    added = {column for metric in metrics for column in metric.of.columns}
    others = [column for column in table.columns if column not in added and column not in key]
    return rows.group_by(key, maintain_order=True).agg(
        *(pl.when(table.number(column).count() > 0).then(table.number(column).sum()).alias(column) for column in sorted(added)),
        *(pl.col(column).first() for column in others),
    )


def _in_two_arms(table: UnitTable, arm: pl.Expr, unit: str, units: pl.Series) -> Diagnostic:
    where = _rows_of(table, unit, units, arm)
    first = where.row(0, named=True)
    mine = where.filter(pl.col(unit) == first[unit])
    arms = mine[ARM].drop_nulls().unique(maintain_order=True).to_list()
    second = mine.filter(pl.col(ARM) != arms[0])[_ROW][0]
    before = table.place(int(mine[_ROW][0]), unit)
    return problems.unit_in_two_arms(table.place(int(second), unit), str(first[unit]), arms, len(units), before)


def _several_rows(table: UnitTable, unit: str, repeated: pl.DataFrame) -> Diagnostic:
    where = _rows_of(table, unit, repeated[unit], pl.lit(None))
    name: Any = where[unit][0]
    mine = where.filter(pl.col(unit) == name)
    return problems.unit_twice(table.place(int(mine[_ROW][1]), unit), str(name), len(mine), len(repeated))


def _rows_of(table: UnitTable, unit: str, units: pl.Series, arm: pl.Expr) -> pl.DataFrame:
    """The rows of some units, in the order of the table."""
    numbered = table.rows.select(pl.col(unit), arm.alias(ARM)).with_row_index(_ROW)
    return numbered.join(units.to_frame(unit).lazy(), on=unit, how="semi").sort(_ROW).collect()
