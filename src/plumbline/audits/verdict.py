"""What was found about a metric and a constraint, drawn so that a person can check it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from plumbline.audits.wording import told
from plumbline.render.grid import number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.audits.constraints.constraint import Constraint, Pair
    from plumbline.audits.scenes.scene import Scene
    from plumbline.audits.searching import Searched

Outcome = Literal["holds", "broken", "cannot be told"]
DIGITS: Final = 6
NAMES: Final = {"equal": ("one", "other"), "one sign": ("more", "fewer")}
"""By what is demanded, the two outputs of a pair of which neither has to be better."""


@dataclass(frozen=True)
class Counterexample:
    """A pair of which the constraint is not true."""

    pair: Pair
    better: float
    worse: float
    scene: Scene
    names: tuple[str, str] = ("better", "worse")
    """What the two outputs are called where neither has to be better."""

    @property
    def single(self) -> bool:
        """Whether it is one output instead of two."""
        return self.pair.better is self.pair.worse

    def rows(self) -> list[tuple[str, str, float | None]]:
        """Each with its name, what it looks like, and its score."""
        drawn, pair = self.scene.drawn, self.pair
        outputs = [("output" if self.single else "better", drawn(pair.better), self.better)]
        outputs += [] if self.single else [("worse", drawn(pair.worse), self.worse)]
        gold = [("gold", self.scene.gold(pair.better), None)] if self.scene.gold(pair.better) else []
        return gold + [(name, text, None if np.isnan(score) else score) for name, text, score in outputs]

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(text) for _, text, _ in rows)
        told = ["" if name == "gold" else number(score, DIGITS) for name, _, score in rows]
        called = {"gold": "gold", "output": "output", "better": self.names[0], "worse": self.names[1]}
        return "\n".join(
            f"  {called[name]:<6}  {text:<{width}}  {score}".rstrip() for (name, text, _), score in zip(rows, told, strict=True)
        )


@dataclass(frozen=True, eq=False)
class Verdict:
    """Whether a metric keeps a constraint on all pairs that were tried."""

    metric: str
    constraint: Constraint
    searched: Searched
    scene: Scene
    better: NDArray[np.float64] = field(repr=False)
    worse: NDArray[np.float64] = field(repr=False)
    outcome: Outcome
    broken_at: NDArray[np.int64] = field(default_factory=lambda: np.array([], dtype=np.int64), repr=False)
    """The numbers of the pairs on which it fails, the smallest first."""
    undefined: int = 0
    """How many pairs cannot be compared, because a score is undefined."""
    size: int | None = None
    """Of a threshold, the size that was found."""
    reason: str = ""
    """Beside or instead of a counterexample."""
    tolerance: float = 0.0
    """Scores that differ by less are equal but for rounding."""

    @property
    def holds(self) -> bool:
        """Whether there are pairs to compare and it fails on none of them."""
        return self.outcome == "holds"

    @property
    def pairs(self) -> int:
        """How many pairs could be compared."""
        return len(self.searched.pairs) - self.undefined

    @property
    def share(self) -> float | None:
        """How often it fails."""
        return len(self.broken_at) / self.pairs if self.pairs else None

    @property
    def broken(self) -> tuple[Counterexample, ...]:
        """Every pair on which it fails, the smallest first."""
        return tuple(self._example(int(number)) for number in self.broken_at)

    @property
    def counterexample(self) -> Counterexample | None:
        """The smallest."""
        return self._example(int(self.broken_at[0])) if len(self.broken_at) else None

    def _example(self, at: int) -> Counterexample:
        names = NAMES.get(self.constraint.demand, ("better", "worse"))
        return Counterexample(self.searched.pairs[at], float(self.better[at]), float(self.worse[at]), self.scene, names)

    def __str__(self) -> str:
        return told(self)
