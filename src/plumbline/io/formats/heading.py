"""Whether the first line of a file of labels names columns nobody knows, rather than an item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.schema import ITEM

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

_ROWS_TO_TELL: Final = 4
"""Rows from which ids with digits, or labels that come again, tell a first line without either; two rows tell nothing."""
_RARELY: Final = 10
"""A label that one row alone has stands in the first one by chance in at most one of so many files; of fewer rows all count."""
_SHORTEST: Final = 2
"""Letters of a word that names a column, where the lines below do not tell."""
_NUMBER: Final = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"


def looks_like_heading(frame: pl.DataFrame, separator: str) -> bool:
    """Whether the first row holds a label that no other row has, no digit, and words of another kind than the rows below.

    Nothing is certain: a class, or a cluster, may have one item, which may come first.
    """
    words, labels = [word or "" for word in frame.row(0)], frame["label"]
    if "" in words or any(map(str.isdigit, "".join(words))) or (labels == words[-1]).sum() > 1:
        return False
    below = labels[1:].drop_nulls()
    if len(below) and bool(below.str.contains(_NUMBER).all()):
        return True
    if len(frame) >= _ROWS_TO_TELL and bool(frame[ITEM][1:].str.contains(r"\d").all()):
        return True
    if len(frame) < _ROWS_TO_TELL - 1 or not _are_words(words):
        return False
    alone = int((labels.value_counts()["count"] == 1).sum())
    few = len(frame) < _ROWS_TO_TELL or (len(frame) < _RARELY and alone < len(frame))
    return few or separator == "," or alone * _RARELY <= len(frame)


def _are_words(texts: Sequence[str]) -> bool:
    """Whether all are longer than a letter, as names of columns are."""
    return all(len(text) >= _SHORTEST for text in texts)
