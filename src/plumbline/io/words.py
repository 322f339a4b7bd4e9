"""The usual words for yes and no."""

from __future__ import annotations

from typing import Final

YES: Final = frozenset({"1", "true", "yes", "y", "t", "positive", "pos", "relevant", "rel", "+1", "+"})
NO: Final = frozenset({"0", "false", "no", "n", "f", "negative", "neg", "irrelevant", "nonrelevant", "-1", "-"})
