"""Offsets can be compared only if gold and output are about the same texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, Place, spans
from plumbline.errors.base import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.io.documents import Documents, Text
    from plumbline.io.table import Table

_AROUND: Final = 12


def check_same_texts(gold_label: str, codes: Mapping[str, int], gold: Documents | None, output: Table) -> None:
    """Raise if a document has another text, or another number of tokens, in an output than in the gold."""
    ours = output.documents
    if gold is None or ours is None:
        return
    if gold.in_tokens != ours.in_tokens:
        reason = f"offsets count {ours.unit}s, those of the gold count {gold.unit}s"
        raise BadData(spans.other_units(Place(output.label), reason, gold_label))
    if _same_widths(gold, ours) and gold.names == ours.names:
        return
    pairs = [(at, codes[name]) for at, name in enumerate(ours.names) if name in codes]
    for at, code in pairs:
        if gold.lengths is not None and ours.lengths is not None and gold.lengths[code] != ours.lengths[at]:
            lengths = [plural(int(count), gold.unit) for count in (gold.lengths[code], ours.lengths[at])]
            raise BadData(spans.different_texts(Place(output.label), ours.names[at], *lengths))
        if gold.text_of is not None and ours.text_of is not None:
            right, found = gold.text_of(code), ours.text_of(at)
            if right != found:
                raise BadData(spans.different_texts(Place(output.label), ours.names[at], *_difference(right, found)))


def _same_widths(gold: Documents, ours: Documents) -> bool:
    """Whether every token has as many bytes before its tag: then the texts are taken to be the same without reading them."""
    if gold.widths is None or ours.widths is None or gold.lengths is None or ours.lengths is None:
        return False
    return np.array_equal(gold.lengths, ours.lengths) and np.array_equal(gold.widths, ours.widths)


def _difference(right: Text, found: Text) -> tuple[str, str]:
    """What the gold and the output have at the first place where they differ."""
    at = next(
        (place for place, both in enumerate(zip(right, found, strict=False)) if both[0] != both[1]), min(len(right), len(found))
    )
    if isinstance(right, str) and isinstance(found, str):
        first = max(at - _AROUND, 0)
        return tuple(f"{text[first : at + _AROUND]!r}" for text in (right, found))  # type: ignore[return-value]  # two texts
    return tuple(f"{text[at]!r} as token {at + 1}" if at < len(text) else "no more tokens" for text in (right, found))  # type: ignore[return-value]  # two texts
