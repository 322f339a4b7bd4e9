"""An experiment with real users: what is drawn of it, and where a report shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.figure import ReportSection
from plumbline.figures.judgements import result_needed

if TYPE_CHECKING:
    from plumbline.figures.figure import DrawOptions
    from plumbline.figures.subject import Subject

EXPERIMENT: Final = ReportSection(
    "experiment",
    98,
    "What did the variants change?",
    "An effect is believable if the arms have their planned sizes, and sure if its interval leaves out 0.",
)


def only_experiment(_: Subject, __: DrawOptions) -> str | None:
    """What `experiment` returned is needed."""
    return result_needed("experiment")
