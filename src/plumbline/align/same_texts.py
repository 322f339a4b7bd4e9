"""Offsets can be compared only if gold and output are about the same texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, Place, spans
from plumbline.errors.base import plural
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.io.documents import Documents, Text
    from plumbline.io.table import Table

_AROUND: Final = 12
_WHITE: Final = pattern(r"\s")


def check_same_texts(gold_label: str, codes: Mapping[str, int], gold: Documents | None, output: Table) -> None:
    """Raise if a document has another text, or another number of tokens, in an output than in the gold."""
    ours = output.documents
    if gold is None or ours is None:
        return
    if gold.in_tokens != ours.in_tokens:
        reason = f"offsets count {ours.unit}s, those of the gold count {gold.unit}s"
        raise BadData(spans.other_units(Place(output.label), reason, gold_label))
    if _same_prints(gold, ours) and gold.names == ours.names:
        return
    pairs = [(at, codes[name]) for at, name in enumerate(ours.names) if name in codes]
    for at, code in pairs:
        right, text = (side.text_of(one) if side.text_of is not None else None for side, one in ((gold, code), (ours, at)))
        if gold.lengths is not None and ours.lengths is not None and gold.lengths[code] != ours.lengths[at]:
            lengths = [plural(int(count), gold.unit) for count in (gold.lengths[code], ours.lengths[at])]
            raise BadData(spans.different_texts(_place(output, at, right, text), ours.names[at], *lengths))
        if right is None or text is None or right == text:
            continue
        right, text = _spaced(right), _spaced(text)
        if right != text:
            place = _place(output, at, right, text)
            raise BadData(spans.different_texts(place, ours.names[at], *_difference(right, text)))


def _place(output: Table, at: int, right: Text | None, text: Text | None) -> Place:
    """Where the document of an output is or, in a file of tags, its first token that the gold does not have there."""
    known = output.documents
    if known is None or known.place_of is None:
        return Place(output.label)
    same = _in_common(right, text) if isinstance(right, list) and isinstance(text, list) else 0
    return known.place_of(at, same)


def _in_common(right: Text, text: Text) -> int:
    """How many characters or tokens are the same from the start."""
    both = enumerate(zip(right, text, strict=False))
    return next((place for place, pair in both if pair[0] != pair[1]), min(len(right), len(text)))


def _same_prints(gold: Documents, ours: Documents) -> bool:
    """Whether the same number stands for what is before the tag of every token: the texts are the same, and not read again."""
    if gold.prints is None or ours.prints is None or gold.lengths is None or ours.lengths is None:
        return False
    return np.array_equal(gold.lengths, ours.lengths) and np.array_equal(gold.prints, ours.prints)


def _spaced(text: Text) -> Text:
    """The same with a blank for each white space: formats differ in what they put between two passages."""
    return _WHITE.sub(" ", text) if isinstance(text, str) else text


def _difference(right: Text, other: Text) -> tuple[str, str]:
    """What the gold and the output have at the first place where they differ."""
    at = _in_common(right, other)
    if isinstance(right, str) and isinstance(other, str):
        first = max(at - _AROUND, 0)
        return tuple(f"{text[first : at + _AROUND]!r}" for text in (right, other))  # type: ignore[return-value]  # two texts
    return tuple(f"{text[at]!r} as token {at + 1}" if at < len(text) else "no more tokens" for text in (right, other))  # type: ignore[return-value]  # two texts
