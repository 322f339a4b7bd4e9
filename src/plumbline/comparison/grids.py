"""The tables of a comparison as people read them: the leaderboard, the pairs, and any frame."""

from __future__ import annotations

from dataclasses import replace
from math import isinf
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparison.finding import Finding, weight_text
from plumbline.comparison.marks import (
    PAIR,
    about_correction,
    explanation,
    marks,
    number_ranges,
    only_before_correction,
    row_names,
)
from plumbline.comparison.significance.components import components
from plumbline.comparison.significance.shape import FEWEST_FOR_AN_INTERVAL
from plumbline.comparison.tables import metric_columns, tested_pairs
from plumbline.comparison.verdict import finding, verdict
from plumbline.comparison.wording import MOST_VERDICTS, caption
from plumbline.errors.base import listing, plural, some_of
from plumbline.errors.faces import NAME, either, option, rendered
from plumbline.render.frame import frame_grid
from plumbline.render.grid import Cell, Grid, number, percent

if TYPE_CHECKING:
    from plumbline.comparison.tables import Tables
    from plumbline.comparison.verdict import Verdict

DIFFERENCE: Final = "difference"
PAPER: Final = ("tier", "improves", "reference", "UIR")
"""What the rule of the UIR paper says, the most important column first."""
LONG_MARK: Final = 4
"""Longer marks, such as `4,7-12,15`, are left out where a terminal has no room for them."""
ALL_MARKS: Final = either(".significance has them all", "--pairs shows them all")
_MOST_NAMED: Final = 8
MOST_ROWS: Final = 100
"""Systems of a leaderboard that people read; of more, the first ones are shown, and no marks."""
NO_INTERVAL: Final = (
    f"in parentheses the lowest and the highest case: fewer than {FEWEST_FOR_AN_INTERVAL} cases are too few for a 95 % interval"
)
MOST_PAIRS: Final = 1_000
"""Pairs, or rows of another table, that people read."""


def leaderboard_grid(comparison: Tables) -> Grid:
    """The leaderboard; marks of significance are raised above the means where a format can do that, else after them."""
    return replace(_board(comparison, raised=True), plain=_board(comparison, raised=False), label="tab:leaderboard")


def _board(comparison: Tables, *, raised: bool, marking: bool = True) -> Grid:
    order = comparison.order
    names = row_names(len(order))
    row_of = {comparison.systems[at]: row for row, at in enumerate(order)}
    columns = metric_columns(comparison)
    measures = shown_measures(comparison)
    cut = len(order) > MOST_ROWS
    plain = marking and (not cut or comparison.baseline is not None)
    marked = {at: marks(comparison, at, order) if plain else [""] * len(order) for at in measures}
    several, ranked, paper = len(columns) > 1, _is_ranked(comparison), comparison.rule == "unanimous"
    lines = []
    for at_row, row in enumerate(comparison.leaderboard.iter_rows(named=True)):
        place = row_of.get(row["system"])
        if cut and at_row >= MOST_ROWS and place is not None and row["system"] != comparison.baseline:
            continue
        at = None if place is None else order[place]
        cells = [
            Cell(row["system"]),
            Cell("" if place is None else names[place]),
            *(_mean(comparison, one, row, at, "" if place is None else marked[one][place]) for one in measures),
            _difference(comparison, at),
            *((_text(row["band"]), _ranks(row)) if ranked else ()),
            *((_best_weights(comparison, row, at),) if several else ()),
            *(_by_the_paper(comparison, row, at, row_of) if paper else ()),
        ]
        lines.append(tuple(replace(cell, quiet=bool(row["floor"])) for cell in cells))
    heading = (
        *("system", "#"),
        *(_heading(comparison, at) for at in measures),
        DIFFERENCE,
        *(("band", "ranks") if ranked else ()),
        *((_weights_heading(comparison),) if several else ()),
        *(PAPER if paper else ()),
    )
    legend = _legend(comparison, marked=any(text for texts in marked.values() for text in texts))
    if raised:
        return Grid(heading, tuple(lines), caption(comparison), legend=legend)
    hidden = () if marking else (f"marks of significant differences are left out: {rendered(ALL_MARKS)}",)
    legend = (*legend, *hidden, *_advice(comparison))
    shown = _over_numbers(heading, lines), _marks_beside(lines)
    narrow = None
    if max(len(text) for texts in marked.values() for text in texts) > LONG_MARK:
        narrow = _board(comparison, raised=False, marking=False)
    return Grid(*shown, caption(comparison), legend=legend, keep=2, drop=_drop(comparison, measures), narrow=narrow)


