"""How many words items have: a file or frame with the columns item and length, or a dict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, Place, discounts, usage
from plumbline.io.features.features import read_features
from plumbline.schema import ITEM


def read_lengths(source: Any, max_bytes: int | None = None) -> tuple[str, pl.DataFrame]:  # noqa: ANN401 - as above
    """What the source is called, and `item, words` for each item."""
    given = {item: [words] for item, words in source.items()} if isinstance(source, Mapping) else source
    found = read_features(given, "features", max_bytes)
    if found.items is None or hasattr(found.numbers, "tocsr"):
        raise BadUsage(
            usage.bad_object("the lengths: no items", "a file with the columns item,length, or a dict {item: words}")
        )
    label = "lengths" if isinstance(source, Mapping) else found.label
    if found.numbers.shape[1] != 1:
        raise BadData(discounts.bad_length(Place(label), f"{found.numbers.shape[1]} numbers"))
    words = np.asarray(found.numbers)[:, 0]
    if (words < 0).any():
        row = int(np.argmax(words < 0))
        raise BadData(discounts.bad_length(found.origin.places([row], "length")[0], f"{words[row]:g}"))
    return label, pl.DataFrame({ITEM: found.items.cast(pl.String), "words": words}).unique(ITEM, maintain_order=True)
