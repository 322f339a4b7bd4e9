"""What offsets count: characters or, in files of some programs, bytes of UTF-8 or units of UTF-16, which are converted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, Diagnostic, spans
from plumbline.io.spans.checks import check_offsets, check_surfaces

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from plumbline.io.spans.rows import Spans
    from plumbline.io.table import Origin

    Integers = NDArray[np.int64]
    Texts = Sequence[str | None]


@dataclass(frozen=True)
class Unit:
    """What offsets count."""

    name: str
    encoding: str
    size: int
    """Bytes of one in that encoding."""

    def positions(self, text: str) -> Integers:
        """The number of the character that begins at each offset, and at the end; -1 in the middle of a character."""
        data = np.frombuffer(text.encode(self.encoding, "surrogatepass"), dtype=f"<u{self.size}")
        begins = np.append((data & _MASK[self.size]) != _FOLLOWS[self.size], True)
        return np.where(begins, np.cumsum(begins) - 1, -1)


CHARACTERS: Final = Unit("characters", "utf-32-le", 4)
OTHERS: Final = (Unit("bytes of UTF-8", "utf-8", 1), Unit("units of UTF-16", "utf-16-le", 2))
_EITHER: Final = "these offsets count the bytes of UTF-8 or the units of UTF-16, and fit both: convert them to characters"
_MASK: Final = {1: 0xC0, 2: 0xFC00, 4: 0}
_FOLLOWS: Final = {1: 0x80, 2: 0xDC00, 4: 1}
"""What a byte or a unit is, under the mask, that does not begin a character."""


@dataclass(frozen=True, eq=False)
class Settled:
    """Spans whose offsets count characters and fit the texts."""

    spans: Spans
    texts: Texts
    unit: Unit
    """What the offsets of the file count."""
    exact: bool
    """Whether the texts of the spans stand there with the same white space, too."""

    def notices(self, label: str) -> list[Diagnostic]:
        """Says what was converted."""
        return [] if self.unit is CHARACTERS else [spans.converted_offsets(label, self.unit.name)]


def settled(read: Spans, surfaces: Sequence[str | None], origin: Origin, texts_in: Callable[[Unit], Texts]) -> Settled:
    """The spans in characters; they are converted if they fit their texts in one other unit and not in characters.

    The texts may depend on the unit, since parts of them can have offsets, too; where these do not fit, it raises.
    """
    plain, problems = None, tuple[Diagnostic, ...]()
    try:
        plain = _checked(read, surfaces, origin, texts_in(CHARACTERS), CHARACTERS)
    except BadData as error:
        problems = error.diagnostics
    if plain is not None and plain.exact:
        return plain
    others = [_fitting(read, surfaces, origin, texts_in, unit) for unit in OTHERS]
    fitting = [one for one in others if one is not None and (one.exact or plain is None)]
    shown = any(surface is not None for surface in surfaces)
    if len(fitting) == 1 and shown:
        return fitting[0]
    if plain is None:
        raise BadData(*(replace(one, advice=_EITHER if len(fitting) > 1 and shown else one.advice) for one in problems))
    return plain


def _fitting(
    read: Spans, surfaces: Sequence[str | None], origin: Origin, texts_in: Callable[[Unit], Texts], unit: Unit
) -> Settled | None:
    """The spans converted from this unit, if they fit then."""
    try:
        texts = texts_in(unit)
        return _checked(_converted(read, texts, unit), surfaces, origin, texts, unit)
    except BadData:
        return None


def _checked(read: Spans, surfaces: Sequence[str | None], origin: Origin, texts: Texts, unit: Unit) -> Settled:
    lengths = np.array([-1 if text is None else len(text) for text in texts], dtype=np.int64)
    check_offsets(read, origin, lengths, texts)
    return Settled(read, texts, unit, check_surfaces(read, surfaces, origin, texts))


def _converted(read: Spans, texts: Texts, unit: Unit) -> Spans:
    """The same in characters; an offset that is in no character's place, or in no known text, becomes -1."""
    used = np.unique(read.document)
    positions = [unit.positions(texts[at] or "") for at in used.tolist()]
    first = np.zeros(len(texts), dtype=np.int64)
    size = np.zeros(len(texts), dtype=np.int64)
    size[used] = [len(one) for one in positions]
    first[used] = np.cumsum(size[used]) - size[used]
    every = np.concatenate([*positions, np.array([-1])])

    def characters(offset: Integers) -> Integers:
        inside = (offset >= 0) & (offset < size[read.document])
        return every[np.where(inside, first[read.document] + offset, -1)]

    return replace(read, start=characters(read.start), end=characters(read.end))
