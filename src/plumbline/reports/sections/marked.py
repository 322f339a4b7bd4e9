"""Documents with their spans marked: what an extractor found, missed, and took for something else."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from plumbline.errors.base import plural
from plumbline.reports.model import Marked, Paragraph, Section, Stretch
from plumbline.views.verdicts import CORRECT, judged_spans

if TYPE_CHECKING:
    from plumbline.align.extraction import AlignedSpans
    from plumbline.align.span_side import Side
    from plumbline.figures.subject import Subject
    from plumbline.io.documents import Text

NAME: Final = "marked"
MOST: Final = 5
"""Documents that are shown."""
LONGEST: Final = 2_000
"""Characters or tokens of a document that are shown."""
_ABOUT: Final = (
    "Spans that gold and output share have a solid line below them, those with another type a double one. What was missed has "
    "a dashed line, and what is spurious a wavy one. Point at a span to see its types."
)


def section(subject: Subject) -> Section | None:
    """The documents with most errors of the first system; None if these are no spans, or their texts are not known."""
    if subject.task != "extraction" or not subject.has_outputs:
        return None
    aligned = cast("AlignedSpans", subject.outputs.alignment())
    about = aligned.gold.about
    if about is None or about.text_of is None:
        return None
    text_of = about.text_of
    everywhere = np.arange(len(aligned.gold.documents))
    rows = judged_spans(aligned, 0, everywhere, ("strict", 0.0))
    wrong = rows.filter(rows["verdict"] != CORRECT)["document"].to_numpy()
    errors = np.bincount(wrong, minlength=len(everywhere))
    worst = [int(at) for at in np.argsort(-errors, kind="stable")[:MOST] if errors[at]]
    if not worst:
        return None
    shown = plural(len(worst), "document") + (" with most errors" if len(worst) > 1 else " with an error")
    introduction = f"The {shown} of {aligned.systems[0]}. {_ABOUT}"
    return Section(
        NAME, "Where are the errors?", (Paragraph(introduction), *(_marked(aligned, at, text_of(at)) for at in worst))
    )


def _marked(aligned: AlignedSpans, document: int, text: Text) -> Marked:
    shown, between = text[:LONGEST], "" if isinstance(text, str) else " "
    sides = [side.take(side.document == document) for side in (aligned.wanted, aligned.given[0])]
    edges = {0, len(shown), *(int(edge) for side in sides for edge in (*side.start, *side.end) if edge < len(shown))}
    cuts = sorted(edges)
    parts = []
    for start, end in pairwise(cuts):
        wanted, given = (_kinds(aligned, side, start) for side in sides)
        piece = shown[start:end]
        joined = piece if isinstance(piece, str) else between.join(piece) + between
        parts.append(Stretch(joined, _state(wanted, given), _hint(wanted, given)))
    if len(text) > LONGEST:
        parts.append(Stretch(" …", "", ""))
    return Marked(aligned.gold.documents[document], tuple(parts))


def _kinds(aligned: AlignedSpans, side: Side, at: int) -> list[str]:
    """The types of the spans that cover a position."""
    covering = (side.start <= at) & (side.end > at)
    return [aligned.classes[kind] for kind in side.kind[covering].tolist()]


def _state(wanted: list[str], given: list[str]) -> str:
    if wanted and given:
        return "right" if set(wanted) & set(given) else "other"
    return "missed" if wanted else "spurious" if given else ""


def _hint(wanted: list[str], given: list[str]) -> str:
    if not wanted and not given:
        return ""
    return f"gold: {', '.join(wanted) or 'nothing'}; output: {', '.join(given) or 'nothing'}"
