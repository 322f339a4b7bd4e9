"""The leaderboard: means with their intervals, ranks and marks of significance, and bands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparison.marks import MOST_LETTERS, explanation, marks, row_names
from plumbline.comparison.wording import caption
from plumbline.errors.base import listing, plural
from plumbline.figures.palette import palette
from plumbline.figures.parts import display_names
from plumbline.render.grid import number, percent
from plumbline.reports.model import Entry, Heading, Paragraph, Section, Table
from plumbline.reports.sections.pairs import pairs
from plumbline.scores import Column

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.comparison import Comparison
    from plumbline.figures.means import Means
    from plumbline.figures.subject import Subject

DIGITS: Final = 4
SHORT: Final = 3
"""Digits of intervals."""
INTERVAL: Final = "below it half the width of its 95 % confidence interval (t distribution)"


def section(subject: Subject, teams: Mapping[str, str] | None = None) -> Section:
    """Systems, best first."""
    comparison = subject.comparison
    if comparison is None:
        introduction = Paragraph("There is only one system, so there is nothing to compare it with.")
        return Section("leaderboard", "Scores", (introduction, _alone(subject, teams or {})))
    introduction = Paragraph(_bands(comparison) if comparison.baseline is None else _against(comparison.baseline))
    return Section(
        "leaderboard",
        "Leaderboard",
        (introduction, _board(subject, comparison, teams or {}), pairs(comparison, Named(subject).entry)),
    )


def _bands(comparison: Comparison) -> str:
    """What bands are where every pair was tested."""
    return (
        f"Systems are ordered by {comparison.main.name}. A band holds the systems that are not shown to be worse than its "
        "first one; all pairs are tested and corrected together."
    )


def _against(baseline: str) -> str:
    """What is tested where there is a baseline."""
    return f"Only the pairs with the baseline {baseline} were tested, so nothing is known about pairs of other systems."


def _alone(subject: Subject, teams: Mapping[str, str]) -> Table:
    """The means of a single system."""
    means = subject.means
    named = Named(subject, teams)
    columns = _columns(subject)
    rows = tuple((named.entry(name), *_of_metrics(columns, means, at)) for at, name in enumerate(means.systems))
    heading = (Heading("system", numeric=False), *_metric_headings(subject))
    return Table("board", f"Means over {plural(len(subject.cube.cases), 'case')}", heading, rows)


def _board(subject: Subject, comparison: Comparison, teams: Mapping[str, str]) -> Table:
    """A row for each system, and for each output that ignores the gold."""
    means, several = subject.means, len(comparison.cube.metrics) > 1
    order = comparison.order
    names = row_names(len(order))
    place = {comparison.systems[at]: row for row, at in enumerate(order)}
    marked = [_marks(comparison, at, order) for at in range(len(comparison.cube.metrics))]
    named, columns, rows = Named(subject, teams), _columns(subject), []
    for row in comparison.leaderboard.iter_rows(named=True):
        at = place.get(row["system"])
        share = Entry("" if row["wins"] is None else percent(row["wins"]), row["wins"])
        raised = ["" if at is None else texts[at] for texts in marked]
        rows.append(
            (
                Entry("" if at is None else names[at], at),
                named.entry(row["system"]),
                *((Entry(number(row["score"]), row["score"], best=_is_best(comparison, row)),) if comparison.has_score else ()),
                *_of_metrics(columns, means, means.systems.index(row["system"]), raised),
                Entry("" if row["band"] is None else str(row["band"]), row["band"]),
                Entry(_ranks(row), row["rank_low"]),
                *((share, Entry("yes" if row["pareto"] else "")) if several else ()),
            )
        )
    notes = (caption(comparison), _explanation(comparison, len(order)), *_notes(subject))
    heading = _headings(subject, comparison, several=several)
    bands = () if comparison.baseline is not None else tuple(comparison.leaderboard["band"].to_list())
    return Table("board", "Systems, best first", heading, tuple(rows), notes, named=1, bands=bands)


def _marks(comparison: Comparison, metric: int, order: list[int]) -> list[str]:
    """Letters of the systems that each one beats; of very many systems, how many it beats."""
    if len(order) <= MOST_LETTERS or comparison.baseline is not None:
        return marks(comparison, metric, order)
    beaten = comparison.wins[metric].sum(axis=1)
    return [f"+{beaten[at]:,}" if beaten[at] else "" for at in order]


def _explanation(comparison: Comparison, count: int) -> str:
    """What the marks mean."""
    if count <= MOST_LETTERS or comparison.baseline is not None:
        return explanation(comparison, count)
    return "+12: significantly better than 12 other systems by this metric; the table of pairs says which"


class Named:
    """Entries that name a system, with the name and the colour that it has in figures."""

    def __init__(self, subject: Subject, teams: Mapping[str, str] | None = None) -> None:
        self.names, self.colours, self.teams = display_names(subject.cube.systems), palette(subject), teams or {}

    def entry(self, system: str) -> Entry:
        """The name of a system."""
        shown = self.names.get(system, system)
        return Entry(system, detail=self.teams.get(system, ""), system=shown, colour=self.colours.get(shown))


def _is_best(comparison: Comparison, row: dict[str, Any]) -> bool:
    return not row["floor"] and comparison.main.ranks[comparison.systems.index(row["system"])] == 1


def _ranks(row: dict[str, Any]) -> str:
    low, high = row["rank_low"], row["rank_high"]
    return "" if low is None else str(low) if low == high else f"{low} to {high}"


def _headings(subject: Subject, comparison: Comparison, *, several: bool) -> tuple[Heading, ...]:
    score = Heading("score ↑", f"{comparison.score.name}: what systems are ordered by")
    weighted = (
        Heading(
            "weightings won", "the share of all weightings of the metrics by which no system has a better mean", optional=True
        ),
        Heading("Pareto", "whether no other system is at least as good by every metric", numeric=False, optional=True),
    )
    return (
        Heading("#", "the letter of the system in marks of significance", ascending=True),
        Heading("system", numeric=False),
        *((score,) if comparison.has_score else ()),
        *_metric_headings(subject),
        Heading("band", "systems that are not shown to be worse than the first one of the band", ascending=True),
        Heading("ranks", "the ranks that the system may have, as far as the tests tell", ascending=True, optional=True),
        *(weighted if several else ()),
    )


def _columns(subject: Subject) -> tuple[Column, ...]:
    """What is known about the metrics, with the direction by which they are compared."""
    known = {} if subject.scores is None else {column.name: column for column in subject.scores.columns}
    cube = subject.cube
    betters = [
        "neither" if name in cube.neither else "lower" if lower else "higher"
        for name, lower in zip(cube.metrics, cube.lower, strict=True)
    ]
    made = (known.get(name, Column(name, name, "", "mean", "")) for name in cube.metrics)
    return tuple(replace(column, better=better) for column, better in zip(made, betters, strict=True))


def _metric_headings(subject: Subject) -> tuple[Heading, ...]:
    ranked = ", with the rank by this metric" if len(subject.cube.systems) > 1 else ""
    return tuple(
        Heading(
            column.heading,
            f"the mean over cases{'' if column.better == 'neither' else ranked}; {INTERVAL}",
            optional=at > 0,
            ascending=column.better == "lower",
        )
        for at, column in enumerate(_columns(subject))
    )


def _of_metrics(columns: Sequence[Column], means: Means, at: int, marks: Sequence[str] = ()) -> tuple[Entry, ...]:
    """The means of one system, each with its interval, its rank and its mark of significance."""
    made = []
    for metric, column in enumerate(columns):
        value = _known(means.value[metric, at])
        rank = None if column.better == "neither" else means.ranks(metric)[at]
        ends = [_known(end[metric, at]) for end in (means.low, means.high)]
        half = None if value is None or ends[1] is None else ends[1] - value
        interval = "" if half is None else f"\N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}{number(half, SHORT)}"
        place = "" if rank is None or len(means.systems) == 1 else ordinal(rank)
        mark = marks[metric] if marks else ""
        text, bar = column.text(value, DIGITS), None if value is None else _bar(value, means.value[metric])
        made.append(Entry(text, value, place, interval, best=place == "1st", raised=mark, bar=bar))
    return tuple(made)


def _bar(value: float, every: NDArray[np.float64]) -> float | None:
    """The length of a bar: a share of 1 for shares, else of the largest value; there is none if a value is negative."""
    known = every[~np.isnan(every)]
    largest = max(float(known.max(initial=0.0)), 1.0)
    return None if known.min(initial=0.0) < 0 else value / largest


def _notes(subject: Subject) -> tuple[str, ...]:
    floor, neither = subject.floor, [name for name in subject.cube.metrics if name in subject.cube.neither]
    notes = [f"Names in brackets are outputs that ignore the gold: {', '.join(floor)}."] if floor else []
    if neither:
        are, have = ("is", "has") if len(neither) == 1 else ("are", "have")
        why = f"{listing(neither)} {are} neither good nor bad when high, and so {have} no rank"
        notes.append(f"{why}; systems are compared as if higher were better.")
    return tuple(notes)


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    teen = rank % 100 // 10 == 1
    return f"{rank}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
