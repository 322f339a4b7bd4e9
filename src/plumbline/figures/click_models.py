"""Click models: what is drawn of them, and where a report shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.figure import ReportSection
from plumbline.figures.judgements import result_needed

if TYPE_CHECKING:
    from plumbline.figures.figure import DrawOptions
    from plumbline.figures.subject import Subject

CLICKS: Final = ReportSection(
    "clicks",
    99,
    "What do clicks say?",
    "A click model separates what users looked at from what attracted them. One that predicts sessions it has not seen better "
    "than others is a better ground for judgements from clicks.",
)


def only_clicks(_: Subject, __: DrawOptions) -> str | None:
    """What `clicks` returned is needed."""
    return result_needed("clicks")
