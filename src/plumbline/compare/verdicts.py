"""What can be said about two systems, as data and in one plain sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """The better one of two systems by the mean, and what the verdict stands on."""

    better: str
    worse: str
    score: str
    """The score that was compared."""
    difference: float
    """Of the means, over the cases that both have."""
    cases: int
    for_every_weighting: bool
    share: float | None
    """The share of weightings by which the better one is better; none if the systems share no case."""
    intervals: tuple[tuple[float, float], ...]
    """Of two metrics, the alphas for which it is."""
    improves: int
    """Cases on which it is at least as good by every metric."""
    improved: int
    """Cases on which the other one is."""
    biased: int
    """Cases on which the metrics disagree."""
    uir: float | None
    threshold: float
    p: float | None
    """After correction."""
    level: float
    test: str
    correction: str
    one_metric: bool = False

    @property
    def significant(self) -> bool:
        """Whether chance alone would hardly make such a difference."""
        return self.p is not None and self.p < self.level

    @property
    def unanimous(self) -> bool:
        """Whether the metrics agree often enough."""
        return self.uir is not None and self.uir >= self.threshold

    @property
    def robust(self) -> bool:
        """Significant and unanimous, and better by the mean."""
        return self.significant and self.unanimous and self.difference > 0

    def __str__(self) -> str:
        if self.cases == 0:
            return f"{self.better} and {self.worse} share no case: nothing can be said."
        if self.difference == 0:
            return f"{self.better} and {self.worse} have the same {self.score}; {self._unanimity()}; {self._chance()}."
        return f"{self._weights()}; {self._unanimity()}; {self._chance()}."

    def _weights(self) -> str:
        pair = f"{self.better} beats {self.worse}"
        if self.one_metric:
            return f"{pair} by {self.score}"
        if self.for_every_weighting:
            return f"{pair} for every {'alpha' if self.intervals else 'weighting'}"
        if self.intervals:
            told = " and ".join(_interval(low, high) for low, high in self.intervals)
            return f"{pair} depending on the weight: it leads only for {told}"
        return f"{pair} depending on the weights: by {self.share or 0:.0%} of them"

    def _unanimity(self) -> str:
        if self.one_metric:
            return f"at least as good in {self.improves} of {self.cases} cases, the other one in {self.improved}"
        told = f"unanimous in {self.improves} of {self.cases} cases, the other way in {self.improved}"
        return told if not self.biased else f"{told}, the metrics disagree in {self.biased}"

    def _chance(self) -> str:
        if self.p is None:
            return f"no {self.test} possible"
        after = "" if self.correction == "none" else f" after {self.correction}"
        text = f"p = {self.p:.3g}{after} ({self.test})"
        return text if self.significant else f"{text}, which may be chance"


def _interval(low: float, high: float) -> str:
    if low <= 0:
        return f"alpha < {high:.3g}"
    return f"alpha > {low:.3g}" if high >= 1 else f"{low:.3g} < alpha < {high:.3g}"