def _is_ranked(comparison: Tables) -> bool:
    """Whether there are bands and ranks: of more than two systems, if every pair is tested."""
    return len(comparison.systems) > PAIR and comparison.baseline is None


def _drop(comparison: Tables, measures: list[int]) -> tuple[str, ...]:
    """What a narrow terminal leaves out: details of weights, ranks and bands, then metrics; the difference stays longest.

    By the rule of the paper its own columns stay longest.
    """
    metrics = [comparison.measures[at].name for at in reversed(measures) if at != comparison.primary_at]
    details = (_weights_heading(comparison), "ranks", "band")
    return (*details, *metrics, DIFFERENCE, *reversed(PAPER)) if comparison.rule == "unanimous" else (*details, *metrics)


def _compared_with(comparison: Tables) -> int:
    """The system whose difference from each other one the leaderboard shows: the baseline, or else the first."""
    return comparison.order[0] if comparison.baseline_at is None else comparison.baseline_at


def _difference(comparison: Tables, at: int | None) -> Cell:
    """How far a system is from the first one or the baseline, with the interval."""
    other = _compared_with(comparison)
    if at is None or at == other:
        return Cell("")
    of = finding(comparison, comparison.primary_at, at, other)
    if of.difference is None:
        return Cell("")
    return Cell(f"{number(of.difference, of.digits)}{of.around()}")


def shown_measures(comparison: Tables) -> list[int]:
    """The measures of the leaderboard: the one that orders it first, if that is the combined score, then the metrics."""
    metrics = list(range(len(comparison.cube.metrics)))
    return [comparison.primary_at, *metrics] if comparison.primary_at not in metrics else metrics


def _heading(comparison: Tables, measure: int) -> str:
    of = comparison.measures[measure]
    return f"{of.name} ↓" if of.lower else of.name


def _mean(comparison: Tables, measure: int, row: dict[str, Any], at: int | None, mark: str) -> Cell:
    of = comparison.measures[measure]
    column = metric_columns(comparison).get(of.name, "score")
    return Cell(number(row[column]), at is not None and of.ranks[at] == 1, raised=mark)


def _mark_widths(lines: list[tuple[Cell, ...]]) -> list[int]:
    return [max(len(cell.raised) for cell in column) for column in zip(*lines, strict=True)]


def _over_numbers(heading: tuple[str, ...], lines: list[tuple[Cell, ...]]) -> tuple[str, ...]:
    """Headings that end where the numbers do, not where the marks after them end."""
    return tuple(
        f"{text}{' ' * (width + 1)}" if width else text for text, width in zip(heading, _mark_widths(lines), strict=True)
    )


