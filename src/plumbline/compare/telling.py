"""A comparison told to people: first in words, then as tables."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline._version import __version__
from plumbline.errors.base import listing, plural
from plumbline.render.curves import COLOURS, Curve, draw
from plumbline.render.grid import Cell, Grid, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.compare.comparison import Comparison

MOST_TOLD: Final = 6
"""Verdicts that are told without being asked for."""


def summary(found: Comparison) -> list[str]:
    """The answer in sentences, the most important one first."""
    board = found.leaderboard
    first = board.filter(board["tier"] == 1)["system"].to_list()
    last = int(board["tier"].to_numpy().max())
    if len(first) == 1:
        said = [f"{first[0]} is the best: nobody robustly beats it, and the others are in {plural(last - 1, 'lower tier')}."]
    elif last == 1:
        said = [f"No winner: no system robustly beats another one ({listing(first, 8)})."]
    else:
        said = [f"No single winner: nobody robustly beats {listing(first, 8)}, tier 1 of {last}."]
    return [*said, _by_weight(found), *_verdicts(found)]


def _by_weight(found: Comparison) -> str:
    """Who is best for which weights, by the score."""
    if len(found.cube.metrics) == 1:
        best = found.leaderboard.sort("score", descending=True, nulls_last=True)["system"][0]
        return f"There is one metric, so no weighting to depend on; {best} has the best mean."
    if found.held is None:
        ordered = found.shares.table().sort("best", descending=True, nulls_last=True)
        told = [f"{name} by {share:.0%}" for name, share in ordered.select("system", "best").iter_rows() if share]
        return f"Of all weightings of the {len(found.cube.metrics)} metrics the best is {listing(told, 4)}."
    leads = list(found.leads.iter_rows())
    if len({name for name, _, _ in leads}) == 1:
        return f"{leads[0][0]} has the best mean for every alpha."
    told = [f"{name} for {_between(low, high)}" for name, low, high in leads]
    return f"Which mean is best depends on alpha, the weight of {found.cube.metrics[0]}: {listing(told, 6)}."


def _between(low: float, high: float) -> str:
    if low <= 0:
        return f"alpha < {high:.3g}"
    return f"alpha > {low:.3g}" if high >= 1 else f"{low:.3g} < alpha < {high:.3g}"


def _verdicts(found: Comparison) -> list[str]:
    """With a baseline, every system against it; else the first of the board against those after it."""
    ordered = found.leaderboard["system"].to_list()
    against = found.baseline or ordered[0]
    others = [name for name in ordered if name != against]
    told = [str(found.verdict(name, against)) for name in others[:MOST_TOLD]]
    rest = len(others) - MOST_TOLD
    return told if rest <= 0 else [*told, f"And {plural(rest, 'more pair')}: --pairs shows all."]


def caption(found: Comparison) -> str:
    """What the numbers are: cases, score, test, correction, thresholds."""
    told = [
        f"{plural(len(found.systems), 'system')}, {plural(len(found.cube.cases), 'case')}",
        f"score: {found.score.name}",
        found.tested.name,
        f"correction: {found.told_correction}",
        f"robust: UIR from {found.threshold:g}, p below {found.level:g}",
    ]
    return "; ".join(told)


def board(found: Comparison, *, raised: bool = False) -> Grid:
    """The leaderboard; whom a system robustly beats stands beside it, or `raised` above its score, by row numbers."""
    rows = list(found.leaderboard.iter_rows(named=True))
    place = {row["system"]: at for at, row in enumerate(rows, 1)}
    metrics = found.cube.metrics if len(found.cube.metrics) > 1 else ()
    best = max((row["score"] for row in rows if row["score"] is not None), default=None)
    lines = []
    for row in rows:
        at = found.systems.index(row["system"])
        beaten = _ranges(place[found.systems[other]] for other in np.flatnonzero(found.beats[at]))
        lines.append(
            (
                Cell(str(place[row["system"]])),
                Cell(str(row["tier"])),
                Cell(row["system"]),
                Cell(number(row["score"]), row["score"] == best, raised=beaten if raised else ""),
                *(Cell(number(row[metric])) for metric in metrics),
                *((Cell("" if row["wins"] is None else f"{row['wins']:.0%}"),) if metrics else ()),
                *(() if raised else (Cell(beaten),)),
                Cell(row["reference"] or ""),
                Cell("" if row["uir"] is None else number(row["uir"], 2)),
            )
        )
    heading = (
        *("#", "tier", "system", found.score.name, *metrics),
        *(("weightings won",) if metrics else ()),
        *(() if raised else ("beats",)),
        *("reference", "UIR"),
    )
    note = "raised: the rows that a system robustly beats" if raised else ""
    return Grid(heading, tuple(lines), caption(found), (note,) if note else ())


def _ranges(numbers: Iterable[int]) -> str:
    """`1-3,7`: runs of numbers, which never run out."""
    ordered = sorted(numbers)
    breaks = [0, *(at for at, (one, other) in enumerate(pairwise(ordered), 1) if other > one + 1), len(ordered)]
    runs = [ordered[start:stop] for start, stop in pairwise(breaks) if stop > start]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def pairs(found: Comparison) -> Grid:
    """Every pair with the better one first: difference, interval, p, unanimity."""
    rows = []
    counts = found.improvements
    for row in found.significance.sort("corrected", nulls_last=True, maintain_order=True).iter_rows(named=True):
        a, b = found.systems.index(row["a"]), found.systems.index(row["b"])
        told = "robust" if row["robust"] else ""
        rows.append(
            (
                *(Cell(row["a"]), Cell(row["b"]), Cell(number(row["difference"]))),
                Cell(f"{number(row['low'])} to {number(row['high'])}"),
                *(Cell(number(row[name])) for name in ("p", "corrected")),
                Cell(number(None if np.isnan(counts.uir[a, b]) else float(counts.uir[a, b]), 2)),
                *(Cell(str(table[a, b])) for table in (counts.a_ge_b, counts.b_ge_a, counts.biased, counts.cases)),
                Cell("yes" if found.always[a, b] else ""),
                Cell(told),
            )
        )
    heading = (
        "better",
        "worse",
        "difference",
        "95 %",
        "p",
        "corrected",
        "UIR",
        "better by all",
        "worse by all",
        "biased",
        "cases",
    )
    return Grid((*heading, "for every weighting", "verdict"), tuple(rows), caption(found))


def picture(found: Comparison) -> str:
    """The systems that lead for some alpha first, then the next of the board, as many as there are colours."""
    curves = found.curves()
    leaders = list(dict.fromkeys(name for name, _, _ in found.leads.iter_rows()))
    chosen = list(dict.fromkeys([*leaders, *found.leaderboard["system"]]))[: len(COLOURS)]
    changes = {round(low, 2): low for _, low, _ in found.leads.iter_rows() if low > 0}
    drawn = []
    for name in chosen:
        own = curves.filter((pl.col("system") == name) & pl.col("alpha").is_between(0, 1, closed="none")).drop_nulls("value")
        starts = {round(low, 2) for system, low, _ in found.leads.iter_rows() if system == name}
        points = tuple(
            (alpha, value, f"{changes[round(alpha, 2)]:.3g}" if round(alpha, 2) in starts & set(changes) else "")
            for alpha, value in own.select("alpha", "value").iter_rows()
        )
        drawn.append(Curve(name, points))
    first, second = found.cube.metrics
    return draw(f"{found.score.name} for every weight", f"alpha, the weight of {first} against {second}", "score", drawn)


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with lists of names as text."""
    return frame.with_columns(pl.col(pl.List(pl.String)).list.join(" "))


def as_grid(frame: pl.DataFrame, caption: str) -> Grid:
    """Any table of a comparison as plain data."""
    rows = tuple(tuple(Cell(_told(value)) for value in row) for row in flat(frame).iter_rows())
    return Grid(tuple(frame.columns), rows, caption)


def _told(value: object) -> str:
    return "" if value is None else number(value) if isinstance(value, float) else str(value)


def as_json(found: Comparison) -> str:
    """Words, leaderboard, pairs, unanimity, weights, and how it was made."""
    tables = {
        "leaderboard": found.leaderboard,
        "pairs": found.significance,
        "unanimity": found.unanimity,
        "weights": found.weights,
        "leads": found.leads,
    }
    made = {
        "version": __version__,
        "metrics": list(found.cube.metrics),
        "score": found.score.name,
        "test": found.tested.name,
        "note": found.tested.note,
        "correction": found.told_correction,
        "level": found.level,
        "threshold": found.threshold,
        "baseline": found.baseline,
        "cases": len(found.cube.cases),
        "seed": found.seed,
    }
    whole = {"summary": summary(found), **{name: table.to_dicts() for name, table in tables.items()}, "made": made}
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
