"""Scores that are one table, system by system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from plumbline.schema import CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.io.scores.dataset.layout import BySystem


def by_system(
    systems: tuple[str, ...], metrics: tuple[str, ...], texts: tuple[str, ...], per_case: pl.DataFrame, text_table: pl.DataFrame
) -> BySystem:
    """The values of each system apart.

    Args:
        systems: The names of all systems; one may have no row.
        metrics: The names of all metrics with numbers.
        texts: Those of metrics with texts.
        per_case: `system, case, metric, value`.
        text_table: `system, case` and a column for each metric with texts.
    """
    return _Table(systems, metrics, texts, per_case, text_table)


@dataclass(frozen=True, eq=False)
class _Table:
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    texts: tuple[str, ...]
    per_case: pl.DataFrame
    text_table: pl.DataFrame

    @property
    def cases(self) -> tuple[str, ...]:
        """All cases, in the order in which they first occur."""
        return tuple((self.per_case if self.metrics else self.text_table)[CASE].unique(maintain_order=True))

    def frames(self) -> Iterator[pl.DataFrame]:
        """For each system its cases with a column for each metric."""
        values, texts = _apart(self.per_case), _apart(self.text_table)
        for system in self.systems:
            parts = []
            if self.metrics:
                rows = values.get(system, self.per_case.clear())
                wide = rows.pivot(METRIC, index=CASE, values=VALUE, maintain_order=True)
                lacking = [name for name in self.metrics if name not in wide.columns]
                parts.append(wide.with_columns(pl.lit(None, pl.Float64).alias(name) for name in lacking))
            if self.texts:
                parts.append(texts.get(system, self.text_table.clear()).drop(SYSTEM))
            yield parts[0] if len(parts) == 1 else parts[0].join(parts[1], on=CASE, how="left", maintain_order="left")


def _apart(table: pl.DataFrame) -> dict[str, pl.DataFrame]:
    if SYSTEM not in table.columns:
        return {}
    return {str(name): rows for (name,), rows in table.partition_by(SYSTEM, as_dict=True).items()}
