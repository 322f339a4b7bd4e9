"""Extraction: which spans count as right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.tools.choose.advice import Pick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.tools.choose.questions import Answers, Spans

_NOTHING: Final = "An output without spans has a recall of 0, and so has F."
_STRICT: Final = ("F(P,R)", "P", "R")
_PARTIAL: Final = ("F(P,R,match=partial)", "P(match=partial)", "R(match=partial)")

_EXTRACTION: Final[Mapping[Spans, Pick]] = {
    "values": Pick(
        "spans that are used as they are",
        (*_STRICT, "SER"),
        "A value that is cut or has another type is wrong for a program that takes it as it is: only the same place and type "
        "count. SER counts a wrong boundary as one error, where F counts two.",
        _NOTHING,
        ("chinchor1993", "makhoul1999"),
    ),
    "places": Pick(
        "places that people look at",
        (*_PARTIAL, "F(P,R,match=overlap)"),
        "A reader who is led to the place sees the whole name: half of the credit for any overlap, or all of it if both "
        "share a half.",
        _NOTHING,
        ("segura2013",),
    ),
    "types": Pick(
        "mentions that are counted by type",
        ("F(P,R,match=type)", "P(match=type)", "R(match=type)", "F(P,R,match=type,average=macro)"),
        "Statistics of types do not need the boundary: any overlap and the right type.",
        _NOTHING,
        ("segura2013",),
    ),
    "masks": Pick(
        "text that is covered",
        ("R(match=positions)", "P(match=positions)", "F(P,R,match=positions)"),
        "What is left uncovered can be read, letter by letter: recall of positions says how much of it there is, and precision "
        "how much was covered needlessly.",
        "Covering everything has full recall, and a low precision.",
        ("segura2013",),
    ),
    "unknown": Pick(
        "spans in general",
        (*_STRICT, "F(P,R,match=partial)", "F(P,R,match=type)", "F(P,R,match=boundary)"),
        "The four ways of SemEval-2013 show what is lost to boundaries, and what to types.",
        _NOTHING,
        ("segura2013", "chinchor1993"),
    ),
}


def pick(answers: Answers) -> Pick:
    """Metrics for spans."""
    return _EXTRACTION[answers.spans]
