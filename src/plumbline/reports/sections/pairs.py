"""Every pair of systems: the difference, how certain it is, and how often the metrics agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.finding import signed
from plumbline.comparison.tables import tested_pairs
from plumbline.comparison.verdict import finding, kinds_of
from plumbline.comparison.wording import caption
from plumbline.errors.base import plural
from plumbline.render.grid import number, percent
from plumbline.reports.model import Entry, Heading, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.comparison.comparison import Comparison
    from plumbline.comparison.finding import Finding

MOST: Final = 500
"""Rows of pairs in a page."""
MOST_WITH_LEADER: Final = 1_000
"""Rows of a page in which even more pairs have the leader in them."""
FEW: Final = 10
"""Pairs that are not folded away."""
ICONS: Final = {
    "better": "\N{BLACK UP-POINTING TRIANGLE}",
    "trade-off": "\N{RIGHTWARDS ARROW OVER LEFTWARDS ARROW}",
    "equal": "=",
    "open": "\N{WHITE CIRCLE}",
    "identical": "\N{IDENTICAL TO}",
    "nothing": "\N{EN DASH}",
}
"""A sign for each verdict."""
HEADING: Final = (
    Heading("better", numeric=False),
    Heading("worse", numeric=False),
    Heading("verdict", "better, a trade-off, equal within the margin, or open: not shown to differ", numeric=False),
    Heading(
        "UIR",
        "cases on which it is at least as good by every metric minus those on which the other one is, as a share",
        optional=True,
    ),
    Heading("disagree", "cases on which the metrics disagree", optional=True),
    Heading("units", "how many cases, or items, the two were compared on", optional=True),
    Heading("weightings", "the share of all weightings of the metrics by which it has the better mean", optional=True),
)
OF_SEVERAL: Final = ("disagree", "weightings")
"""Columns that say nothing where there is one metric."""
FIRST: Final = 3
"""How many columns stand before those of the measures."""


def pairs(comparison: Comparison, named: Callable[[str], Entry] = Entry) -> Table:
    """The pairs with the baseline or with the best system first, then those with the smallest p; the page holds so many."""
    leader = comparison.order[0] if comparison.baseline_at is None else comparison.baseline_at
    a, b = tested_pairs(comparison)
    with_leader = (a == leader) | (b == leader)
    smallest = np.nan_to_num(comparison.corrected[:, a, b], nan=2.0).min(axis=0)
    order = np.lexsort((np.arange(len(a)), smallest, ~with_leader))
    order = order[: max(MOST, min(int(with_leader.sum()), MOST_WITH_LEADER))]
    rows = _rows(comparison, a[order], b[order], named)
    left_out, name = len(a) - len(rows), comparison.systems[leader]
    counted = int(with_leader[order].sum())
    lacking = int(with_leader.sum()) - counted
    notes = (caption(comparison), *((_held(name, counted, len(rows) - counted, left_out, lacking),) if left_out else ()))
    measures = [
        Heading(
            measure.name,
            "the difference of the means, bold if significant, with its 95 % confidence interval (of too few cases the lowest "
            "and the highest case), and p after correction",
            optional=measure is not comparison.main,
        )
        for measure in (comparison.main, *(one for one in comparison.measures if one is not comparison.main))
    ]
    headings = (*HEADING[:FIRST], *measures, *HEADING[FIRST:])
    kept = [at for at, head in enumerate(headings) if head.text not in OF_SEVERAL or len(comparison.cube.metrics) > 1]
    rows = tuple(tuple(row[at] for at in kept) for row in rows)
    folded = _folded(comparison, len(rows), len(a))
    title = "Pairs of systems, the better one first"
    return Table(
        "pairs", title, tuple(headings[at] for at in kept), rows, notes, folded=folded, compact=True, open=len(rows) <= FEW
    )


def _held(leader: str, with_leader: int, others: int, left_out: int, lacking: int) -> str:
    """What the page holds of more pairs than it can; `lacking` pairs with the leader are not among them."""
    if lacking:
        some = f"{with_leader:,} of {with_leader + lacking:,} pairs with {leader}, those with the smallest p"
        return f"These are {some}; {plural(left_out, 'pair')} are left out of the page, and plumbline compare --pairs has them."
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


def _rows(
    comparison: Comparison, a: NDArray[np.intp], b: NDArray[np.intp], named: Callable[[str], Entry]
) -> tuple[tuple[Entry, ...], ...]:
    """A row for each pair, the better system first."""
    kinds, turned = kinds_of(comparison, a, b), comparison.second_first[a, b]
    first, second = np.where(turned, b, a).tolist(), np.where(turned, a, b).tolist()
    counts, weighted = comparison.improvements, comparison.shares_of(np.where(turned, b, a), np.where(turned, a, b)).tolist()
    measures = [comparison.primary_at, *(at for at in range(len(comparison.measures)) if at != comparison.primary_at)]
    entries = [named(name) for name in comparison.systems]
    return tuple(
        (
            entries[one],
            entries[other],
            Entry(kind, icon=ICONS[kind]),
            *(_difference(finding(comparison, measure, one, other)) for measure in measures),
            _share(counts.uir[one, other], lambda value: number(value, 2)),
            Entry(f"{counts.biased[one, other]:,}", int(counts.biased[one, other])),
            Entry(f"{comparison.main.test.cases[one, other]:,}", int(comparison.main.test.cases[one, other])),
            _share(weight, percent),
        )
        for one, other, kind, weight in zip(first, second, kinds, weighted, strict=True)
    )


def _share(value: float, text: Callable[[float | None], str]) -> Entry:
    known = None if np.isnan(value) else float(value)
    return Entry(text(known), known)


def _difference(finding: Finding) -> Entry:
    if finding.difference is None:
        return Entry("n/a")
    interval = finding.interval or (f"cases {finding.of_cases}" if finding.of_cases else "")
    interval = interval.replace(" ", "\N{NO-BREAK SPACE}")
    text = signed(finding.difference, finding.digits)
    return Entry(text, finding.difference, finding.chance, interval, best=finding.winner != 0)
