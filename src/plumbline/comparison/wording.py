"""A comparison in sentences: who is the best, for which weights, how each pair compares, and what the numbers are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.leaderboard import circles
from plumbline.comparison.verdict import alone, interval, verdict
from plumbline.errors.base import listing, plural
from plumbline.errors.faces import either, rendered
from plumbline.render.grid import percent

if TYPE_CHECKING:
    from plumbline.comparison.tables import Tables

MOST_VERDICTS: Final = 6
"""Verdicts that are part of a summary."""
PAIR: Final = 2


def summary(comparison: Tables) -> list[str]:
    """The answer in sentences, the most important one first."""
    shown, more = verdicts(comparison)
    where = rendered(either("see .significance", "--pairs shows all"))
    return [*answer(comparison), *shown, *([f"There {_are(more)} {plural(more, 'more pair')}: {where}."] if more else [])]


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def answer(comparison: Tables) -> list[str]:
    """Who is the best, and for which weights."""
    baseline = comparison.baseline
    best = _best(comparison) if baseline is None else _against_baseline(comparison, baseline)
    return [best, _by_weight(comparison)]


def _against_baseline(comparison: Tables, baseline: str) -> str:
    """Who beats the baseline and whom it beats; the other pairs are not tested."""
    at = comparison.systems.index(baseline)
    winners = [comparison.systems[other] for other in np.flatnonzero(comparison.beats[:, at])]
    losers = [comparison.systems[other] for other in np.flatnonzero(comparison.beats[at])]
    above = f"{listing(winners, 8)} robustly {'beats' if len(winners) == 1 else 'beat'} {baseline}"
    below = f"{baseline} robustly beats {listing(losers, 8)}" if losers else f"{baseline} robustly beats nobody"
    return f"{above if winners else f'Nobody robustly beats {baseline}'}; {below}. Only pairs with {baseline} are tested."


def _best(comparison: Tables) -> str:
    """Whom nobody robustly beats."""
    board = comparison.leaderboard
    first = board.filter(pl.col("tier") == 1)["system"].to_list()
    tiers = board["tier"].drop_nulls().unique().len()
    in_circle = circles(comparison.beats)
    if len(first) == 1 and board["tier"].count() == PAIR and tiers > 1:
        return f"{first[0]} is the best: it robustly beats {board['system'][1]}."
    if len(first) == 1 and tiers > 1:
        return f"{first[0]} is the best: nobody robustly beats it, and the others are in {plural(tiers - 1, 'lower tier')}."
    if not comparison.beats.any():
        return f"No winner: no system robustly beats another one ({listing(first, 8)})."
    if any(in_circle[comparison.systems.index(name)] for name in first):
        return f"No winner: on the cases that they share, systems robustly beat each other in a circle ({listing(first, 8)})."
    return f"No single winner: nobody robustly beats {listing(first, 8)}, tier 1 of {tiers}."


def _by_weight(comparison: Tables) -> str:
    """Who is best for which weights, by the score."""
    if len(comparison.cube.metrics) == 1:
        return _by_one_metric(comparison)
    if comparison.win_intervals is None:
        return _by_drawn_weights(comparison)
    leads = list(comparison.leads.iter_rows())
    if not leads:
        return "No system leads for any alpha: they have different cases."
    if all(low <= 0 and high >= 1 for _, low, high in leads):
        leaders = _have([name for name, _, _ in leads])
        return f"{leaders} the best mean for every alpha{_exceptions(comparison, leads[0][0], 1.0)}."
    parts = [f"{name} for {interval(low, high)}" for name, low, high in leads]
    return f"Which mean is best depends on alpha, the weight of {comparison.cube.metrics[0]}: {listing(parts, 6)}."


def _by_one_metric(comparison: Tables) -> str:
    best = [name for name, rank in zip(comparison.systems, comparison.score.ranks, strict=True) if rank == 1]
    known = comparison.cube.known
    different = "" if (known == known[0]).all() else ", though systems have different cases"
    return f"There is only one metric, so no weights matter; {_have(best)} the best mean{different}."


def _by_drawn_weights(comparison: Tables) -> str:
    shares = comparison.shares.table().sort("best", descending=True, nulls_last=True, maintain_order=True)
    rows = [(name, share) for name, share in shares.select("system", "best").iter_rows() if share]
    count = f"{comparison.shares.samples:,} weightings of the {len(comparison.cube.metrics)} metrics"
    if not rows:
        return f"No system leads for any of {count}: they have different cases."
    parts = [f"{name} in {percent(share)}{_exceptions(comparison, name, share)}" for name, share in rows]
    parts[0] = parts[0].replace(f"{rows[0][0]} in ", f"{rows[0][0]} has the best mean in ", 1)
    return f"Of {count}, {listing(parts, 4)}."


def _exceptions(comparison: Tables, name: str, share: float) -> str:
    """The metrics that alone prefer somebody else to a system that is the best by all weightings drawn."""
    against = comparison.opposed[:, comparison.systems.index(name)]
    metrics = [metric for metric, by in zip(comparison.cube.metrics, against, strict=True) if by.any()]
    return f" (but not by {alone(metrics)})" if share == 1 and metrics else ""


def _have(names: list[str]) -> str:
    return f"{names[0]} has" if len(names) == 1 else f"{listing(names, 6)} together have"


def verdicts(comparison: Tables) -> tuple[list[str], int]:
    """The first of the leaderboard, or the baseline, against the others; and how many of these are left out."""
    ordered = comparison.leaderboard["system"].to_list()
    against = ordered[0] if comparison.baseline is None else comparison.baseline
    others = [name for name in ordered if name != against]
    shown = [str(verdict(comparison, *map(comparison.systems.index, (name, against)))) for name in others[:MOST_VERDICTS]]
    return shown, max(len(others) - MOST_VERDICTS, 0)


def caption(comparison: Tables) -> str:
    """What the numbers are: cases, score, test, correction, thresholds."""
    parts = [
        f"{plural(len(comparison.systems), 'system')}, {plural(len(comparison.cube.cases), 'case')}",
        f"score: {comparison.score.name}",
        comparison.test_result.name,
        f"correction: {comparison.correction_used}",
        f"robust: UIR from {comparison.uir_threshold:g}, p below {comparison.level:g}",
        *([f"differences up to {comparison.eps:g} count as equal in UIR"] if comparison.eps else []),
        *([comparison.test_remarks] if comparison.test_remarks else []),
    ]
    return "; ".join(parts)
