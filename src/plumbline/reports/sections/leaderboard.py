"""The leaderboard: tiers, means with their intervals and ranks, and who robustly beats whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparisons.telling import caption, ranges
from plumbline.errors.base import plural
from plumbline.figures.intervals import means_of
from plumbline.render.grid import number, percent
from plumbline.reports.model import Entry, Heading, Section, Table, Words
from plumbline.reports.sections.pairs import pairs
from plumbline.scores import Column

if TYPE_CHECKING:
    from plumbline.comparisons.comparison import Comparison
    from plumbline.figures.intervals import Means
    from plumbline.figures.subject import Subject

DIGITS: Final = 4
SHORT: Final = 3
"""Digits of intervals."""
INTERVAL: Final = "the mean over cases, with the rank by this metric; below it the 95 % confidence interval"


def section(subject: Subject) -> Section:
    """Systems, best first."""
    found = subject.comparison
    if found is None:
        words = Words("There is one system, so there is nothing to compare it with.")
        return Section("leaderboard", "Scores", (words, _alone(subject)))
    words = Words(
        "Systems of one tier cannot be told apart: a system is in a lower tier only if one above it robustly beats it, that "
        f"is, with a better mean, with metrics that agree (UIR from {found.threshold:g}) and hardly by chance "
        f"(p below {found.level:g}, corrected)."
    )
    return Section("leaderboard", "Leaderboard", (words, _board(subject, found), pairs(found)))


def _alone(subject: Subject) -> Table:
    """The means of a single system."""
    means = means_of(subject)
    rows = tuple((Entry(name), *_of_metrics(subject, means, at)) for at, name in enumerate(means.systems))
    heading = (Heading("system", numeric=False), *_metric_headings(subject))
    return Table("board", f"Means over {plural(len(subject.cube.cases), 'case')}", heading, rows)


def _board(subject: Subject, found: Comparison) -> Table:
    """A row for each system."""
    means, several = means_of(subject), len(found.cube.metrics) > 1
    ordered = list(found.leaderboard.iter_rows(named=True))
    place = {row["system"]: at for at, row in enumerate(ordered, 1)}
    best = max((row["score"] for row in ordered if row["score"] is not None), default=None)
    rows = []
    for row in ordered:
        at = found.systems.index(row["system"])
        beaten = [place[found.systems[other]] for other in np.flatnonzero(found.beats[at])]
        score = Entry(number(row["score"]), row["score"], best=row["score"] is not None and row["score"] == best)
        share = Entry("" if row["wins"] is None else percent(row["wins"]), row["wins"])
        rows.append(
            (
                Entry(str(place[row["system"]]), place[row["system"]]),
                Entry("" if row["tier"] is None else str(row["tier"]), row["tier"]),
                Entry(row["system"]),
                *((score,) if several else ()),
                *_of_metrics(subject, means, means.systems.index(row["system"])),
                *((share,) if several else ()),
                Entry(str(len(beaten)), len(beaten), detail=f"→ {ranges(beaten).replace(',', ', ')}" if beaten else ""),
                Entry(str(row["beaten_by"]), row["beaten_by"]),
                _reference(row, place),
            )
        )
    notes = (caption(found), *_notes(subject))
    return Table("board", "Systems, best first", _headings(subject, found, several=several), tuple(rows), notes, named=2)


def _reference(row: dict[str, Any], place: dict[str, int]) -> Entry:
    """The system that should replace it, and how unanimous that would be."""
    if row["reference"] is None:
        return Entry("")
    return Entry(row["reference"], place[row["reference"]], detail=f"UIR {number(row['uir'], 2)}")


def _headings(subject: Subject, found: Comparison, *, several: bool) -> tuple[Heading, ...]:
    return (
        Heading("#", "place in this table", ascending=True),
        Heading("tier", "nobody robustly beats those of tier 1", ascending=True),
        Heading("system", numeric=False),
        *((Heading("score ↑", f"{found.score.name}: what systems are ordered by, and what is tested"),) if several else ()),
        *_metric_headings(subject),
        *(
            (Heading("weightings won", "the share of all weightings of the metrics by which nobody is better"),)
            if several
            else ()
        ),
        Heading("beats", "how many systems it robustly beats, and their places"),
        Heading("beaten by", "how many systems robustly beat it"),
        Heading("reference", "the system that improves it most unanimously, if one does", numeric=False),
    )


def _columns(subject: Subject) -> tuple[Column, ...]:
    """What is known about the metrics; of those in a table of scores, the direction."""
    known = {} if subject.scores is None else {column.name: column for column in subject.scores.columns}
    betters = ("lower" if lower else "higher" for lower in subject.cube.lower)
    pairs = zip(subject.cube.metrics, betters, strict=True)
    return tuple(known.get(name, Column(name, name, better, "mean", "")) for name, better in pairs)


def _metric_headings(subject: Subject) -> tuple[Heading, ...]:
    return tuple(Heading(column.heading, INTERVAL, ascending=column.better == "lower") for column in _columns(subject))


def _of_metrics(subject: Subject, means: Means, at: int) -> tuple[Entry, ...]:
    """The means of one system, each with its interval and its rank."""
    made = []
    for metric, column in enumerate(_columns(subject)):
        value = _known(means.value[metric, at])
        signed = means.value[metric] * (-1 if column.better == "lower" else 1)
        rank = None if value is None or column.better == "neither" else 1 + int((signed > signed[at]).sum())
        ends = [_known(end[metric, at]) for end in (means.low, means.high)]
        interval = (
            "" if None in ends else f"{number(ends[0], SHORT)}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{number(ends[1], SHORT)}"
        )
        place = "" if rank is None or len(means.systems) == 1 else ordinal(rank)
        made.append(Entry(column.text(value, DIGITS), value, place, interval, best=place == "1st"))
    return tuple(made)


def _notes(subject: Subject) -> tuple[str, ...]:
    floor = subject.floor
    return (f"Names in brackets are outputs that ignore the gold: {', '.join(floor)}.",) if floor else ()


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    teen = rank % 100 // 10 == 1
    return f"{rank}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
