"""The leaderboard: tiers, means with their intervals and ranks, and who robustly beats whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparison.grids import number_ranges
from plumbline.comparison.wording import caption
from plumbline.errors.base import listing, plural
from plumbline.figures.means import means_of
from plumbline.render.grid import number, percent
from plumbline.reports.model import Entry, Heading, Paragraph, Section, Table
from plumbline.reports.sections.pairs import pairs
from plumbline.scores import Column

if TYPE_CHECKING:
    from plumbline.comparison.comparison import Comparison
    from plumbline.figures.means import Means
    from plumbline.figures.subject import Subject

DIGITS: Final = 4
SHORT: Final = 3
"""Digits of intervals."""
INTERVAL: Final = "below it the 95 % confidence interval (t distribution), which may reach beyond what the metric can be"


def section(subject: Subject) -> Section:
    """Systems, best first."""
    comparison = subject.comparison
    if comparison is None:
        introduction = Paragraph("There is only one system, so there is nothing to compare it with.")
        return Section("leaderboard", "Scores", (introduction, _alone(subject)))
    introduction = Paragraph(_tiers(comparison) if comparison.baseline is None else _around(comparison, comparison.baseline))
    return Section("leaderboard", "Leaderboard", (introduction, _board(subject, comparison), pairs(comparison)))


def _tiers(comparison: Comparison) -> str:
    """What tiers are where every pair was tested."""
    return (
        "Within a tier, no system robustly beats another. A system is in a lower tier only if at least one system above it "
        f"robustly beats it, that is, {_robustly(comparison)}."
    )


def _around(comparison: Comparison, baseline: str) -> str:
    """What tiers are where only the pairs with a baseline were tested."""
    at = comparison.systems.index(baseline)
    groups = {
        f"those that robustly beat {baseline}": comparison.beats[:, at].any(),
        f"{baseline} and those that do not robustly differ from it": True,
        f"those that {baseline} robustly beats": comparison.beats[at].any(),
    }
    tiers = "; ".join(f"tier {tier} has {group}" for tier, group in enumerate((group for group in groups if groups[group]), 1))
    return (
        f"Only the pairs with the baseline {baseline} were tested, so nothing is said about the others: {tiers}. Robustly "
        f"means {_robustly(comparison)}."
    )


def _robustly(comparison: Comparison) -> str:
    """What a win has to be."""
    agreed = "with metrics that agree" if len(comparison.cube.metrics) > 1 else "on clearly more cases than not"
    corrected = "" if comparison.correction == "none" and not comparison.test_result.familywise else ", corrected"
    uir, level = f"UIR from {comparison.uir_threshold:g}", f"p below {comparison.level:g}"
    return f"with a better mean, {agreed} ({uir}) and hardly by chance ({level}{corrected})"


def _alone(subject: Subject) -> Table:
    """The means of a single system."""
    means = means_of(subject)
    rows = tuple((Entry(name), *_of_metrics(subject, means, at)) for at, name in enumerate(means.systems))
    heading = (Heading("system", numeric=False), *_metric_headings(subject))
    return Table("board", f"Means over {plural(len(subject.cube.cases), 'case')}", heading, rows)


def _board(subject: Subject, comparison: Comparison) -> Table:
    """A row for each system."""
    means, several = means_of(subject), len(comparison.cube.metrics) > 1
    ordered = list(comparison.leaderboard.iter_rows(named=True))
    place = {row["system"]: at for at, row in enumerate(ordered, 1)}
    rows = []
    for row in ordered:
        at = comparison.systems.index(row["system"])
        beaten = [place[comparison.systems[other]] for other in np.flatnonzero(comparison.beats[at])]
        score = Entry(number(row["score"]), row["score"], best=comparison.score.ranks[at] == 1)
        share = Entry("" if row["wins"] is None else percent(row["wins"]), row["wins"])
        rows.append(
            (
                Entry(str(place[row["system"]]), place[row["system"]]),
                Entry("" if row["tier"] is None else str(row["tier"]), row["tier"]),
                Entry(row["system"]),
                *((score,) if several else ()),
                *_of_metrics(subject, means, means.systems.index(row["system"])),
                *((share,) if several else ()),
                Entry(str(len(beaten)), len(beaten), detail=f"→ {number_ranges(beaten).replace(',', ', ')}" if beaten else ""),
                Entry(str(row["beaten_by"]), row["beaten_by"]),
                _reference(row, place),
            )
        )
    notes = (caption(comparison), *_notes(subject))
    return Table("board", "Systems, best first", _headings(subject, comparison, several=several), tuple(rows), notes, named=2)


def _reference(row: dict[str, Any], place: dict[str, int]) -> Entry:
    """The system that should replace it, and how unanimous that would be."""
    if row["reference"] is None:
        return Entry("")
    return Entry(row["reference"], place[row["reference"]], detail=f"UIR {number(row['uir'], 2)}")


def _headings(subject: Subject, comparison: Comparison, *, several: bool) -> tuple[Heading, ...]:
    return (
        Heading("#", "place in this table", ascending=True),
        Heading("tier", _tier_text(comparison), ascending=True),
        Heading("system", numeric=False),
        *(
            (Heading("score ↑", f"{comparison.score.name}: what systems are ordered by, and what is tested"),)
            if several
            else ()
        ),
        *_metric_headings(subject),
        *(
            (Heading("weightings won", "the share of all weightings of the metrics by which no system is better"),)
            if several
            else ()
        ),
        Heading("beats", "how many systems it robustly beats, and their places"),
        Heading("beaten by", "how many systems robustly beat it"),
        Heading("reference", "the system that improves it most unanimously, if one does", numeric=False),
    )


def _tier_text(comparison: Comparison) -> str:
    if comparison.baseline is None:
        return "no system robustly beats those of tier 1"
    return f"those that robustly beat {comparison.baseline} first, then those that do not robustly differ from it"


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
            ascending=column.better == "lower",
        )
        for column in _columns(subject)
    )


def _of_metrics(subject: Subject, means: Means, at: int) -> tuple[Entry, ...]:
    """The means of one system, each with its interval and its rank."""
    made = []
    for metric, column in enumerate(_columns(subject)):
        value = _known(means.value[metric, at])
        rank = None if column.better == "neither" else means.ranks(metric)[at]
        ends = [_known(end[metric, at]) for end in (means.low, means.high)]
        interval = (
            "" if None in ends else f"{number(ends[0], SHORT)}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{number(ends[1], SHORT)}"
        )
        place = "" if rank is None or len(means.systems) == 1 else ordinal(rank)
        made.append(Entry(column.text(value, DIGITS), value, place, interval, best=place == "1st"))
    return tuple(made)


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
