"""What methods of interleaving do with exact fractions, list by list: slow and obvious, for audits of small worlds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

Ranking = tuple[int, ...]
Shown = tuple[Ranking, tuple[int | None, ...]]
"""The items of a list, and the team of each."""
Chances = dict[Shown, Fraction]
ExactMargin = Callable[..., Fraction]
HALF: Final = Fraction(1, 2)


@dataclass(frozen=True)
class ExactMethod:
    """A method of interleaving two rankings: every list with its probability, and what clicks on it say.

    `margin(rankings, shown, clicks)` is positive if clicks on these positions speak for the first ranking.
    """

    name: str
    lists: Callable[[Sequence[Ranking], int], Chances]
    margin: Callable[[Sequence[Ranking], Shown, Sequence[int]], Fraction]
    by_credit: bool = False


def left_of(ranking: Ranking, shown: Ranking) -> list[int]:
    """The items that are not shown yet."""
    return [item for item in ranking if item not in shown]


def rank_in(ranking: Ranking, item: int) -> int:
    """The rank of an item; the next one if the ranking lacks it."""
    return ranking.index(item) + 1 if item in ranking else len(ranking) + 1


def sign_of(value: Fraction | int) -> Fraction:
    """1, 0 or -1."""
    return Fraction((value > 0) - (value < 0))
