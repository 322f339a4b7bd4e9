"""What was found about a metric and a constraint, drawn so that a person can check it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline.errors.base import plural
from plumbline.render.grid import number

if TYPE_CHECKING:
    from plumbline.audits.constraints.constraint import Pair, Words


@dataclass(frozen=True)
class Counterexample:
    """A pair whose better clustering does not score better."""

    pair: Pair
    better: float
    worse: float
    equal: bool
    """Whether both score the same but for rounding."""

    def __str__(self) -> str:
        rows = [("gold", self.pair.gold, ""), ("better", self.pair.better, number(self.better, 6))]
        rows.append(("worse", self.pair.worse, number(self.worse, 6)))
        width = max(len(draw(words)) for _, words, _ in rows)
        return "\n".join(f"  {name:<6}  {draw(words):<{width}}  {score}".rstrip() for name, words, score in rows)


@dataclass(frozen=True)
class Verdict:
    """Whether a metric keeps a constraint on all pairs up to a size."""

    metric: str
    constraint: str
    pairs: int
    """How many pairs could be compared."""
    undefined: int
    """How many could not, because a score is undefined."""
    largest: int
    """How many items the largest pairs have."""
    broken: tuple[Counterexample, ...]
    """Every pair on which it fails, the smallest first."""

    @property
    def holds(self) -> bool:
        """Whether there are pairs to compare and it fails on none of them."""
        return self.pairs > 0 and not self.broken

    @property
    def counterexample(self) -> Counterexample | None:
        """The smallest."""
        return self.broken[0] if self.broken else None

    def __str__(self) -> str:
        reach = f"{plural(self.pairs, 'pair')} of up to {plural(self.largest, 'item')}"
        aside = f" ({plural(self.undefined, 'pair')} not comparable: a score is undefined)" if self.undefined else ""
        if not self.pairs:
            return f"{self.metric}: {self.constraint} cannot be told{aside}"
        if not self.broken:
            return f"{self.metric}: {self.constraint} holds on {reach}{aside}"
        how = "equal scores" if self.broken[0].equal else "the wrong way round"
        head = f"{self.metric}: {self.constraint} fails on {len(self.broken):,} of {reach}{aside}; the smallest, {how}:"
        return f"{head}\n{self.broken[0]}"


def draw(words: Words) -> str:
    """Clusters side by side: `aab | bb`."""
    return " | ".join(words)
