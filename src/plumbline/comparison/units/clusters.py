"""clusters_of(): which items belong together, by a column of the gold or as it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.align.items import GoldItems, prepare_items
from plumbline.comparison.units.reasons import why_not
from plumbline.errors import BadData, BadUsage, reports, units, usage
from plumbline.errors.base import plural
from plumbline.evaluation.evaluation import can_be_read_again
from plumbline.io.read import read
from plumbline.schema import CASE, ITEM, UNIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.evaluation.evaluation import Evaluation


def clusters_of(evaluation: Evaluation, given: Any) -> NDArray[np.int64]:  # noqa: ANN401 - a name, a dict or an array
    """The number of the cluster of each item of the gold, in its order.

    Args:
        evaluation: The gold and the outputs.
        given: The name of a column of the gold, a dict `{item: cluster}` or `{case: {item: cluster}}`, or the clusters in the
            order of the gold.

    Returns:
        What `item_evidence` takes as `clusters`.

    Raises:
        BadData: If an item has no cluster or two.
        BadUsage: If there is no such column, or items are no units.
    """
    reason = why_not(evaluation)
    if reason is not None:
        raise BadUsage(units.no_units(reason))
    gold = evaluation.alignment(items=True).gold
    if not isinstance(gold, GoldItems):
        raise BadUsage(units.no_units("spans are compared document by document, or one by one"))
    if isinstance(given, str):
        names = _of_column(evaluation, gold, given)
    elif isinstance(given, Mapping):
        names = _of_mapping(gold, given)
    else:
        names = pl.Series(given)
        if len(names) != len(gold.items):
            reason = f"units of {plural(len(names), 'item')}"
            raise BadUsage(usage.bad_object(reason, f"one for each of the {plural(len(gold.items), 'item')} of the gold"))
    return names.rank("dense").to_numpy().astype(np.int64) - 1


def _of_column(evaluation: Evaluation, gold: GoldItems, column: str) -> pl.Series:
    """Of the gold as it was read, or else of the gold read once more, with one column more."""
    reading = evaluation.request.reading
    if gold.units is not None and reading.column_of.get(UNIT) == column:
        return gold.units
    if not can_be_read_again(evaluation.gold):
        raise BadUsage(reports.read_once())
    table = read(evaluation.gold, "gold", replace(reading, tag=None, columns={**reading.column_of, UNIT: column}))
    if UNIT not in table.frame.columns:
        raise BadUsage(units.no_columns(table.label, column, table.reader))
    if len(gold.cases) > 1 and set(table.frame[UNIT]) == set(gold.cases):
        return pl.Series(gold.case)  # the column has been read as the case
    several = table.frame.group_by(CASE, ITEM, maintain_order=True).agg(pl.col(UNIT).unique(maintain_order=True))
    two = several.filter(pl.col(UNIT).list.len() > 1)
    if len(two):
        raise BadData(units.two_units(two[ITEM][0], two[UNIT][0].to_list()))
    again = prepare_items(table, evaluation.request.policy, several=isinstance(gold.values.dtype, pl.List))
    assert again.units is not None  # noqa: S101 - the column is there
    return again.units


def _of_mapping(gold: GoldItems, given: Mapping[Any, Any]) -> pl.Series:
    nested = all(isinstance(inner, Mapping) for inner in given.values())
    by_case = {case: given.get(case, {}) for case in gold.cases} if nested else dict.fromkeys(gold.cases, given)
    texts = {case: {str(item): str(cluster) for item, cluster in inner.items()} for case, inner in by_case.items()}
    case = (gold.cases[code] for code in gold.case.tolist())
    names = pl.Series([texts[of].get(item) for of, item in zip(case, gold.items.to_list(), strict=True)], dtype=pl.String)
    lacking = names.is_null()
    if lacking.any():
        examples = gold.items.filter(lacking).head(3).to_list()
        raise BadData(units.without_unit(examples, int(lacking.sum()), len(names)))
    return names
