"""Classifiers that ignore the gold: the most frequent class, and labels dealt out at random."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.class_counts import ClassCells, by_class, count_several
from plumbline.compute.classification import compute_classification
from plumbline.compute.computed import singles
from plumbline.compute.floor import Floor
from plumbline.errors import floors
from plumbline.schema import LIST, TIMES
from plumbline.views.sums import averaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.classification import AlignedLabels
    from plumbline.metrics.measure import Measure

MOST_DRAWS: Final = 1000
LEAST_DRAWS: Final = 20
MOST_CELLS: Final = 4_000_000
"""Cells of all drawn confusion matrices together."""


def classification_floor(aligned: AlignedLabels, measures: list[Measure], _rate: float) -> Floor:
    """The values of each baseline in every case, with a notice where they are means of draws."""
    if aligned.several:
        return Floor({name: _of_labels(aligned, labels, measures) for name, labels in _label_sets(aligned).items()})
    wanted = _wanted(aligned)
    most = np.zeros_like(wanted)
    most[np.arange(len(wanted)), wanted.argmax(axis=1)] = 1.0
    shares = {
        "prior": wanted / wanted.sum(axis=1, keepdims=True),
        "uniform": (wanted > 0) / (wanted > 0).sum(axis=1, keepdims=True),
    }
    floor = {"majority": _of_cells(aligned, _dealt(wanted, most), 1, measures)}
    draws = int(np.clip(MOST_CELLS // max(1, len(wanted) * wanted.shape[1] ** 2), LEAST_DRAWS, MOST_DRAWS))
    for name, share in shares.items():
        floor[name] = _random(aligned, wanted, share, draws, measures)
    curved = [measure.name for measure in measures if not _is_linear(measure)]
    return Floor(floor, (floors.drawn_floor(curved, list(shares), draws),) if curved else ())


def _wanted(aligned: AlignedLabels) -> NDArray[np.float64]:
    """How many items of each class the gold of each case has."""
    counts = np.zeros((len(aligned.cases), len(aligned.classes)))
    rows = aligned.by_class
    of_gold = np.flatnonzero((rows.list < len(aligned.cases)) & (rows.class_ >= 0))
    counts[rows.list[of_gold], rows.class_[of_gold]] = (rows.tp + rows.fn)[of_gold]
    return counts


def _is_linear(measure: Measure) -> bool:
    """Whether the expectation of a measure is its value at the expected counts, since the gold is fixed."""
    single, *others = singles([measure])
    arguments = dict(single.arguments)
    return not others and bool(single.metric.linear) and arguments.get("weights", "none") == "none"


def _random(
    aligned: AlignedLabels, wanted: NDArray[np.float64], share: NDArray[np.float64], draws: int, measures: list[Measure]
) -> pl.DataFrame:
    """Measures that are linear in the counts at the expected counts, the others as the mean of draws."""
    exact = _of_cells(aligned, _dealt(wanted, share), 1, measures)
    curved = [measure for measure in measures if not _is_linear(measure)]
    if not curved:
        return exact
    drawn = _of_cells(aligned, _drawn(wanted, share, draws, aligned.policy.seed), draws, curved)
    means = averaged(drawn.with_columns(pl.col(LIST) % len(aligned.cases)), LIST)
    return exact.with_columns(means[measure.name] for measure in curved)


def _dealt(wanted: NDArray[np.float64], share: NDArray[np.float64]) -> ClassCells:
    """The expected cells."""
    return _cells(wanted[:, :, None] * share[:, None, :])


def _drawn(wanted: NDArray[np.float64], share: NDArray[np.float64], draws: int, seed: int) -> ClassCells:
    """Cells of many random outputs, one after the other."""
    rng = np.random.default_rng(seed)
    sizes = np.broadcast_to(wanted.astype(np.int64), (draws, *wanted.shape)).reshape(-1, wanted.shape[1])
    chances = np.broadcast_to(share, (draws, *share.shape)).reshape(-1, share.shape[1])
    return _cells(rng.multinomial(sizes, chances[:, None, :]).astype(np.float64))


def _cells(counts: NDArray[np.float64]) -> ClassCells:
    number, gold, system = np.nonzero(counts)
    return ClassCells(number, gold, system, counts[number, gold, system])


def _of_cells(aligned: AlignedLabels, cells: ClassCells, outputs: int, measures: list[Measure]) -> pl.DataFrame:
    return _values(replace(aligned, cells=cells, by_class=by_class(cells)), outputs, measures)


def _values(made: AlignedLabels, outputs: int, measures: list[Measure]) -> pl.DataFrame:
    nobody = np.zeros(outputs * len(made.cases), dtype=bool)
    return compute_classification(replace(made, systems=("",) * outputs, missing=nobody), measures).values


def _label_sets(aligned: AlignedLabels) -> dict[str, pl.Series]:
    """The same labels for every item of a case: its most frequent one, all of the gold's, none."""
    gold = aligned.gold
    times = pl.repeat(1, len(gold.case), eager=True) if gold.times is None else pl.Series(gold.times)
    items = pl.DataFrame([pl.Series("case", gold.case), gold.values.alias("labels"), times.alias(TIMES)])
    flat = items.explode("labels").drop_nulls()
    frequent = (
        flat.group_by("case", "labels", maintain_order=True)
        .agg(pl.col(TIMES).sum())
        .sort("case", TIMES, "labels", descending=[False, True, False])
    )
    per_case = frequent.group_by("case", maintain_order=True).agg(
        pl.col("labels").head(1).alias("majority"), pl.col("labels").alias("everything")
    )
    joined = items.join(per_case, on="case", how="left", maintain_order="left")
    nothing = pl.Series("nothing", [[]] * len(items), dtype=pl.List(pl.String))
    return {"majority": joined["majority"], "everything": joined["everything"], "nothing": nothing}


def _of_labels(aligned: AlignedLabels, labels: pl.Series, measures: list[Measure]) -> pl.DataFrame:
    cells, classes, items = count_several(aligned.gold, labels, aligned.classes, 0)
    return _values(replace(aligned, cells=cells, by_class=classes, by_item=items), 1, measures)
