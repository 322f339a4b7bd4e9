"""Judgements of several assessors: what is drawn of them, and where a report shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.figure import ReportSection

if TYPE_CHECKING:
    from plumbline.figures.figure import DrawOptions
    from plumbline.figures.subject import Subject

JUDGEMENTS: Final = ReportSection(
    "judgements",
    96,
    "Can the judges be trusted?",
    "Judges who agree more than by chance are reliable, and a leaderboard that survives a change of judge does not depend on "
    "who judged.",
)
JUDGING: Final = ReportSection(
    "judging",
    97,
    "In which order should items be judged?",
    "The sooner the relevant items are found, the earlier judging can stop.",
)


def result_needed(command: str) -> str:
    """Why scores and outputs are not enough."""
    return f"it needs a result of {command}: save one with -o FILE.parquet, and draw that"


def only_agreement(_: Subject, __: DrawOptions) -> str | None:
    """What `agree` returned is needed."""
    return result_needed("agree")


def only_replay(_: Subject, __: DrawOptions) -> str | None:
    """What `pool` with `simulate` returned is needed."""
    return result_needed("pool --simulate")
