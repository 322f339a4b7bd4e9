"""Do two metrics say the same? Their correlations over all outputs and over the means of the systems, and metrics in groups."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, studies
from plumbline.evaluation.engines.registry import machine_memory
from plumbline.large import empty, made_by_columns, portions
from plumbline.lazily import hierarchy, spatial, stats
from plumbline.studies.outputs import mean_ranks, steps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from plumbline.studies.outputs import Outputs

    Numbers = NDArray[np.float64]


def pearson(values: Numbers) -> Numbers:
    """The correlation of all pairs of rows; not a number where a row does not vary."""
    mean = values.mean(axis=1, keepdims=True)
    centred = made_by_columns(values, lambda some: values[:, some] - mean)
    varies = np.ptp(steps(values), axis=1) > 0
    length = np.sqrt(made_by_columns(values, lambda some: centred[:, some] ** 2).sum(axis=1))
    length[~varies] = np.nan
    unit = empty(values.shape)
    for row, numbers, size in zip(unit, centred, length.tolist(), strict=True):
        for some in portions(row.shape):
            row[some] = numbers[some] / size
    return np.asarray(np.clip(unit @ unit.T, -1.0, 1.0))


def spearman(values: Numbers) -> Numbers:
    """The correlation of the ranks of all pairs of rows, where equal values share their mean rank."""
    return pearson(mean_ranks(values))


def kendall(values: Numbers) -> Numbers:
    """Kendall's tau-b of all pairs of rows; not a number where a row does not vary."""
    rounded = steps(values)
    table = np.diag(np.where(np.ptp(rounded, axis=1) > 0, 1.0, np.nan))
    for a, b in combinations(range(len(rounded)), 2):
        both = table[a, a] * table[b, b]
        table[a, b] = table[b, a] = both if np.isnan(both) else stats.kendalltau(rounded[a], rounded[b]).statistic
    return table


_BYTES_OF_KENDALL: Final = 48
"""Memory for each output, measured with 4,000,000 of them."""
MEASURES: Final[dict[str, Callable[[Numbers], Numbers]]] = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
"""Correlations of all pairs of rows, as tables."""


def system_means(outputs: Outputs) -> Numbers:
    """The mean of each system over its outputs, `[metric, system]`, of the systems that have any."""
    known, values = outputs.cube.known, outputs.cube.signed
    counts, sums = known.sum(axis=1), np.zeros(values.shape[:2])
    for rows in portions(known.shape):
        system, case = np.nonzero(known[rows])
        for of_metric, total in zip(values, sums, strict=True):
            total[rows] = np.bincount(system, weights=of_metric[rows][system, case], minlength=len(total[rows]))
    return np.asarray(sums[:, counts > 0] / counts[counts > 0])


def correlations(metrics: tuple[str, ...], values: Mapping[str, Numbers]) -> pl.DataFrame:
    """`a, b, over, count, pearson, spearman, kendall`, for each pair of metrics; `values` by what they are over."""
    most, memory = max(numbers.shape[1] for numbers in values.values()), machine_memory()
    if most * _BYTES_OF_KENDALL > memory:
        raise BadUsage(studies.large_kendall(most, most * _BYTES_OF_KENDALL, memory))
    rows = []
    for over, numbers in values.items():
        tables = [measure(numbers) for measure in MEASURES.values()]
        for a, b in combinations(range(len(metrics)), 2):
            rows.append((metrics[a], metrics[b], over, numbers.shape[1], *(float(table[a, b]) for table in tables)))
    schema = {"a": pl.String, "b": pl.String, "over": pl.String, "count": pl.Int64, **dict.fromkeys(MEASURES, pl.Float64)}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(pl.Float64).fill_nan(None))


def grouped(table: Numbers) -> list[int]:
    """An order of the rows in which similar ones stand together: average linkage of 1 - correlation, leaves in best order.

    A correlation that there is none of counts as 0.
    """
    if len(table) <= 2:  # noqa: PLR2004 - there is nothing to order
        return list(range(len(table)))

    distance = 1.0 - np.nan_to_num(table)
    np.fill_diagonal(distance, 0.0)
    flat = spatial.distance.squareform((distance + distance.T) / 2, checks=False)
    order = hierarchy.leaves_list(hierarchy.optimal_leaf_ordering(hierarchy.linkage(flat, "average"), flat))
    return [int(place) for place in (order if order[0] < order[-1] else order[::-1])]
