"""What can be said about two systems, as data and in one plain sentence."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.registry import UNCORRECTED, find_correction
from plumbline.errors.base import plural
from plumbline.render.grid import chance, percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.comparison.evidence import Evidence

_MOST_NAMED: Final = 3


@dataclass(frozen=True)
class Verdict:
    """The better one of two systems by the mean, and what the verdict is based on; `str()` says it in a sentence.

    Example:
        >>> import plumbline
        >>> verdict = plumbline.compare({"old": [0.2, 0.4, 0.3], "new": [0.5, 0.6, 0.2]}).verdict("old", "new")
        >>> (verdict.better, verdict.cases, verdict.significant, verdict.robust)
        ('new', 3, False, False)
    """

    better: str
    worse: str
    score: str
    """The score that was compared."""
    difference: float | None
    """Of the means, over the cases on which both have the score; none if there is no such case."""
    cases: int
    """Cases on which both have a value of every metric."""
    for_every_weighting: bool
    share: float | None
    """The share of weightings by which the better one is better; none if no case has every metric of both."""
    drawn: int
    """How many weightings were drawn to find out; 0 if all were looked at."""
    intervals: tuple[tuple[float, float], ...]
    """Of two metrics, the alphas for which it is."""
    improves: int
    """Cases on which it is at least as good by every metric."""
    improved: int
    """Cases on which the other one is."""
    biased: int
    """Cases on which the metrics disagree."""
    equal: int
    """Cases on which both are equal by every metric: they are among those of both."""
    uir: float | None
    uir_threshold: float
    p: float | None
    """After correction; none if the pair was not tested, or no test is possible."""
    level: float
    test: str
    correction: str
    metrics: int = 1
    contrary: tuple[str, ...] = ()
    """Metrics by which alone the other one is better, though the better one is by all weightings that were drawn."""
    tested: bool = True
    """Whether the pair was tested: with a baseline, only the pairs with it are."""

    @property
    def threshold(self) -> float:
        """The old name of `uir_threshold`, which goes with the next version."""
        warnings.warn("Verdict.threshold is now Verdict.uir_threshold", DeprecationWarning, stacklevel=2)
        return self.uir_threshold

    @property
    def significant(self) -> bool:
        """Whether chance alone would hardly make such a difference."""
        return self.p is not None and self.p < self.level

    @property
    def unanimous(self) -> bool:
        """Whether the metrics agree often enough."""
        return self.uir is not None and self.uir >= self.uir_threshold

    @property
    def robust(self) -> bool:
        """Significant and unanimous, and better by the mean."""
        return self.significant and self.unanimous and self.leads

    @property
    def leads(self) -> bool:
        """Whether the better one is better by the mean, not just as good."""
        return self.difference is not None and self.difference > 0

    def __str__(self) -> str:
        if self.difference is None:
            shared = "share no case" if self.metrics == 1 else "have no case on which both have every metric"
            return f"{self.better} and {self.worse} {shared}: nothing can be said."
        return f"{self._weights() if self.leads else self._tie()}; {self._unanimity()}; {self._chance()}."

    def _tie(self) -> str:
        tie = f"{self.better} and {self.worse} have the same {self.score}"
        return f"{tie}; {self.better} leads only for {self._where()}" if self.intervals and self.metrics > 1 else tie

    def _weights(self) -> str:
        pair = f"{self.better} beats {self.worse}"
        if self.metrics == 1:
            return f"{pair} by {self.score}"
        if self.for_every_weighting:
            return f"{pair} for every {f'one of {self.drawn:,} weightings' if self.drawn else 'alpha'}"
        against = f"Whether {self.better} beats {self.worse} depends on the weight"
        if self.contrary:
            drawn = f"all {self.drawn:,} weightings drawn" if self.drawn else "every alpha between 0 and 1"
            return f"{against}s: {self.better} leads for {drawn}, but not by {alone(self.contrary)}"
        if self.drawn:
            return f"{against}s: {self.better} leads for {percent(self.share)} of {self.drawn:,} weightings"
        return f"{against}: {self.better} leads only {f'for {self._where()}' if self.intervals else f'by {self.score}'}"

    def _where(self) -> str:
        return " and ".join(interval(low, high) for low, high in self.intervals)

    def _unanimity(self) -> str:
        if self.cases == 0:
            return "no case has every metric of both"
        won, lost = self.improves - self.equal, self.improved - self.equal
        first, second = ("", "the other way") if self.leads else (f" for {self.better}", f"for {self.worse}")
        counts = f"unanimous{first} in {won:,} of {plural(self.cases, 'case')}, {second} in {lost:,}"
        if self.metrics == 1:
            first, second = ("better", "worse") if self.leads else (f"{self.better} better", self.worse)
            counts = f"{first} in {won:,} of {plural(self.cases, 'case')}, {second} in {lost:,}"
        rest = {"equal": self.equal, "the metrics disagree": self.biased}
        return ", ".join([counts, *(f"{what} in {count:,}" for what, count in rest.items() if count)])

    def _chance(self) -> str:
        if not self.tested:
            return "not tested (only the pairs with the baseline are)"
        if self.p is None:
            return f"the {self.test} is not possible"
        after = "" if self.correction == UNCORRECTED else f" after {find_correction(self.correction).title}"
        text = f"p = {_digits(self.p, self.level)}{after} ({self.test})"
        return text if self.significant or not self.leads else f"{text}, which may be chance"


def alone(metrics: Sequence[str]) -> str:
    """Each of some metrics by itself."""
    more = len(metrics) - _MOST_NAMED
    return f"{' or '.join(metrics[:_MOST_NAMED])}{f' or one of {more:,} more' if more > 0 else ''} alone"


def _digits(p: float, level: float) -> str:
    """Three digits, or as many as it takes to stay on its side of the level: 0.04999 is not shown as 0.05."""
    return sided(p, level, (f"{p:.{digits}g}" for digits in range(3, 18)))


def p_text(p: float | None, level: float) -> str:
    """A probability as tables show it, with as many digits as it takes to stay on its side of the level."""
    return chance(p) if p is None else sided(p, level, (chance(p, digits) for digits in range(4, 18)))


def sided(p: float, level: float, candidates: Iterable[str]) -> str:
    """The first text that says on which side of the level p is; one such as `<0.0001` says so if it ends there."""
    for text in candidates:
        bound = text.startswith("<")
        if (p < level and float(text[1:]) <= level) if bound else (float(text) < level) == (p < level):
            return text
    return f"{p}"


def verdict(comparison: Evidence, a: int, b: int) -> Verdict:
    """What can be said about two systems, given by their numbers."""
    a, b = _better_first(comparison, a, b)
    counts, held = comparison.improvements, comparison.win_intervals
    rows = None if held is None else (held.a == a) & (held.b == b)
    return Verdict(
        better=comparison.systems[a],
        worse=comparison.systems[b],
        score=comparison.score.name,
        difference=_number(comparison.differences[a, b]),
        cases=int(counts.cases[a, b]),
        for_every_weighting=bool(comparison.always[a, b]),
        share=_number(comparison.shares.pairs[a, b]),
        drawn=comparison.shares.samples,
        intervals=() if held is None else tuple(zip(held.low[rows].tolist(), held.high[rows].tolist(), strict=True)),
        improves=int(counts.a_ge_b[a, b]),
        improved=int(counts.b_ge_a[a, b]),
        biased=int(counts.biased[a, b]),
        equal=int(counts.equal[a, b]),
        uir=_number(counts.uir[a, b]),
        uir_threshold=comparison.uir_threshold,
        p=_number(comparison.p[a, b]),
        level=comparison.level,
        test=comparison.test_result.name,
        correction=UNCORRECTED if comparison.test_result.familywise else comparison.correction,
        metrics=len(comparison.cube.metrics),
        contrary=_contrary(comparison, a, b),
        tested=comparison.baseline in {None, comparison.systems[a], comparison.systems[b]},
    )


def _contrary(comparison: Evidence, a: int, b: int) -> tuple[str, ...]:
    """The metrics that alone speak against a, if no drawn weighting does, or of two metrics none between them."""
    if len(comparison.cube.metrics) == 1 or not (
        comparison.shares.pairs[a, b] == 1 if comparison.win_intervals is None else comparison.win_intervals.inside[a, b]
    ):
        return ()
    return tuple(name for name, against in zip(comparison.cube.metrics, comparison.opposed[:, a, b], strict=True) if against)


def _better_first(comparison: Evidence, a: int, b: int) -> tuple[int, int]:
    """By the mean, else by unanimity, else as they were given."""
    for table in (comparison.differences, comparison.improvements.uir):
        if table[a, b] != 0 and not np.isnan(table[a, b]):
            return (a, b) if table[a, b] > 0 else (b, a)
    return min(a, b), max(a, b)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def interval(low: float, high: float) -> str:
    """Alphas in words."""
    if low <= 0 and high >= 1:
        return "0 < alpha < 1"
    if low <= 0:
        return f"alpha < {high:.3g}"
    return f"alpha > {low:.3g}" if high >= 1 else f"{low:.3g} < alpha < {high:.3g}"
