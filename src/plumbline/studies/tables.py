"""A study as tables."""

from __future__ import annotations

import json
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from plumbline._version import __version__
from plumbline.comparison.wording import as_grid
from plumbline.errors.base import listing
from plumbline.render.grid import Cell, Grid, number, percent
from plumbline.studies.filter_facts import ONE_CLASS, UNINFORMED
from plumbline.studies.smoothing import smoothable
from plumbline.studies.wording import best_of, caption, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from plumbline.studies.study import Study

STEP: Final = 5
"""Of the curve, every so many percent are printed."""
MOST_SHOWN: Final = 20
"""Rows of a long table that are printed."""
HEADINGS: Final = {
    "fall": "strictness (fall) ↑",
    "floor": "strictness (floor) ↑",
    "robustness": "robustness ↑",
    "power": "discriminative power ↑",
    "swap_rate": "swap rate ↓",
}


def board(found: Study) -> Grid:
    """A row for each metric, the best of each column marked."""
    best = {name: _marked(found, name) for name in HEADINGS}
    rows = []
    for row in found.table.iter_rows(named=True):
        cells = [Cell(row["metric"])]
        for name in HEADINGS:
            show = percent if name in {"power", "swap_rate"} else _three
            cells.append(Cell(show(row[name]), best=row["metric"] in best[name]))
        rows.append(tuple(cells))
    return Grid(("metric", *HEADINGS.values()), tuple(rows), caption(found))


def _marked(found: Study, column: str) -> list[str]:
    """The metrics with the best value; none where no pair differs, or where one metric alone has a value."""
    best = best_of(found, column, least=column == "swap_rate")
    alone = found.table[column].count() == 1
    return [] if best is None or alone or (column == "power" and best[1] == 0) else best[0]


def _three(value: float | None) -> str:
    return number(value, 3)


def matrix(found: Study) -> Grid:
    """Correlations of all metrics with each other, similar ones together."""
    places = [found.metrics.index(name) for name in found.order]
    rows = []
    for row in places:
        values = [float(found.similar[row, column]) for column in places]
        rows.append((Cell(found.metrics[row]), *(Cell("" if isnan(value) else number(value, 2)) for value in values)))
    return Grid(("", *found.order), tuple(rows), "Spearman over all outputs; similar metrics stand together")


def curve(found: Study) -> Grid:
    """The floor within the top outputs, a column for each metric."""
    shown = [1, *range(STEP, 101, STEP)]
    values = {(metric, top): floor for metric, top, floor in found.curve.iter_rows()}
    metrics = [name for name in found.metrics if (name, 1) in values]
    rows = tuple((Cell(f"{top} %"), *(Cell(number(values[name, top], 3)) for name in metrics)) for top in shown)
    return Grid(("top", *metrics), rows, f"floor within the top outputs, every {STEP} %; CSV and JSON have every percent")


def smoothing(found: Study) -> list[Grid]:
    """Where smoothing changes most, and how much it changes each metric."""
    rows = found.smoothing.head(MOST_SHOWN)
    without = [name for name in found.metrics if not smoothable([name])]
    left_out = f"; left out, no smoothing known: {listing(without)}" if without else ""
    where = f"where smoothing changes most, {len(rows)} of {len(found.smoothing):,} rows; CSV and JSON have all{left_out}"
    return [as_grid(found.effects, "how much smoothing changes"), as_grid(rows, where)]


def disagreement(found: Study, a: str, b: str, top: int) -> tuple[Grid, list[str]]:
    """The outputs on which two metrics disagree most, and the reason for each."""
    table = found.disagreements(a, b, top)
    first, second = table.row(0)[2:4]
    named = {"value_a": first, "value_b": second, "rank_a": f"rank by {first}", "rank_b": f"rank by {second}"}
    unknown = [name for name in ("output", "kind") if found.facts is None or table[name].count() == 0]
    shown = table.drop("a", "b", "difference", "reason", *unknown).with_row_index("#", 1)
    marked = ""
    if found.facts is not None and found.facts.kinds is not None:
        kinds = found.between(a, b).kinds.tolist()
        among = f"{sum(kind in UNINFORMED for kind in table['kind'])} of these {len(table)}"
        unknowing = sum(kind in UNINFORMED for kind in kinds)
        marked = f"; {among} and {unknowing:,} of all {len(found.outputs):,} know nothing of the gold"
        marked += f"; the gold of {kinds.count(ONE_CLASS):,} of all has one class" if ONE_CLASS in kinds else ""
    caption = f"where {first} and {second} disagree most; ranks are shares of the outputs, 1 is the best{marked}"
    grid = as_grid(shown, caption)
    reasons = [
        f"#{place} {system} in {case}: {why}"
        for place, (system, case, why) in enumerate(table.select("system", "case", "reason").iter_rows(), 1)
    ]
    return replace(grid, heading=tuple(named.get(name, name) for name in grid.heading)), reasons


