"""Metrics of rankings that follow from click models: expected utility of clicks, and expected 1/rank of satisfaction.

Utility (EBU, uPBM, uUBM, uSDBN, uDCM, uCCM) is the sum over ranks of the probability of a click times the relevance of what is
clicked; effort (rrDBN, rrSDBN) is the expected reciprocal rank at which a user is satisfied (Chuklin 2013; Yilmaz 2010).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, clicks
from plumbline.io.table import ReadOptions
from plumbline.schema import CASE, ITEM
from plumbline.truth.clicks.estimates import named_items
from plumbline.truth.clicks.log import Pages
from plumbline.truth.pools.lists import DOC, RUN, read_lists

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.truth.clicks.log import ClickLog
    from plumbline.truth.clicks.registry import ClickModel, Fit
    from plumbline.truth.pools.lists import PooledLists

    Numbers = NDArray[np.float64]

SCHEMA = {"system": pl.String, CASE: pl.String, "metric": pl.String, "value": pl.Float64}


def by_systems(
    systems: Any,
    fitted: Sequence[tuple[ClickModel, Fit]],
    log: ClickLog,
    gold: pl.DataFrame,
) -> tuple[pl.DataFrame, tuple[Diagnostic, ...]]:
    """`system, case, metric, value`, down to the deepest rank of the log; items that the log never showed count as irrelevant.

    The relevance of an item is its grade in the gold, so that cautious grades make cautious scores.
    """
    if systems is None:
        return pl.DataFrame(schema=SCHEMA), ()
    scoring = [(model, fit) for model, fit in fitted if model.metrics]
    if not scoring:
        raise BadUsage(
            clicks.model_without(fitted[0][0].name, "metric of rankings", ["pbm", "ubm", "dcm", "sdbn", "ccm", "dbn"])
        )
    lists = read_lists(systems, ReadOptions(role="output"), log.depth)
    pages, known = _pages(lists, log)
    remarks = list(lists.notices)
    for number, name in enumerate(lists.systems):
        places = pages.pair[_run(lists, pages) == number]
        shown = places >= -1
        share = float((places[shown] == -1).mean()) if shown.any() else 0.0
        if share == 1:
            raise BadUsage(clicks.nothing_known(name))
        if share > 0:
            remarks.append(clicks.unshown_items(name, f"{share:.1%}"))
    frames = []
    for model, fit in scoring:
        grades = _grades(gold.filter(pl.col("model") == model.name), log)
        frames += [_named(name, values, lists, pages) for name, values in _values(model, fit, known, grades).items()]
    return pl.concat(frames), tuple(remarks)


def _pages(lists: PooledLists, log: ClickLog) -> tuple[Pages, Pages]:
    """A page for each list: -2 beyond its end, -1 for an item that the log never showed; and the same with -1 for both."""
    names = named_items(log).with_row_index("pair")
    cases = pl.Series(lists.cases, dtype=pl.String)
    docs = lists.docs.with_columns(cases.gather(lists.docs[CASE]).alias(CASE))
    numbers = (
        docs.join(names, on=[CASE, ITEM], how="left", maintain_order="left")["pair"].cast(pl.Int64).fill_null(-1).to_numpy()
    )
    doc, run, rank = (lists.rows[name].to_numpy() for name in (DOC, RUN, "rank"))
    pair = np.full((len(lists.systems) * len(lists.cases), log.depth), -2, dtype=np.int64)
    pair[run * len(lists.cases) + lists.case[doc], rank - 1] = numbers[doc]
    return Pages(pair, log.pairs), Pages(np.maximum(pair, -1), log.pairs)


def _run(lists: PooledLists, pages: Pages) -> NDArray[np.int64]:
    return np.arange(len(pages.pair)) // len(lists.cases)


def _grades(gold: pl.DataFrame, log: ClickLog) -> Numbers:
    """The grade of each pair; 0 where there is none."""
    joined = named_items(log).join(gold.select(CASE, ITEM, "grade"), on=[CASE, ITEM], how="left", maintain_order="left")
    return joined["grade"].fill_null(0.0).to_numpy()


def _values(model: ClickModel, fit: Fit, known: Pages, grades: Numbers) -> dict[str, Numbers]:
    """The value of each page by each metric of a model."""
    reach = model.reach({name: np.nan_to_num(value) for name, value in fit.parameters.items()}, known)
    grade, ranks = known.spread(grades), np.arange(1, known.depth + 1)
    terms = {"utility": reach.clicked * grade, "effort": reach.examined * grade / ranks}
    return {name: terms[kind].sum(axis=1) for name, kind in model.metrics.items()}


def _named(name: str, values: Numbers, lists: PooledLists, pages: Pages) -> pl.DataFrame:
    """The values of lists that are not empty, with their systems and cases."""
    there = (pages.pair >= -1).any(axis=1)
    run, case = _run(lists, pages)[there], np.arange(len(pages.pair))[there] % len(lists.cases)
    return pl.DataFrame(
        {
            "system": pl.Series(lists.systems, dtype=pl.String).gather(run),
            CASE: pl.Series(lists.cases, dtype=pl.String).gather(case),
            "metric": pl.Series([name] * int(there.sum()), dtype=pl.String),
            "value": pl.Series(values[there], dtype=pl.Float64),
        }
    )
