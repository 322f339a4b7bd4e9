"""The documents that spans are stretches of: their names, their lengths, and their text where the file has it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Place

    Integers = NDArray[np.int64]
    Text = str | list[str]
    """The characters of a document, or its tokens."""


@dataclass(frozen=True, eq=False)
class Documents:
    """All documents of a file in their order, also those without a span."""

    names: list[str]
    lengths: Integers | None = None
    """How many characters or tokens each has, where that is known."""
    text_of: Callable[[int], Text] | None = None
    """The text of the document of a number, where the file has it."""
    in_tokens: bool = False
    """Whether offsets count tokens, not characters."""
    of_row: Integers | None = None
    """The number of the document of each row of the table."""
    place_of: Callable[[int, int], Place] | None = None
    """Where the file has the document of a number and, in files of tags, its token of a number."""
    prints: NDArray[np.signedinteger] | None = None
    """Of each token a number for what stands before its tag: where these are equal, so are the texts."""

    @property
    def unit(self) -> str:
        """What offsets count."""
        return "token" if self.in_tokens else "character"


def joined_documents(parts: Sequence[Documents | None]) -> Documents | None:
    """The documents of several files one after the other; None if one of these does not list its documents."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    first = [0, *accumulate(len(part.names) for part in known)]
    lengths, texts = [part.lengths for part in known], [part.text_of for part in known]
    rows = [part.of_row + start for part, start in zip(known, first, strict=False) if part.of_row is not None]

    def text_of(at: int) -> Text:
        part = bisect_right(first, at) - 1
        text = texts[part]
        return text(at - first[part]) if text is not None else ""

    places = [part.place_of for part in known if part.place_of is not None]

    def place_of(at: int, token: int) -> Place:
        part = bisect_right(first, at) - 1
        return places[part](at - first[part], token)

    return Documents(
        [name for part in known for name in part.names],
        np.concatenate([one for one in lengths if one is not None]) if all(one is not None for one in lengths) else None,
        text_of if all(text is not None for text in texts) else None,
        in_tokens=known[0].in_tokens,
        of_row=np.concatenate(rows) if len(rows) == len(known) else None,
        place_of=place_of if len(places) == len(known) else None,
    )
