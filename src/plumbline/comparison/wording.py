"""A comparison told to people: first in words, then as tables."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline._version import __version__
from plumbline.comparison.leaderboard import circles
from plumbline.comparison.tables import metric_columns
from plumbline.comparison.verdict import alone, interval, told_chance
from plumbline.errors.base import listing, plural
from plumbline.render.delimited import delimited
from plumbline.render.grid import Cell, Grid, number, percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.comparison.comparison import Comparison

MOST_TOLD: Final = 6
"""Verdicts that are told without being asked for."""
PAIR: Final = 2


def summary(found: Comparison) -> list[str]:
    """The answer in sentences, the most important one first."""
    told, rest = verdicts(found)
    return [*answer(found), *told, *([f"And {plural(rest, 'more pair')}: --pairs shows all."] if rest else [])]


def answer(found: Comparison) -> list[str]:
    """Who is the best, and for which weights."""
    best = _against(found, found.baseline) if found.baseline is not None else _best(found)
    return [best, _by_weight(found)]


def _against(found: Comparison, baseline: str) -> str:
    """Who beats the baseline and whom it beats; the other pairs are not tested."""
    at = found.systems.index(baseline)
    better, worse = ([found.systems[other] for other in np.flatnonzero(row)] for row in (found.beats[:, at], found.beats[at]))
    above = f"{listing(better, 8)} robustly {'beats' if len(better) == 1 else 'beat'} {baseline}"
    below = f"{baseline} robustly beats {listing(worse, 8)}" if worse else f"{baseline} robustly beats nobody"
    return f"{above if better else f'Nobody robustly beats {baseline}'}; {below}. Only pairs with {baseline} are tested."


def _best(found: Comparison) -> str:
    """Whom nobody robustly beats."""
    board = found.leaderboard
    first = board.filter(pl.col("tier") == 1)["system"].to_list()
    last = board["tier"].drop_nulls().unique().len()
    round_about = circles(found.beats)
    if len(first) == 1 and board["tier"].count() == PAIR and last > 1:
        return f"{first[0]} is the best: it robustly beats {board['system'][1]}."
    if len(first) == 1 and last > 1:
        return f"{first[0]} is the best: nobody robustly beats it, and the others are in {plural(last - 1, 'lower tier')}."
    if not found.beats.any():
        return f"No winner: no system robustly beats another one ({listing(first, 8)})."
    if any(round_about[found.systems.index(name)] for name in first):
        return f"No winner: on the cases that they share, systems robustly beat each other in a circle ({listing(first, 8)})."
    return f"No single winner: nobody robustly beats {listing(first, 8)}, tier 1 of {last}."


def _by_weight(found: Comparison) -> str:
    """Who is best for which weights, by the score."""
    if len(found.cube.metrics) == 1:
        best = [name for name, rank in zip(found.systems, found.score.ranks, strict=True) if rank == 1]
        own = "" if (found.cube.known == found.cube.known[0]).all() else ", though systems have different cases"
        return f"There is one metric, so no weighting to depend on; {_have(best)} the best mean{own}."
    if found.held is None:
        ordered = found.shares.table().sort("best", descending=True, nulls_last=True, maintain_order=True)
        shares = ordered.select("system", "best").iter_rows()
        told = [f"{name} in {percent(share)}{_but(found, name, share)}" for name, share in shares if share]
        of = f"Of {found.shares.samples:,} weightings of the {len(found.cube.metrics)} metrics"
        return f"{of} the best is {listing(told, 4)}." if told else f"{of} none has a leader: systems have different cases."
    leads = list(found.leads.iter_rows())
    if not leads:
        return "No system leads for any alpha: they have different cases."
    if all(low <= 0 and high >= 1 for _, low, high in leads):
        return f"{_have([name for name, _, _ in leads])} the best mean for every alpha{_but(found, leads[0][0], 1.0)}."
    told = [f"{name} for {interval(low, high)}" for name, low, high in leads]
    return f"Which mean is best depends on alpha, the weight of {found.cube.metrics[0]}: {listing(told, 6)}."


def _but(found: Comparison, name: str, share: float) -> str:
    """By which metrics alone somebody is better than a system that is the best by all weightings drawn."""
    against = found.opposed[:, found.systems.index(name)]
    metrics = [metric for metric, by in zip(found.cube.metrics, against, strict=True) if by.any()]
    return f" (but not by {alone(metrics)})" if share == 1 and metrics else ""


def _have(names: list[str]) -> str:
    return f"{names[0]} has" if len(names) == 1 else f"{listing(names, 6)} together have"


def verdicts(found: Comparison) -> tuple[list[str], int]:
    """With a baseline, every system against it; else the first of the board against those after it. And how many are left."""
    ordered = found.leaderboard["system"].to_list()
    against = ordered[0] if found.baseline is None else found.baseline
    others = [name for name in ordered if name != against]
    return [str(found.verdict(name, against)) for name in others[:MOST_TOLD]], max(len(others) - MOST_TOLD, 0)


def caption(found: Comparison) -> str:
    """What the numbers are: cases, score, test, correction, thresholds."""
    told = [
        f"{plural(len(found.systems), 'system')}, {plural(len(found.cube.cases), 'case')}",
        f"score: {found.score.name}",
        found.tested.name,
        f"correction: {found.told_correction}",
        f"robust: UIR from {found.uir_threshold:g}, p below {found.level:g}",
        *([f"in UIR differences up to {found.eps:g} are none"] if found.eps else []),
        *([found.told_test] if found.told_test else []),
    ]
    return "; ".join(told)


def board(found: Comparison, *, raised: bool = False) -> Grid:
    """The leaderboard; whom a system robustly beats stands beside it, or `raised` above its score, by row numbers."""
    rows = list(found.leaderboard.iter_rows(named=True))
    place = {row["system"]: at for at, row in enumerate(rows, 1)}
    columns = metric_columns(found)
    one, metrics = next(iter(columns.values())), columns if len(columns) > 1 else {}
    lines = []
    for row in rows:
        at = found.systems.index(row["system"])
        beaten = ranges(place[found.systems[other]] for other in np.flatnonzero(found.beats[at]))
        lines.append(
            (
                Cell(str(place[row["system"]])),
                Cell("" if row["tier"] is None else str(row["tier"])),
                Cell(row["system"]),
                Cell(
                    number(row["score" if metrics else one]),
                    found.score.ranks[at] == 1,
                    raised=beaten if raised else "",
                ),
                *(Cell(number(row[column])) for column in metrics.values()),
                *((Cell("" if row["wins"] is None else percent(row["wins"])),) if metrics else ()),
                *(() if raised else (Cell(beaten),)),
                Cell(row["reference"] or ""),
                Cell("" if row["uir"] is None else number(row["uir"], 2)),
            )
        )
    heading = (
        *("#", "tier", "system", *([found.score.name] if metrics else [])),
        *(f"{name} ↓" if lower else name for name, lower in zip(found.cube.metrics, found.cube.lower, strict=True)),
        *(("weightings won",) if metrics else ()),
        *(() if raised else ("beats",)),
        *("reference", "UIR"),
    )
    note = "raised: the rows that a system robustly beats" if raised else ""
    return Grid(heading, tuple(lines), caption(found), (note,) if note else ())


def ranges(numbers: Iterable[int]) -> str:
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
                *(Cell(told_chance(row[name], found.level)) for name in ("p", "corrected")),
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
        "better or equal by all",
        "worse or equal by all",
        "biased",
        "cases",
    )
    return Grid((*heading, "for every weighting", "verdict"), tuple(rows), caption(found))


def grids(found: Comparison, names: Sequence[str] = (), *, raised: bool = False, with_pairs: bool = False) -> list[Grid]:
    """The leaderboard, every pair if these are wanted, and other tables by their names."""
    more = [as_grid(getattr(found, name), name) for name in names]
    return [board(found, raised=raised), *([pairs(found)] if with_pairs else []), *more]


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with lists of names as text."""
    return frame.with_columns(pl.col(pl.List(pl.String)).list.join(" "))


