"""What a constraint is: pairs of clusterings of which one must score better than the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Words = tuple[str, ...]
"""A clustering: a word for each cluster, in which a letter stands for an item and names its class."""


@dataclass(frozen=True)
class Pair:
    """Two clusterings of the same items, the first of which must score better."""

    better: Words
    worse: Words

    @property
    def gold(self) -> Words:
        """The classes: all items with the same letter."""
        letters = sorted("".join(self.better))
        return tuple(letter * letters.count(letter) for letter in dict.fromkeys(letters))

    @property
    def items(self) -> int:
        """How many items there are."""
        return len("".join(self.better))


@dataclass(frozen=True)
class Constraint:
    """A named table of pairs."""

    name: str
    paper: str
    text: str
    """What is demanded, in words."""
    pairs: Callable[[int], Iterator[Pair]]
    """All pairs of at most so many items, from small to large, always in the same order."""
    smallest: int
    """How many items its smallest pair has."""
    largest: int
    """Up to how many items it is checked unless told."""
