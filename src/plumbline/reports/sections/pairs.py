"""Every pair of systems: the difference, how sure it is, and how often the metrics agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.comparison.verdict import p_text
from plumbline.comparison.wording import caption
from plumbline.errors.base import plural
from plumbline.render.grid import number
from plumbline.reports.model import Entry, Heading, Table

if TYPE_CHECKING:
    from plumbline.comparison.comparison import Comparison

MOST: Final = 500
"""Rows of pairs in a page."""
HEADING: Final = (
    Heading("better", numeric=False),
    Heading("worse", numeric=False),
    Heading("difference", "by how much the mean score is better, with its 95 % confidence interval"),
    Heading("p", "of the significance test", ascending=True),
    Heading("corrected p", "corrected for the number of pairs", ascending=True),
    Heading("UIR", "unanimous improvements minus unanimous losses, as a share of the cases"),
    Heading("better or equal by all", "cases on which it is at least as good by every metric"),
    Heading("worse or equal by all", "cases on which the other one is; those on which both are equal count for both"),
    Heading("biased", "cases on which the metrics disagree"),
    Heading("cases", "on which both have every metric"),
    Heading(
        "every weighting",
        "whether it is better by every weighting, or of more than two metrics by all drawn ones and not worse by one alone",
        numeric=False,
    ),
    Heading("verdict", numeric=False),
)
OF_SEVERAL: Final = ("biased", "every weighting")
"""Columns that say nothing where there is one metric."""


def pairs(comparison: Comparison) -> Table:
    """The pairs with the baseline or with the best system first, then those with the smallest p; the page holds so many."""
    leader = comparison.leaderboard["system"][0] if comparison.baseline is None else comparison.baseline
    leads = (pl.col("a") == leader) | (pl.col("b") == leader)
    ordered = comparison.significance.sort(~leads, "corrected", nulls_last=True, maintain_order=True)
    with_leader = len(ordered.filter(leads))
    rows = tuple(_row(comparison, row) for row in ordered.head(max(MOST, with_leader)).iter_rows(named=True))
    left_out = len(ordered) - len(rows)
    title = "Pairs of systems, the better one first"
    notes = (caption(comparison), *((_held(leader, with_leader, len(rows) - with_leader, left_out),) if left_out else ()))
    kept = [at for at, head in enumerate(HEADING) if head.text not in _needless(comparison)]
    rows = tuple(tuple(row[at] for at in kept) for row in rows)
    return Table(
        "pairs", title, tuple(HEADING[at] for at in kept), rows, notes, folded=_folded(comparison, len(rows), len(ordered))
    )


def _needless(comparison: Comparison) -> tuple[str, ...]:
    """Columns that say nothing here."""
    uncorrected = comparison.test_result.familywise or comparison.correction == "none"
    return (*(() if len(comparison.cube.metrics) > 1 else OF_SEVERAL), *(("corrected p",) if uncorrected else ()))


def _held(leader: str, with_leader: int, others: int, left_out: int) -> str:
    """What the page holds of more pairs than it can."""
    rest = f" and of the others the {others:,} with the smallest p" if others else ""
    are = "is" if left_out == 1 else "are"
    return f"These are {_all_with(leader, with_leader)}{rest}; {plural(left_out, 'pair')} {are} left out of the page."


def _all_with(leader: str, count: int) -> str:
    return f"the only pair with {leader}" if count == 1 else f"all {count:,} pairs with {leader}"


def _folded(comparison: Comparison, held: int, total: int) -> str:
    if held < total:
        return f"{held:,} of {plural(total, 'pair')}"
    if comparison.baseline is not None:
        return f"Every pair with {comparison.baseline} ({plural(total, 'pair')}); the others were not tested"
    return "The pair" if total == 1 else f"Every pair ({total:,} pairs)"


def _row(comparison: Comparison, row: dict[str, Any]) -> tuple[Entry, ...]:
    a, b = comparison.systems.index(row["a"]), comparison.systems.index(row["b"])
    counts = comparison.improvements
    uir = None if np.isnan(counts.uir[a, b]) else float(counts.uir[a, b])
    interval = "" if row["low"] is None else f"{number(row['low'])}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{number(row['high'])}"
    return (
        Entry(row["a"]),
        Entry(row["b"]),
        Entry(number(row["difference"]), row["difference"], detail=interval),
        *(Entry(p_text(row[name], comparison.level), row[name]) for name in ("p", "corrected")),
        Entry(number(uir, 2), uir),
        *(Entry(f"{table[a, b]:,}", int(table[a, b])) for table in (counts.a_ge_b, counts.b_ge_a, counts.biased, counts.cases)),
        Entry("yes" if comparison.always[a, b] else ""),
        Entry(_verdict(row, len(comparison.cube.metrics))),
    )


def _verdict(row: dict[str, Any], metrics: int) -> str:
    """In a word or two, where there is something to say."""
    if row["difference"] is None:
        return "no case in common" if metrics == 1 else "no case on which both have every metric"
    return "robust" if row["robust"] else "same mean" if row["difference"] == 0 else ""
