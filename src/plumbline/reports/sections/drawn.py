"""Sections of figures, derived from what each figure declares about its place in a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plumbline.errors.faces import either, rendered
from plumbline.figures.registry import FIGURES
from plumbline.lazily import alt
from plumbline.reports.model import Paragraph, Picture, Section, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.comparison.comparison import Comparison
    from plumbline.figures.figure import Figure, InReport, ReportSection
    from plumbline.figures.subject import Subject


def declared_sections() -> dict[str, list[Figure]]:
    """The names of all sections in the order of a report, with the figures of each in order."""
    sections: dict[str, list[Figure]] = {}
    for figure in FIGURES.values():
        if figure.report is not None:
            sections.setdefault(figure.report.section.name, []).append(figure)
    return sections


def section(subject: Subject, figures: Iterable[Figure]) -> Section | None:
    """A section with those of its figures that can be drawn, and the tables behind them; None if there is nothing to show."""
    placed = [(figure, figure.report) for figure in figures if figure.report is not None]
    if not placed:
        return None
    about, count = placed[0][1].section, len(subject.cube.systems)
    limits = [place.most_systems for _, place in placed if place.most_systems is not None and place.most_systems < count]
    if len(limits) == len(placed):
        draw = either(".plot", "plumbline plot")
        note = rendered(f"A page shows this for up to {max(limits)} systems, and there are {count:,}: draw some with {draw}.")
        return Section(about.name, title(about, subject), (Paragraph(f"{text(about, subject)} {note}"),))
    shown = [(figure, place) for figure, place in placed if place.most_systems is None or place.most_systems >= count]
    empty = {figure.name: why for figure, place in shown if (why := why_empty(subject, figure, place)) is not None}
    pictures = [made for figure, _ in shown if figure.name not in empty and (made := picture(subject, figure.name))]
    notes = [Paragraph(why) for why in dict.fromkeys(empty.values())]
    if not pictures:
        return Section(about.name, title(about, subject), tuple(notes)) if notes else None
    tables = [table for _, place in shown for table in _tables(subject, place)]
    return Section(about.name, title(about, subject), (Paragraph(text(about, subject)), *pictures, *notes, *tables))


def why_empty(subject: Subject, figure: Figure, place: InReport) -> str | None:
    """Why a figure that can be drawn would show nothing, in a sentence; None if it shows something."""
    if place.says_nothing is None or not figure.applies(subject):
        return None
    return place.says_nothing(subject)


def _tables(subject: Subject, place: InReport) -> list[Any]:
    tables = () if place.tables is None else place.tables(subject)
    return [table_of(table.grid, table.name, folded=table.summary) for table in tables]


def title(about: ReportSection, subject: Subject) -> str:
    """The heading of a section."""
    return about.title if isinstance(about.title, str) else about.title(subject)


def text(about: ReportSection, subject: Subject) -> str:
    """The paragraph below the heading of a section."""
    return about.text if isinstance(about.text, str) else about.text(subject)


def place_of(name: str) -> InReport:
    """Where a figure that reports show stands in them."""
    place = FIGURES[name].report
    if place is None:
        message = f"{name} is not shown in reports"
        raise ValueError(message)
    return place


def picture(subject: Subject, name: str, **options: Any) -> Picture | None:
    """A figure without colours of its own, in the size of a page; None if it cannot be drawn of the subject."""
    figure, place = FIGURES[name], place_of(name)
    if not figure.applies(subject, **options):
        return None
    first, caption = _first(subject.comparison, place), figure.caption
    if subject.comparison is not None and first and "systems" not in options:
        options["systems"] = first
        caption = f"The first {len(first):,} of {len(subject.comparison.systems):,} systems; the leaderboard has all. {caption}"
    with alt.utils.schemapi.debug_mode(arg=False):  # validating every row again would take most of the time
        spec = figure.draw(subject, theme=None, width=place.width, height=place.height, **options).to_dict(validate=False)
    del spec["$schema"]
    ways = {"narrows": place.narrows, "widens": place.widens, "stacks": place.stacks}
    return Picture(f"figure-{name}", f"{figure.title}.", caption, spec, **ways)


def _first(comparison: Comparison | None, place: InReport) -> tuple[str, ...]:
    """The first systems of the leaderboard, where a page shows no more of them; else nothing."""
    most = place.first_systems
    if most is None or comparison is None or len(comparison.systems) <= most:
        return ()
    return tuple(comparison.systems[at] for at in comparison.order[:most])
