"""Offsets that lie in the text, and texts of spans that stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, spans
from plumbline.errors.base import MOST_SHOWN, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.io.spans.rows import Spans
    from plumbline.io.table import Origin

_BYTES: Final = "these offsets count the bytes of UTF-8: convert them to characters"
_UNITS: Final = "these offsets count units of UTF-16, as JavaScript and Java do: convert them to characters"
_SHOWN: Final = 40


def check_offsets(
    read: Spans, origin: Origin, lengths: NDArray[np.int64] | None = None, texts: Sequence[str | None] | None = None
) -> None:
    """Raise if a span is empty, starts before its document or ends after it; a length of -1 is not known."""
    wrong = (read.end <= read.start) | (read.start < 0)
    if lengths is not None and len(read.document):
        length = lengths[read.document]
        wrong |= (length >= 0) & (read.end > length)
    rows = np.flatnonzero(wrong)
    if not len(rows):
        return
    places = origin.places(rows[:MOST_SHOWN].tolist(), "start")
    problems = []
    for row, place in zip(rows.tolist(), places, strict=False):
        start, end = int(read.start[row]), int(read.end[row])
        if start < 0:
            problems.append(spans.bad_offsets(place, f"the span starts at {start}, before its document"))
        elif end <= start:
            problems.append(spans.bad_offsets(place, f"the span starts at {start} and ends at {end}: it is empty"))
        else:
            at = int(read.document[row])
            size = int(lengths[at]) if lengths is not None else 0
            text = texts[at] if texts is not None else None
            problems.append(spans.bad_offsets(place, f"the span ends at {end} in a text of {size}", _unit_of(text, end)))
    raise BadData(*counted(problems, len(rows)))


def check_surfaces(read: Spans, surfaces: Sequence[str | None], origin: Origin, texts: Sequence[str | None]) -> bool:
    """Raise if the text that a file repeats for a span is not what stands at its offsets; whether white space is the same."""
    exact = True
    for row, surface in enumerate(surfaces):
        text = texts[int(read.document[row])]
        if surface is None or text is None:
            continue
        start, end = int(read.start[row]), int(read.end[row])
        there = text[start:end]
        if there == surface:
            continue
        exact = False
        if " ".join(there.split()) != " ".join(surface.split()):
            raise BadData(
                spans.other_text(
                    origin.places([row], "start")[0], surface[:_SHOWN], there[:_SHOWN], _counted(text, surface, start, end)
                )
            )
    return exact


def _unit_of(text: str | None, end: int) -> str:
    """What offsets may count, where characters cannot be it."""
    if text is None:
        return ""
    if end <= len(text.encode("utf-16-le", "surrogatepass")) // 2:
        return _UNITS
    return _BYTES if end <= len(text.encode("utf-8", "surrogatepass")) else ""


def _counted(text: str, surface: str, start: int, end: int) -> str:
    """The same where the text of the span is known."""
    units = text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "replace")
    if units == surface:
        return _UNITS
    if text.encode("utf-8", "surrogatepass")[start:end].decode("utf-8", "replace") == surface:
        return _BYTES
    return "count characters from 0 in the text of the document"
