"""Ids and labels of Python objects as columns of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, Place, table

if TYPE_CHECKING:
    from collections.abc import Iterable


def id_column(names: Iterable[object], label: str, what: str) -> pl.Series:
    """Keys of dicts as text; only text and whole numbers are ids."""
    listed = list(names)
    kinds = set(map(type, listed))
    if not kinds <= {str, int}:
        odd = next(name for name in listed if type(name) not in {str, int})
        raise BadData(table.bad_id(Place(label), what, f"{odd!r} is a {type(odd).__name__}"))
    text = listed if int not in kinds else [str(name) for name in listed]
    try:
        return pl.Series(text, dtype=pl.String)
    except UnicodeEncodeError:
        raise BadData(table.bad_id(Place(label), what, "holds a lone surrogate, which is not a character")) from None


def encodable(text: str) -> bool:
    """Whether the text can be written: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
