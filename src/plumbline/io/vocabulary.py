"""The usual words for yes and no, and words that are numbers."""

from __future__ import annotations

from typing import Final

YES: Final = frozenset({"1", "true", "yes", "y", "t", "positive", "pos", "relevant", "rel", "+1", "+"})
NO: Final = frozenset({"0", "false", "no", "n", "f", "negative", "neg", "irrelevant", "nonrelevant", "-1", "-"})


def is_number(word: str) -> bool:
    """Whether a word is written as a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True