def as_csv(frame: pl.DataFrame) -> str:
    """Any table of a comparison as CSV, in which no name acts as a formula."""
    return delimited(frame, ",")


def as_grid(frame: pl.DataFrame, caption: str) -> Grid:
    """Any table of a comparison as plain data."""
    rows = tuple(tuple(Cell(_told(value)) for value in row) for row in flat(frame).iter_rows())
    return Grid(tuple(frame.columns), rows, caption)


def _told(value: object) -> str:
    return "" if value is None else number(value) if isinstance(value, float) else str(value)


def as_json(found: Comparison, more: Sequence[str] = ()) -> str:
    """Words, leaderboard, pairs, unanimity, weights, `more` tables by their names, and how it was made."""
    tables = {
        "leaderboard": found.leaderboard,
        "pairs": found.significance,
        "unanimity": found.unanimity,
        "weights": found.weights,
        "leads": found.leads,
        "references": found.references,
        **{name: getattr(found, name) for name in more},
    }
    made = {
        "version": __version__,
        "metrics": list(found.cube.metrics),
        "score": found.score.name,
        "test": found.tested.name,
        "note": found.told_test,
        "correction": found.told_correction,
        "level": found.level,
        "uir_threshold": found.uir_threshold,
        "baseline": found.baseline,
        "cases": len(found.cube.cases),
        "eps": found.eps,
        "resamples": found.tested.resamples,
        "seed": found.seed,
    }
    numbers = pl.col(pl.Float64)
    finite = pl.when(numbers.is_finite()).then(numbers)  # an effect may be infinite, which JSON has no word for
    whole = {
        "summary": summary(found),
        **{name: table.with_columns(finite).to_dicts() for name, table in tables.items()},
        "made": made,
        "notices": [{"code": notice.code, "text": notice.headline(), "help": notice.help} for notice in found.notices],
    }
    return json.dumps(whole, indent=1, allow_nan=False) + "\n"
