"""Every pair of systems: the difference, how sure it is, and how often the metrics agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.finding import signed
from plumbline.comparison.tables import tested_pairs
from plumbline.comparison.verdict import verdict
from plumbline.comparison.wording import caption
from plumbline.errors.base import plural
from plumbline.render.grid import number, percent
from plumbline.reports.model import Entry, Heading, Table

if TYPE_CHECKING:
    from plumbline.comparison.comparison import Comparison
    from plumbline.comparison.finding import Finding
    from plumbline.comparison.verdict import Verdict

MOST: Final = 500
"""Rows of pairs in a page."""
HEADING: Final = (
    Heading("better", numeric=False),
    Heading("worse", numeric=False),
    Heading("verdict", "better, a trade-off, equal within the margin, or open: not shown to differ", numeric=False),
    Heading("UIR", "cases on which it is at least as good by every metric minus those on which the other one is, as a share"),
    Heading("disagree", "cases on which the metrics disagree"),
    Heading("units", "how many cases, or items, the two were compared on"),
    Heading("weightings", "the share of all weightings of the metrics by which it has the better mean"),
)
OF_SEVERAL: Final = ("disagree", "weightings")
"""Columns that say nothing where there is one metric."""
FIRST: Final = 3
"""How many columns stand before those of the measures."""


def pairs(comparison: Comparison) -> Table:
    """The pairs with the baseline or with the best system first, then those with the smallest p; the page holds so many."""
    leader = comparison.order[0] if comparison.baseline_at is None else comparison.baseline_at
    a, b = tested_pairs(comparison)
    with_leader = (a == leader) | (b == leader)
    smallest = np.nan_to_num(comparison.corrected[:, a, b], nan=2.0).min(axis=0)
    order = np.lexsort((np.arange(len(a)), smallest, ~with_leader))[: max(MOST, int(with_leader.sum()))]
    rows = tuple(_row(verdict(comparison, int(a[at]), int(b[at]))) for at in order)
    left_out, name = len(a) - len(rows), comparison.systems[leader]
    counted = int(with_leader.sum())
    notes = (caption(comparison), *((_held(name, counted, len(rows) - counted, left_out),) if left_out else ()))
    measures = [
        Heading(measure.name, "the difference of the means with its 95 % confidence interval, and p after correction")
        for measure in (comparison.main, *(one for one in comparison.measures if one is not comparison.main))
    ]
    headings = (*HEADING[:FIRST], *measures, *HEADING[FIRST:])
    kept = [at for at, head in enumerate(headings) if head.text not in OF_SEVERAL or len(comparison.cube.metrics) > 1]
    rows = tuple(tuple(row[at] for at in kept) for row in rows)
    folded = _folded(comparison, len(rows), len(a))
    title = "Pairs of systems, the better one first"
    return Table("pairs", title, tuple(headings[at] for at in kept), rows, notes, folded=folded)


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


def _row(of: Verdict) -> tuple[Entry, ...]:
    return (
        Entry(of.better),
        Entry(of.worse),
        Entry(of.kind),
        *(_difference(finding) for finding in of.findings),
        Entry(number(of.uir, 2), of.uir),
        Entry(f"{of.biased:,}", of.biased),
        Entry(f"{of.units:,}", of.units),
        Entry(percent(of.share), of.share),
    )


def _difference(finding: Finding) -> Entry:
    if finding.difference is None:
        return Entry("n/a")
    ends = (number(end, finding.digits) for end in (finding.low, finding.high))
    interval = "" if finding.low is None else "\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}".join(ends)
    text = signed(finding.difference, finding.digits)
    return Entry(text, finding.difference, finding.chance, interval, best=finding.significant)
