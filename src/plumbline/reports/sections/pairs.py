"""Every pair of systems: the difference, how sure it is, and how often the metrics agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparisons.telling import caption
from plumbline.errors.base import plural
from plumbline.render.grid import chance, number
from plumbline.reports.model import Entry, Heading, Table

if TYPE_CHECKING:
    from plumbline.comparisons.comparison import Comparison

MOST: Final = 500
"""Rows of pairs in a page."""
HEADING: Final = (
    Heading("better", numeric=False),
    Heading("worse", numeric=False),
    Heading("difference", "of the mean score, with its 95 % confidence interval"),
    Heading("p", "of the significance test alone", ascending=True),
    Heading("corrected p", "corrected for the number of pairs", ascending=True),
    Heading("UIR", "unanimous improvements minus unanimous losses, as a share of the cases"),
    Heading("better by all", "cases on which it is at least as good by every metric"),
    Heading("worse by all", "cases on which the other one is"),
    Heading("biased", "cases on which the metrics disagree"),
    Heading("cases", "on which both have every metric"),
    Heading("every weighting", "whether it is better by every weighting of the metrics", numeric=False),
    Heading("verdict", numeric=False),
)


def pairs(found: Comparison) -> Table:
    """The pairs with the smallest p first; the page holds so many of them."""
    ordered = found.significance.sort("corrected", nulls_last=True, maintain_order=True)
    rows = tuple(_row(found, row) for row in ordered.head(MOST).iter_rows(named=True))
    left_out = len(ordered) - len(rows)
    notes = (
        (f"These are the {len(rows):,} pairs with the smallest p; {left_out:,} are left out of the page.",) if left_out else ()
    )
    return Table(
        "pairs",
        "Pairs of systems, the better one first",
        HEADING,
        rows,
        (caption(found), *notes),
        folded=f"{len(rows):,} of {plural(len(ordered), 'pair')}"
        if left_out
        else f"Every pair ({plural(len(ordered), 'pair')})",
    )


def _row(found: Comparison, row: dict[str, Any]) -> tuple[Entry, ...]:
    a, b = found.systems.index(row["a"]), found.systems.index(row["b"])
    counts = found.improvements
    uir = None if np.isnan(counts.uir[a, b]) else float(counts.uir[a, b])
    interval = "" if row["low"] is None else f"{number(row['low'])}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{number(row['high'])}"
    return (
        Entry(row["a"]),
        Entry(row["b"]),
        Entry(number(row["difference"]), row["difference"], detail=interval),
        *(Entry(chance(row[name]), row[name]) for name in ("p", "corrected")),
        Entry(number(uir, 2), uir),
        *(Entry(f"{table[a, b]:,}", int(table[a, b])) for table in (counts.a_ge_b, counts.b_ge_a, counts.biased, counts.cases)),
        Entry("yes" if found.always[a, b] else ""),
        Entry("robust" if row["robust"] else ""),
    )
