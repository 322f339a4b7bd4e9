"""The text of a document from those of its passages and sentences, which stand at their offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.errors import BadData, spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.errors import Place
    from plumbline.io.spans.units import Unit


def joined_text(pieces: Sequence[tuple[int, str]], unit: Unit, place: Place) -> str | None:
    """The text of a document, with white space between its passages; None where no text is given."""
    encoded = [(offset * unit.size, text.encode(unit.encoding)) for offset, text in pieces]
    whole, most = bytearray(), sum(len(data) for _, data in encoded) + unit.size * 2**20
    for start, data in encoded:
        if start < len(whole):
            if data in whole[start : start + len(data)]:
                continue  # a sentence of a passage that has its text, too
            end = len(whole) // unit.size
            reason = f"the passage at {start // unit.size} begins before the end of another one, at {end}"
            raise BadData(spans.bad_bioc(place, reason))
        if start - len(whole) > most:
            raise BadData(spans.bad_bioc(place, f"a passage begins at {start // unit.size}, far behind the one before"))
        whole += " ".encode(unit.encoding) * ((start - len(whole)) // unit.size) + data
    return whole.decode(unit.encoding) if pieces else None
