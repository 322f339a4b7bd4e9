"""Pairs of a constraint from small to large: all of them as far as the budget goes, then larger ones at random."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from plumbline.audits.constraints.registry import Constraint, Pair

BUDGET: Final = 20_000
DRAWN: Final = 4
"""One of so many pairs is drawn at random."""
TRIES: Final = 20
"""How often to draw, for each pair that is wanted, before giving up."""


@dataclass(frozen=True)
class Searched:
    """The pairs, the smallest first."""

    pairs: tuple[Pair, ...]
    every: int
    """All pairs up to this size are there; 0 if the budget does not even reach the smallest."""
    drawn: int
    """How many are larger and drawn at random."""

    @property
    def largest(self) -> int:
        """The largest size of all."""
        return max((pair.size for pair in self.pairs), default=0)


def searched(constraint: Constraint, budget: int = BUDGET, seed: int = 0) -> Searched:
    """As many pairs as the budget allows, always the same for the same seed."""
    most = max(budget // constraint.cost, 1)
    room = most if constraint.draw is None else most - most // DRAWN
    pairs: list[Pair] = []
    every = 0
    for size in (*range(constraint.smallest, constraint.largest + 1), *constraint.sizes):
        of_size = list(islice(constraint.pairs(size), room - len(pairs) + 1))
        if len(pairs) + len(of_size) > room:
            break
        pairs += of_size
        every = size
    drawn = _drawn(constraint, max(every, constraint.smallest - 1), most // DRAWN, seed)
    return Searched((*pairs, *drawn), every, len(drawn))


def _drawn(constraint: Constraint, every: int, wanted: int, seed: int) -> list[Pair]:
    """Pairs of one to two times the size, each once, from small to large."""
    if constraint.draw is None:
        return []
    rng = Random(f"{constraint.name} {seed}")  # noqa: S311 - no secret
    pairs: dict[Pair, None] = {}
    for _ in range(TRIES * wanted):
        if len(pairs) == wanted:
            break
        pair = constraint.draw(rng.randint(every + 1, 2 * every + 2), rng)
        if pair is not None:
            pairs[pair] = None
    return sorted(pairs, key=lambda pair: pair.size)
