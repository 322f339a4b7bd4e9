"""Small tables of labels in Python: reading so few lines takes less time than importing what makes tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.io.labelled import CodedLabels, Labelled
from plumbline.lazily import pattern
from plumbline.schema import ONLY_CASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.io.formats.delimited.layout import Layout

AT_MOST: Final = 2**18
"""Bytes that are read this way where there is no reader in C."""
_ODD: Final = {separator: pattern(rf'["\x00-\x08\x0b-\x1f{also}]') for separator, also in (("\t", ""), (",", "\t"))}
"""Quotes and control characters."""


def read_small(data: bytes, begin: int, at: Layout) -> Labelled | None:
    """The rows from a place on; None if there is anything odd in them, or an item is in a case twice."""
    try:
        text = data[begin:].decode()
    except UnicodeDecodeError:
        return None
    if not text or _ODD[at.separator].search(text):
        return None
    rows = [line.split(at.separator) for line in text.removesuffix("\n").split("\n")]
    if set(map(len, rows)) != {at.width}:
        return None
    columns = list(zip(*rows, strict=True))
    if any("" in column for column in columns) or any(first.startswith("#") for first in columns[0]):
        return None
    cases = (ONLY_CASE,) * len(rows) if at.case < 0 else columns[at.case]
    items = list(columns[at.item])
    if len(set(zip(cases, items, strict=True))) < len(rows):
        return None
    (names, case), (labels, label) = _coded(cases), _coded(columns[at.label])
    return Labelled(names, case, items, CodedLabels(tuple(labels), label))


def _coded(texts: Sequence[str]) -> tuple[list[str], NDArray[np.int32]]:
    """The different texts in order of appearance, and the number of each."""
    number = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    return list(number), np.fromiter(map(number.__getitem__, texts), np.int32, len(texts))
