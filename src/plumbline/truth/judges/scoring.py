"""The scores of systems under each judge; outputs are ranked and joined once, beside everything that any judge judged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from plumbline.evaluation.evaluation import Evaluation, evaluation_of
from plumbline.io.judgements.judgements import NUMBER
from plumbline.io.judgements.part import ASSESSOR
from plumbline.io.table import FrameOrigin, Table
from plumbline.schema import CASE, ITEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from plumbline.align.judgements import Judgements as Gold
    from plumbline.align.ranking import AlignedRankings
    from plumbline.io.judgements.judgements import Judgements
    from plumbline.scores import Scores

ROW = "row"


def scores_by_judge(
    table: Judgements, outputs: dict[str, Table], metrics: list[str], options: Mapping[str, Any]
) -> Iterator[tuple[str, Scores]]:
    """Every judge with the scores that the systems have by its judgements alone."""
    everything = table.frame.unique([CASE, ITEM], maintain_order=True).with_columns(pl.lit(1.0).alias(NUMBER))
    together = _evaluation(_gold_table(everything, "all judges"), outputs, metrics, options)
    aligned = cast("AlignedRankings", together.alignment())
    rows = aligned.rows
    plain = rows.number is not None and rows.weight is None and not aligned.full_lists
    by_judge = table.frame.partition_by(ASSESSOR, as_dict=True, maintain_order=True)
    for judge in table.assessors:
        gold = _gold_table(by_judge[judge,], judge)
        alone = _evaluation(gold, outputs, metrics, options)
        narrowed = narrow(aligned, cast("Gold", alone.prepare().ready)) if plain else None
        # a judge of whose items no system has any is evaluated as if alone, and so are metrics that read whole lists
        yield judge, (alone if narrowed is None else together.of_alignment(gold, narrowed)).scores()


def _gold_table(rows: pl.DataFrame, label: str) -> Table:
    frame = rows.select(pl.col(CASE).cast(pl.Categorical), ITEM, pl.col(NUMBER).alias(VALUE))
    return Table(frame, label, "judgements", FrameOrigin(label))


def _evaluation(gold: Table, outputs: dict[str, Table], metrics: list[str], options: Mapping[str, Any]) -> Evaluation:
    return evaluation_of(gold, outputs, metrics, task="ranking", **options)


def narrow(aligned: AlignedRankings, gold: Gold) -> AlignedRankings | None:
    """The same lists beside one of the golds that the alignment was made of; None if they have no item of it."""
    case, row = _places_in(aligned.gold, gold)
    rows, systems, cases = aligned.rows, len(aligned.systems), len(gold.cases)
    new = row[cast("NDArray[np.int64]", rows.number)]
    kept = np.flatnonzero(new >= 0)
    if not len(kept):
        return None
    system, old = np.divmod(rows.list[kept], len(aligned.gold.cases))
    code = np.full(len(aligned.gold.cases), -1)
    code[case] = np.arange(cases)
    judged = replace(rows.take(kept), list=system * cases + code[old], grade=gold.grade[new[kept]], number=new[kept])
    return replace(
        aligned,
        gold=gold,
        rows=judged.in_order(),
        shown=aligned.shown.reshape(systems, -1)[:, case].ravel(),
        missing=aligned.missing.reshape(systems, -1)[:, case].ravel(),
        notices=(),
    )


def _places_in(everything: Gold, gold: Gold) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number that each case of a gold has among all cases; and the gold's row of each of all judged items, or -1."""
    case = np.array([everything.codes[name] for name in gold.cases], dtype=np.int64)
    gold_rows = pl.DataFrame({CASE: case[gold.case].astype(np.int32), ITEM: gold.items}).with_row_index(ROW)
    joined = everything.judged.select(CASE, ITEM).join(gold_rows, on=[CASE, ITEM], how="left", maintain_order="left")
    return case, joined[ROW].cast(pl.Int64).fill_null(-1).to_numpy()
