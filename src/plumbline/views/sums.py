"""Sums over the rows of each list that are the same on every machine.

Polars adds long columns in as many parts as there are threads, so the last digits would depend on their number. NumPy adds
the rows of a list in one way only.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from plumbline.align.keys import starts


def summed(rows: pl.DataFrame, key: str) -> pl.DataFrame:
    """The sum of every other column for each value of the key, in rising order; what is null counts nothing."""
    ordered = rows if rows[key].is_sorted() else rows.sort(key, maintain_order=True)
    keys = ordered[key].to_numpy()
    first = starts(keys)
    numbers = ordered.drop(key).cast(pl.Float64).fill_null(0.0)
    if rows.is_empty():
        return numbers.insert_column(0, ordered[key])
    columns = {column.name: np.add.reduceat(column.to_numpy(), first) for column in numbers}
    return pl.DataFrame({key: ordered[key].gather(pl.Series(first)), **columns})


def averaged(rows: pl.DataFrame, key: str) -> pl.DataFrame:
    """The mean of every other column for each value of the key; null where all of its values are."""
    names = [name for name in rows.columns if name != key]
    counts = rows.with_columns(pl.col(name).is_not_null() for name in names)
    totals, known = summed(rows, key), summed(counts, key)
    return totals.with_columns(pl.when(known[name] > 0).then(pl.col(name) / known[name]).alias(name) for name in names)
