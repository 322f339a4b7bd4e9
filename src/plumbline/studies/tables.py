"""A study as tables."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from plumbline._version import __version__
from plumbline.errors.base import listing
from plumbline.render.frame import frame_grid
from plumbline.render.grid import Cell, Grid, Sentences, number, percent
from plumbline.render.result import described
from plumbline.studies.disagreement import TOP
from plumbline.studies.filter_facts import ONE_CLASS, UNINFORMED
from plumbline.studies.smoothing import smoothable
from plumbline.studies.wording import best_of, caption, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from plumbline.render.grid import Block
    from plumbline.studies.findings import Findings

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


def board(study: Findings) -> Grid:
    """A row for each metric, the best of each column marked."""
    best = {name: _marked(study, name) for name in HEADINGS}
    rows = []
    for row in study.table.iter_rows(named=True):
        cells = [Cell(row["metric"])]
        for name in HEADINGS:
            show = percent if name in {"power", "swap_rate"} else _three
            cells.append(Cell(show(row[name]), best=row["metric"] in best[name]))
        rows.append(tuple(cells))
    return Grid(("metric", *HEADINGS.values()), tuple(rows), caption(study), drop=("strictness (floor)", "swap rate"))


def _marked(study: Findings, column: str) -> list[str]:
    """The metrics with the best value; none where no pair differs, or where one metric alone has a value."""
    best = best_of(study, column, least=column == "swap_rate")
    alone = study.table[column].count() == 1
    return [] if best is None or alone or (column == "power" and best[1] == 0) else best[0]


def _three(value: float | None) -> str:
    return number(value, 3)


def matrix(study: Findings) -> Grid:
    """Correlations of all metrics with each other, similar ones together."""
    places = [study.metrics.index(name) for name in study.order]
    rows = []
    for row in places:
        values = [float(study.similar[row, column]) for column in places]
        rows.append((Cell(study.metrics[row]), *(Cell("" if isnan(value) else number(value, 2)) for value in values)))
    return Grid(("", *study.order), tuple(rows), "Spearman over all outputs; similar metrics stand together")


def curve(study: Findings) -> Grid:
    """The floor within the top outputs, a column for each metric."""
    shown = [1, *range(STEP, 101, STEP)]
    values = {(metric, top): floor for metric, top, floor in study.curve.iter_rows()}
    metrics = [name for name in study.metrics if (name, 1) in values]
    rows = tuple((Cell(f"{top} %"), *(Cell(number(values[name, top], 3)) for name in metrics)) for top in shown)
    return Grid(("top", *metrics), rows, f"floor within the top outputs, every {STEP} %; CSV and JSON have every percent")


def smoothing(study: Findings) -> list[Grid]:
    """Where smoothing changes most, and how much it changes each metric."""
    rows = study.smoothing.head(MOST_SHOWN)
    without = [name for name in study.metrics if not smoothable([name])]
    left_out = f"; left out, no smoothing known: {listing(without)}" if without else ""
    where = f"where smoothing changes most, {len(rows)} of {len(study.smoothing):,} rows; CSV and JSON have all{left_out}"
    return [frame_grid(study.effects, "how much smoothing changes"), frame_grid(rows, where)]


def disagreement(study: Findings, a: str, b: str, top: int) -> tuple[Grid, list[str]]:
    """The outputs on which two metrics disagree most, and the reason for each."""
    table = study.disagreements(a, b, top)
    first, second = table.row(0)[2:4]
    named = {"value_a": first, "value_b": second, "rank_a": f"rank by {first}", "rank_b": f"rank by {second}"}
    unknown = [name for name in ("output", "kind") if study.facts is None or table[name].count() == 0]
    shown = table.drop("a", "b", "difference", "reason", *unknown).with_row_index("#", 1)
    marked = ""
    if study.facts is not None and study.facts.kinds is not None:
        kinds = study.between(a, b).kinds.tolist()
        among = f"{sum(kind in UNINFORMED for kind in table['kind'])} of these {len(table)}"
        unknowing = sum(kind in UNINFORMED for kind in kinds)
        marked = f"; {among} and {unknowing:,} of all {len(study.outputs):,} know nothing of the gold"
        marked += f"; the gold of {kinds.count(ONE_CLASS):,} of all has one class" if ONE_CLASS in kinds else ""
    caption = f"where {first} and {second} disagree most; ranks are shares of the outputs, 1 is the best{marked}"
    grid = frame_grid(shown, caption)
    reasons = [
        f"#{place} {system} in {case}: {why}"
        for place, (system, case, why) in enumerate(table.select("system", "case", "reason").iter_rows(), 1)
    ]
    return replace(grid, heading=tuple(named.get(name, name) for name in grid.heading)), reasons


CONSISTENCY: Final = "pairs of systems on a case that two metrics order alike, and that only one of them orders"
NULLS: Final = {
    "fall, floor": "there is no other metric to compare with",
    "robustness": "fewer than two cases tell the systems apart",
    "power": "no pair of systems has a p",
    "swap_rate": "fewer than two cases have all systems, so there are no halves",
    "consistency": "no pair of systems is ordered by both metrics",
    "discriminancy": "the second metric orders no pair that the first one does not",
    "agreement, tau": "no preference is about outputs that the metric has a value of, or all systems are equal",
    "high": "the last bin has no end",
    "pearson, spearman, kendall": "a metric gives the same value everywhere",
    "none, laplace, noninformative, change": "the metric is undefined for these counts",
}
"""What a null means in which columns."""
SHOWN: Final[dict[str, Callable[[Findings], list[Grid]]]] = {
    "strictness": lambda study: [
        frame_grid(study.strictness.drop("top", "outputs", "left_out"), "both definitions of strictness")
    ],
    "curve": lambda study: [curve(study)],
    "robustness": lambda study: [frame_grid(study.robustness, "robustness")],
    "discrimination": lambda study: [frame_grid(study.discrimination, "discriminative power and swap rate")],
    "asl": lambda study: [frame_grid(study.asl, "p of all pairs of systems, highest first")],
    "swaps": lambda study: [frame_grid(study.swaps, "swap rate by the size of the difference in the first half")],
    "stability": lambda study: [frame_grid(study.stability, "swap rate by the number of cases in each of two sets")],
    "consistency": lambda study: [frame_grid(study.consistency, CONSISTENCY)],
    "noise": lambda study: [frame_grid(study.noise, "the order of the systems if a share of the judgements is shuffled")],
    "preferences": lambda study: [frame_grid(study.preferences, "how far metrics follow what people prefer")],
    "correlations": lambda study: [frame_grid(study.correlations, "correlations of metrics")],
    "matrix": lambda study: [matrix(study)],
    "smoothing": smoothing,
    "effects": lambda study: [frame_grid(study.effects, "how much smoothing changes")],
    "tradeoff": lambda study: [frame_grid(study.tradeoff, "strictness against robustness")],
}
"""Further tables, by their names."""


def frame(
    study: Findings, show: Sequence[str] = (), disagree: tuple[str, str] | None = None, outputs: int = TOP
) -> pl.DataFrame:
    """The one table that a CSV file holds: the first one that is wanted, or else the table of metrics."""
    if disagree:
        return study.disagreements(*disagree, outputs)
    name = next(iter(show), "table")
    table: pl.DataFrame = getattr(study, "correlations" if name == "matrix" else name)
    return table


def blocks(
    study: Findings, show: Sequence[str] = (), disagree: tuple[str, str] | None = None, outputs: int = TOP
) -> list[Block]:
    """The summary and the table of metrics, then the tables that are wanted, then disagreements with their reasons."""
    shown: list[Block] = [
        Sentences(tuple(summary(study))),
        board(study),
        *(grid for name in show for grid in SHOWN[name](study)),
    ]
    if disagree:
        grid, reasons = disagreement(study, *disagree, outputs)
        shown += [grid, Sentences(tuple(reasons))]
    return shown


def facts(study: Findings, disagree: tuple[str, str] | None = None, outputs: int = TOP) -> dict[str, Any]:
    """Sentences, all tables, and how they were made; smoothing needs the gold and the outputs of filters."""
    names = ["table", "strictness", "curve", "robustness", "discrimination", "asl", "swaps", "stability", "consistency"]
    names += ["correlations", "tradeoff", *(["preferences"] if study.judged is not None else [])]
    smooth = study.facts is not None and study.facts.counts is not None and bool(smoothable(study.metrics))
    tables: dict[str, pl.DataFrame] = {name: getattr(study, name) for name in [*names, *["smoothing", "effects"] * smooth]}
    if disagree:
        tables["disagreements"] = study.disagreements(*disagree, outputs)
    made = {
        "version": __version__,
        "metrics": list(study.metrics),
        "against": list(study.against),
        "systems": len(study.cube.systems),
        "cases": len(study.cube.cases),
        "outputs": len(study.outputs),
        "left_out": study.outputs.left_out,
        "top": study.top,
        "pairs": study.pairs,
        "test": study.test,
        "level": study.level,
        "resamples": next(iter(study.tested.values())).resamples,
        "splits": study.splits,
        "seed": study.seed,
    }
    return {
        "summary": summary(study),
        **{name: table.to_dicts() for name, table in tables.items()},
        "order": study.order,
        "nulls": NULLS,
        "made": made,
        "notices": described(study.notices),
    }
