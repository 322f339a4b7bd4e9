"""From subjects to a dossier: the sections in the order in which they are read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from plumbline.comparison.effort import announce_page
from plumbline.comparison.significance.progress import done, part
from plumbline.errors.base import listing, plural
from plumbline.figures.figure import views_by_task
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import subject_of
from plumbline.io.bytes.digests import recording
from plumbline.reports.front import FrontMatter
from plumbline.reports.model import Dossier, Part, Section
from plumbline.reports.sections import (
    differences,
    drawn,
    leaderboard,
    marked,
    metrics,
    notices,
    outputs,
    pool,
    references,
    reproduce,
    result,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from plumbline.figures.subject import Subject
    from plumbline.render.result import Result


COMPARED: Final = 0.5
"""The share of the work that is done when systems are compared, as far as people are told."""
OTHER_SECTIONS: Final = 6
"""Sections that are not declared by figures."""


@dataclass(frozen=True, eq=False)
class Chapter:
    """What a part of the dossier is about, and the command that made it."""

    subject: Subject
    title: str | None = None
    command: tuple[str, ...] | None = None
    files: Mapping[str, Any] = field(default_factory=dict)
    """Files beside the gold and the systems, by their roles."""
    code: tuple[str, ...] = ()
    """The lines of Python that made it, if no command did."""
    front: FrontMatter = field(default_factory=FrontMatter)
    """What stands before all parts, and the teams of the systems."""


def subject_of_report(source: Any = None, **options: Any) -> Subject:
    """The subject of a report: every file is read once, aligned for all figures, and its digest taken on the way."""
    with recording() as digests:
        shown = [figure for figure in FIGURES.values() if figure.report]
        subject = subject_of(source, views=views_by_task(shown), **options)
    return replace(subject, digests=digests)


def dossier(chapters: Sequence[Chapter], title: str | None = None) -> Dossier:
    """One part for each chapter."""
    parts = []
    for at, chapter in enumerate(chapters):
        with part(at / len(chapters), (at + 1) / len(chapters)):
            parts.append(_part(chapter, at + 1))
    return Dossier(title or _title(chapters), tuple(parts), chapters[0].front)


def _title(chapters: Sequence[Chapter]) -> str:
    """The title of the page if none was given."""
    if len(chapters) > 1:
        return "Evaluation report"
    if (alone := result_alone(chapters[0].subject)) is not None:
        return chapters[0].title or alone.heading
    cube = chapters[0].subject.cube
    return f"{plural(len(cube.systems), 'system')} by {listing(list(cube.metrics), 4)}"


def _part(chapter: Chapter, at: int) -> Part:
    subject = chapter.subject
    if (alone := result_alone(subject)) is not None:
        again = reproduce.section(subject, chapter.command, reproduce.sources(subject, chapter.files), chapter.code)
        sections = (*result.sections(alone), notices.section(subject), again)
        return Part(f"part-{at}", chapter.title or alone.heading, result.facts(alone), result.sentences(alone), sections)
    title = chapter.title or (subject.task or "scores").capitalize()
    with part(0.0, COMPARED):
        _ = subject.comparison
    announce_page(subject.cube.values.size)
    return Part(
        f"part-{at}",
        title,
        _facts(subject),
        verdict.sentences(subject),
        tuple(_sections(chapter)),
        verdict.numbers(subject),
        verdict.forest(subject),
    )


def result_alone(subject: Subject) -> Result | None:
    """The result that a part is about if there are no scores of systems: judgements, a pool, an experiment."""
    return None if subject.has_values else subject.result


def _facts(subject: Subject) -> str:
    cube = subject.cube
    unit = "fold" if subject.comparison is not None and subject.comparison.main.unit == "fold" else "case"
    counts = [plural(len(cube.systems), "system"), plural(len(cube.cases), unit), plural(len(cube.metrics), "metric")]
    return f"{', '.join(counts)} ({listing(list(cube.metrics), 6)})"


def _sections(chapter: Chapter) -> list[Section]:
    """The sections for which the subject has something to show."""
    made, steps = [], len(drawn.declared_sections()) + OTHER_SECTIONS
    for at, section in enumerate(_each_section(chapter), 1):
        made.append(section)
        done(COMPARED + (1 - COMPARED) * at / steps)
    return [section for section in made if section is not None]


def _each_section(chapter: Chapter) -> Iterator[Section | None]:
    """One section after the other; those that have nothing to show are None."""
    subject = chapter.subject
    yield leaderboard.section(subject, chapter.front.teams)
    yield from _figures(subject, chapter.front.teams)
    yield marked.section(subject)
    yield metrics.section(subject)
    yield notices.section(subject)
    yield reproduce.section(subject, chapter.command, reproduce.sources(subject, chapter.files), chapter.code)
    yield references.section(subject)


def _figures(subject: Subject, teams: Mapping[str, str]) -> Iterator[Section | None]:
    """The sections of figures; in two of them, the reader chooses what is shown, and that of the pool knows teams."""
    cases = differences.section(subject)
    chosen = {drawn.place_of("differences").section.name: cases, verdict.SECTION: None}
    chosen[drawn.place_of("scatter").section.name] = outputs.section(subject, cases)
    chosen[drawn.place_of("judged").section.name] = pool.section(subject, teams)
    for name, figures in drawn.declared_sections().items():
        yield chosen[name] if name in chosen else drawn.section(subject, figures)