NULLS: Final = {
    "fall, floor": "there is no other metric to compare with",
    "robustness": "fewer than two cases tell the systems apart",
    "power": "no pair of systems has a p",
    "swap_rate": "fewer than two cases have all systems, so that there are no halves",
    "high": "the last bin has no end",
    "pearson, spearman, kendall": "a metric gives the same value everywhere",
    "none, laplace, noninformative, change": "the metric is undefined for these counts",
}
"""What a null means in which columns."""
SHOWN: Final[dict[str, Callable[[Study], list[Grid]]]] = {
    "strictness": lambda found: [
        as_grid(found.strictness.drop("top", "outputs", "left_out"), "both definitions of strictness")
    ],
    "curve": lambda found: [curve(found)],
    "robustness": lambda found: [as_grid(found.robustness, "robustness")],
    "discrimination": lambda found: [as_grid(found.discrimination, "discriminative power and swap rate")],
    "asl": lambda found: [as_grid(found.asl, "p of all pairs of systems, highest first")],
    "swaps": lambda found: [as_grid(found.swaps, "swap rate by the size of the difference in the first half")],
    "correlations": lambda found: [as_grid(found.correlations, "correlations of metrics")],
    "matrix": lambda found: [matrix(found)],
    "smoothing": smoothing,
    "effects": lambda found: [as_grid(found.effects, "how much smoothing changes")],
    "tradeoff": lambda found: [as_grid(found.tradeoff, "strictness against robustness")],
}
"""Tables that can be asked for by their name."""


def frame(found: Study, name: str = "table") -> pl.DataFrame:
    """A table by its name, as CSV has it; of the matrix the correlations."""
    table: pl.DataFrame = getattr(found, "correlations" if name == "matrix" else name)
    return table


def grids(found: Study, names: Sequence[str] = ()) -> list[Grid]:
    """The table of metrics, then what was asked for."""
    return [board(found), *(grid for name in names for grid in SHOWN[name](found))]


def as_json(found: Study, disagree: tuple[str, str] | None = None, top: int = MOST_SHOWN) -> str:
    """Words, all tables, and how it was made; without gold and outputs of filters there is no smoothing."""
    names = ["table", "strictness", "curve", "robustness", "discrimination", "asl", "swaps", "correlations", "tradeoff"]
    smooth = found.facts is not None and found.facts.counts is not None and bool(smoothable(found.metrics))
    tables: dict[str, pl.DataFrame] = {name: getattr(found, name) for name in [*names, *["smoothing", "effects"] * smooth]}
    if disagree:
        tables["disagreements"] = found.disagreements(*disagree, top)
    made = {
        "version": __version__,
        "metrics": list(found.metrics),
        "against": list(found.against),
        "systems": len(found.cube.systems),
        "cases": len(found.cube.cases),
        "outputs": len(found.outputs),
        "left_out": found.outputs.left_out,
        "top": found.top,
        "pairs": found.pairs,
        "test": found.test,
        "level": found.level,
        "resamples": next(iter(found.tested.values())).resamples,
        "splits": found.splits,
        "seed": found.seed,
    }
    whole: dict[str, Any] = {
        "summary": summary(found),
        **{name: table.to_dicts() for name, table in tables.items()},
        "order": found.order,
        "nulls": NULLS,
        "made": made,
        "notices": [{"code": notice.code, "text": notice.headline(), "help": notice.help} for notice in found.notices],
    }
    return json.dumps(whole, indent=1, allow_nan=False) + "\n"
