"""A verdict about a metric and a constraint, with counterexamples drawn so that a person can check them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from plumbline.audits.constraints.registry import THRESHOLDS
from plumbline.errors.base import plural, visible
from plumbline.render.grid import number, percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.audits.constraints.registry import Constraint, Pair
    from plumbline.audits.scenes.scene import Scene
    from plumbline.audits.searching import Searched

    Values = NDArray[np.float64]

Outcome = Literal["holds", "broken", "undecided"]
DIGITS: Final = 6
TOLERANCE: Final = 1e-9
"""Two scores that differ by less than this share of the larger are equal but for rounding."""
SHORT: Final = {"holds": "yes", "broken": "no", "undecided": "n/a"}
NAMES: Final = {
    "equal": ("one", "other"),
    "one sign": ("more", "fewer"),
    "as good if as good": ("then", ">="),
    "equal if equal": ("then", "="),
    "reached": ("above", "below"),
    "differs somewhere": ("one", "other"),
    "better than some in each group": ("before", "after"),
    "smooth": ("from", "to"),
}
"""By what is demanded, the two outputs of a pair of which neither has to be better."""


def margin(better: Values | float, worse: Values | float, least: float) -> Values:
    """What two scores differ by if only by rounding."""
    return np.maximum(least, TOLERANCE * np.maximum(np.abs(better), np.abs(worse)))


@dataclass(frozen=True)
class Counterexample:
    """A pair on which a metric breaks the constraint."""

    pair: Pair
    better: float
    worse: float
    scene: Scene
    names: tuple[str, str] = ("better", "worse")
    """What the two outputs are called where neither has to be better."""
    given: tuple[tuple[str, Any, float], ...] = ()
    """The outputs of its condition, each with a name and its score."""

    @property
    def single(self) -> bool:
        """Whether it is one output instead of two."""
        return self.pair.better is self.pair.worse

    def rows(self) -> list[tuple[str, str, float | None]]:
        """The gold and the outputs, each with its name, what it looks like, and its score."""
        drawn, pair = self.scene.drawn, self.pair
        outputs = [("output" if self.single else "better", drawn(pair.better), self.better)]
        outputs += [] if self.single else [("worse", drawn(pair.worse), self.worse)]
        gold = [("gold", self.scene.gold(pair.better), None)] if self.scene.gold(pair.better) else []
        given = [(name, drawn(output), score) for name, output, score in self.given]
        between = self.names in (NAMES["reached"], NAMES["smooth"])
        outputs = [*outputs[:1], *given, *outputs[1:]] if between else [*given, *outputs]
        return gold + [(name, text, None if np.isnan(score) else score) for name, text, score in outputs]

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(text) for _, text, _ in rows)
        scores = ["" if name == "gold" else number(score, DIGITS) for name, _, score in rows]
        names = {"gold": "gold", "output": "output", "better": self.names[0], "worse": self.names[1]}
        return "\n".join(
            f"  {names.get(name, name):<6}  {text:<{width}}  {score}".rstrip()
            for (name, text, _), score in zip(rows, scores, strict=True)
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
    """The size from which, or at which, a threshold holds."""
    reason: str = ""
    """Why, where no counterexample shows it."""
    given: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    """The scores of the outputs of each condition, a row for each pair."""
    idle: int = 0
    """How many pairs demand nothing, because their condition is not met, or because another pair speaks for them."""
    tolerance: float = 0.0
    """Scores that differ by less are equal but for rounding, as are those that differ by less than a share of the larger."""

    @property
    def holds(self) -> bool:
        """Whether there are pairs to compare and it fails on none of them."""
        return self.outcome == "holds"

    @property
    def pairs(self) -> int:
        """How many pairs could be compared."""
        return len(self.searched.pairs) - self.undefined - self.idle

    @property
    def share(self) -> float | None:
        """The share of pairs on which it fails."""
        return len(self.broken_at) / self.pairs if self.pairs else None

    @property
    def broken(self) -> tuple[Counterexample, ...]:
        """Every pair on which it fails, the smallest first."""
        return tuple(self._example(int(number)) for number in self.broken_at)

    @property
    def counterexample(self) -> Counterexample | None:
        """The smallest pair on which it fails."""
        return self._example(int(self.broken_at[0])) if len(self.broken_at) else None

    def _example(self, at: int) -> Counterexample:
        pair, names = self.searched.pairs[at], NAMES.get(self.constraint.demand, ("better", "worse"))
        return Counterexample(pair, float(self.better[at]), float(self.worse[at]), self.scene, names, self._given(at))

    def _given(self, at: int) -> tuple[tuple[str, Any, float], ...]:
        """What lies between the two outputs, or each two outputs that are alike, with their scores."""
        pair, scores = self.searched.pairs[at], self.given[at].tolist() if self.given.size else []
        if self.constraint.demand in {"reached", "smooth"}:
            name = "target" if self.constraint.demand == "reached" else "over"
            return ((name, pair.given[0][1], scores[1]),)
        names = ("given", NAMES.get(self.constraint.demand, ("", ""))[1])
        outputs = [output for sides in pair.given for output in sides]
        return tuple((names[number % 2], *one) for number, one in enumerate(zip(outputs, scores, strict=True)))

    def __str__(self) -> str:
        return in_words(self)


def short(verdict: Verdict) -> str:
    """The verdict for a cell of a table."""
    if verdict.holds and verdict.constraint.demand in THRESHOLDS:
        return f"yes, n = {verdict.size}"
    if verdict.outcome == "broken" and verdict.constraint.demand == "better":
        return f"no ({percent(verdict.share)})"
    return SHORT[verdict.outcome]


def in_words(verdict: Verdict) -> str:
    """The verdict with the smallest counterexample."""
    head = f"{visible(verdict.metric)}: {verdict.constraint.name} {_outcome(verdict)}{_aside(verdict)}"
    example = verdict.counterexample
    if example is None:
        return head
    return f"{head}; {_which(verdict)}:\n{example}"


def _outcome(verdict: Verdict) -> str:
    demand, reach = verdict.constraint.demand, _reach(verdict)
    if verdict.outcome == "undecided":
        return "cannot be decided" + (f": {verdict.reason}" if verdict.reason else "")
    if demand == "from some size on":
        return f"holds from n = {verdict.size} on ({reach})" if verdict.holds else f"is broken ({reach})"
    if demand == "at some size":
        return f"holds at n = {verdict.size} ({reach})" if verdict.holds else f"is broken ({reach})"
    because = f": {verdict.reason}" if verdict.reason else ""
    if verdict.holds:
        return f"holds on {reach}{because}"
    if demand == "one sign":
        return f"is broken{because}"
    return f"is broken on {len(verdict.broken_at):,} of {reach}"


def _reach(verdict: Verdict) -> str:
    """How many pairs were tried, and of which size."""
    searched = verdict.searched
    if verdict.constraint.demand in THRESHOLDS:
        sizes = [pair.size for pair in searched.pairs]
        return f"{plural(len(sizes), 'value')} of n from {sizes[0]} to {sizes[-1]:,}"
    what = {"defined": "output", "better than some in each group": "point"}.get(verdict.constraint.demand, "pair")
    drawn = f", then {searched.drawn:,} drawn up to size {searched.largest}" if searched.drawn else ""
    return f"{plural(verdict.pairs, what)} (all up to size {searched.every}{drawn})"


def _aside(verdict: Verdict) -> str:
    if not verdict.undefined or verdict.reason:
        return ""
    return f", {plural(verdict.undefined, 'pair')} not comparable because a score is undefined"


def _which(verdict: Verdict) -> str:
    example = verdict.counterexample
    if verdict.constraint.demand == "defined":
        return "the smallest, without a score"
    if verdict.constraint.demand == "from some size on":
        return f"from n = {verdict.size} on"
    if verdict.constraint.demand == "one sign":
        return "better elsewhere, but not here"
    if verdict.constraint.demand == "better than some in each group":
        return "the smallest, where no exchange is worse"
    which = "the smallest found" if example and example.pair.size > verdict.searched.every else "the smallest"
    if example is None or verdict.constraint.demand in NAMES:
        return which
    least = margin(example.better, example.worse, verdict.tolerance)
    how = "equal scores" if abs(example.better - example.worse) <= least else "the wrong way round"
    return f"{which}, {how}"