def _marks_beside(lines: list[tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
    """Raised marks as marks after the text, as wide as the widest of the column, so that numbers stay below each other."""
    widths = _mark_widths(lines)
    return tuple(
        tuple(
            replace(cell, raised="", mark=f" {cell.raised:<{width}}" if width else "")
            for cell, width in zip(line, widths, strict=True)
        )
        for line in lines
    )


def _text(value: object) -> Cell:
    return Cell("" if value is None else str(value))


def _ranks(row: dict[str, Any]) -> Cell:
    low, high = row["rank_low"], row["rank_high"]
    return Cell("" if low is None else str(low) if low == high else f"{low}-{high}")


def _weights_heading(comparison: Tables) -> str:
    return "weightings won" if comparison.best_for is None else "best weights"


def _best_weights(comparison: Tables, row: dict[str, Any], at: int | None) -> Cell:
    """The weights of the first of two metrics for which a system has the best mean; of more, the share of weightings."""
    if at is None or row["wins"] is None:
        return Cell("")
    if comparison.best_for is None:
        return Cell(percent(row["wins"]))
    leads = comparison.best_for
    mine = [
        _range(low, high)
        for system, low, high in zip(leads.system.tolist(), leads.low.tolist(), leads.high.tolist(), strict=True)
        if system == at
    ]
    return Cell(", ".join(mine))


def frame_in_words(comparison: Tables, name: str) -> Grid:
    """A table of the comparison with headings in words; metrics keep their names."""
    made = frame_grid(getattr(comparison, name), name.replace("_", " "))
    metrics = {*comparison.cube.metrics, comparison.score.name}
    return replace(made, heading=tuple(one if one in metrics else one.replace("_", " ") for one in made.heading))


def _range(low: float, high: float) -> str:
    if low <= 0 and high >= 1:
        return "all"
    least, most = weight_text(low), weight_text(high)
    return f"< {most}" if low <= 0 else f"> {least}" if high >= 1 else f"{least} to {most}"


def _by_the_paper(comparison: Tables, row: dict[str, Any], at: int | None, row_of: dict[str, int]) -> tuple[Cell, ...]:
    """Tier, whom a system robustly improves, who improves it most, and how unanimously."""
    names = row_names(len(row_of))
    improved = [] if at is None else [row_of[comparison.systems[other]] for other in np.flatnonzero(comparison.beats[at])]
    joined = "".join(names[place] for place in sorted(improved))
    if len(row_of) != len([name for name in names if name.isalpha()]):
        joined = number_ranges(place + 1 for place in improved)
    uir = "" if row["uir"] is None else number(row["uir"], 2)
    return _text(row["tier"]), Cell(joined), Cell(row["reference"] or ""), Cell(uir)


def _advice(comparison: Tables) -> tuple[str, ...]:
    """How to order the table otherwise."""
    if comparison.chosen_by_user or len(comparison.cube.metrics) == 1:
        return ()
    other = rendered(option("primary", NAME))
    if comparison.first_decides:
        return (f"{other} lets a metric other than the first decide",)
    return (f"{other} orders by another metric than the first",)


def _legend(comparison: Tables, *, marked: bool) -> tuple[str, ...]:
    """What marks and columns mean."""
    count, metrics = len(comparison.systems), comparison.cube.metrics
    notes = [explanation(comparison, count)] if marked else []
    if count > MOST_ROWS:
        everything = rendered(either(".leaderboard has all", "--format csv has all"))
        notes.append(f"the first {MOST_ROWS:,} of {plural(count, 'system')}: {everything}")
    if count > 1:
        other = comparison.systems[_compared_with(comparison)]
        remark = f"; {about_correction(comparison)}" if _seems_contradictory(comparison) else ""
        notes.append(f"{DIFFERENCE}: of {comparison.main.name} from {other}{_with_what(comparison)}{remark}")
    if _is_ranked(comparison):
        notes.append("band: systems that are not shown to be worse than its first")
        notes.append("ranks: the places that the tests leave open")
    if len(metrics) > 1 and comparison.best_for is not None:
        notes.append(f"best weights: the weights of {metrics[0]} for which a system has the best mean")
    if len(metrics) > 1 and count > PAIR:
        best = comparison.leaderboard.filter("pareto")["system"].to_list()
        notes.append(f"Pareto-optimal, no other system is as good by every metric: {some_of(best, _MOST_NAMED)}")
    notes += _spread(comparison)
    if comparison.floor is not None:
        notes.append("names in brackets are outputs that ignore the gold, and are not tested")
    return tuple(notes)


def _with_what(comparison: Tables) -> str:
    """What stands after the differences of the table: intervals, or ranges of cases where there are too few for one."""
    against = _compared_with(comparison)
    others = np.array([at for at in comparison.order[:MOST_ROWS] if at != against], dtype=np.intp)
    pairs = others, np.full_like(others, against)
    intervals = not np.isnan(comparison.main.spread.low[pairs]).all()
    ranges = not np.isnan(comparison.main.extremes(*pairs)[0]).all()
    return f"{', with its 95 % interval' if intervals else ''}{f'; {NO_INTERVAL}' if ranges else ''}"


def _seems_contradictory(comparison: Tables) -> bool:
    """Whether an interval of the table, or of the sentences above it, excludes 0 though the corrected p is not small."""
    against = _compared_with(comparison)
    others = np.array([at for at in comparison.order if at != against], dtype=np.intp)
    seen = only_before_correction(comparison, np.full_like(others, against), others)
    return bool(seen[comparison.primary_at].any() or seen[:, :MOST_VERDICTS].any())


def _spread(comparison: Tables) -> list[str]:
    """How much the runs of each system differ, beside how much cases do."""
    if comparison.repeated is None or len(comparison.repeated.runs) < PAIR:
        return []
    at = comparison.primary_at if comparison.primary_at < len(comparison.cube.metrics) else 0
    parts = components(comparison.repeated.values[at])
    texts = [
        f"{name} {number(float(run), 4)} over {plural(int(count), 'run')} ({number(float(case), 4)} over cases)"
        for name, run, case, count in zip(
            comparison.repeated.systems, parts.over_runs, parts.over_cases, parts.runs, strict=True
        )
        if not np.isnan(run)
    ]
    return [f"standard deviation of {comparison.cube.metrics[at]}: {listing(texts, _MOST_NAMED)}"] if texts else []


PAIR_HEADING: Final = ("better", "worse", "verdict", "metric", "difference", "95 %", "relative", "p", "can show", "units")


PAIR_DROP: Final = (
    *("disagree", "against", "for", "weighting", "UIR", "units", "can show", "relative", "verdict"),
    *("p", "95 %", "metric"),
)
"""What a narrow terminal leaves out of the pairs, the least important column first."""


def pairs_grid(comparison: Tables) -> Grid:
    """Every pair with the better one first, a line for each measure, and the unanimity of the metrics."""
    a, b = tested_pairs(comparison)
    smallest = np.nan_to_num(comparison.corrected[:, a, b], nan=2.0).min(axis=0)
    order = np.argsort(smallest, kind="stable")[:MOST_PAIRS]
    rows = []
    several, ranges = len(comparison.cube.metrics) > 1, False
    for pair in order.tolist():
        of = verdict(comparison, int(a[pair]), int(b[pair]))
        ranges = ranges or any(one.of_cases for one in of.findings)
        for at, one in enumerate(of.findings):
            rows.append((*_pair_cells(of, one, first=at == 0), *(_unanimity_cells(of, first=at == 0) if several else ())))
    heading = (*PAIR_HEADING, *(("UIR", "for", "against", "disagree", "weighting") if several else ()))
    legend = _cut(len(a), "pair", "with the smallest p", either(".significance has all", "--pairs --format csv has all"))
    if only_before_correction(comparison, a[order], b[order]).any():
        legend = (*legend, about_correction(comparison))
    legend = (*legend, f"{DIFFERENCE}: {NO_INTERVAL}") if ranges else legend
    return Grid(heading, tuple(rows), caption(comparison), label="tab:pairs", legend=legend, keep=2, drop=PAIR_DROP)


def _cut(count: int, what: str, which: str, everything: str) -> tuple[str, ...]:
    """How many rows are shown and where the others are, if there are more."""
    if count <= MOST_PAIRS:
        return ()
    shown = " ".join(word for word in (f"the {MOST_PAIRS:,} of {plural(count, what)}", which) if word)
    return (f"{shown}: {rendered(everything)}",)


def _pair_cells(of: Verdict, finding: Finding, *, first: bool) -> tuple[Cell, ...]:
    relative = "" if finding.relative is None else f"{100 * finding.relative:+.1f}%"
    can = "" if finding.detectable is None or isinf(finding.detectable) else number(finding.detectable, finding.digits)
    return (
        *(Cell(text if first else "") for text in (of.better, of.worse, of.kind)),
        Cell(finding.measure),
        Cell(f"{number(finding.difference, finding.digits)}{finding.beside}", best=finding.winner != 0),
        Cell(finding.interval),
        Cell(relative),
        Cell(finding.chance.removeprefix("p = ").removeprefix("p ")),
        Cell(can),
        Cell(f"{of.units:,}" if first else ""),
    )


def _unanimity_cells(of: Verdict, *, first: bool) -> tuple[Cell, ...]:
    if not first:
        return tuple(Cell("") for _ in range(5))
    weighting = "every" if of.for_every_weighting else percent(of.share)
    return (
        Cell(number(of.uir, 2)),
        *(Cell(f"{count:,}") for count in (of.improves, of.improved, of.biased)),
        Cell(weighting),
    )
