"""By whose weighting: for which weights a system is the best, or better than another one, and how often the metrics agree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.combining import TWO
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.comparison.weighting.contenders import clear_shares, leads_of_contenders
from plumbline.comparison.weighting.simplex import (
    best_shares,
    exact_shares,
    means_by_weighting,
    opposed,
    shares_by_weighting,
    weightings,
)
from plumbline.comparison.weighting.weighting import win_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.combining import Score
    from plumbline.comparison.cube import Cube
    from plumbline.comparison.unanimity.unanimity import Unanimity
    from plumbline.comparison.weighting.simplex import Shares
    from plumbline.comparison.weighting.weighting import Leads, WinIntervals

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

MOST_TOGETHER: Final = 200
"""With more systems, pairs are weighed one by one when they are shown, and not all of them."""


@dataclass(frozen=True)
class PairWeights:
    """For which weightings the first of two systems has the better mean."""

    share: float
    """The share of weightings; not a number if no case has every metric of both."""
    drawn: int
    """How many were drawn to find out; 0 if all were looked at."""
    always: bool
    """Whether the first has it for every weighting."""
    intervals: tuple[tuple[float, float], ...]
    """With two metrics, the alphas for which the first system has the better mean."""
    contrary: tuple[str, ...]
    """The metrics that alone speak against it, if no drawn weighting does, or of two metrics none between them."""


@dataclass(frozen=True, repr=False, eq=False)
class Weighed:
    """Scores, and what weightings and agreement of the metrics make of them; computed when it is first used."""

    cube: Cube
    """The scores of the systems that are compared, on all cases by all metrics."""
    score: Score
    """The score that combines all metrics, for every weighting."""
    eps: float = 0.0
    """Differences up to this count as equal in UIR."""
    seed: int = 0
    """The seed of everything that is drawn at random."""

    @cached_property
    def improvements(self) -> Unanimity:
        """Unanimous improvements, counted for all pairs."""
        return unanimity(self.cube, self.eps)

    @cached_property
    def balanced(self) -> Cube:
        """The scores on the cases that all systems have, or on all cases if there is no such case."""
        present = self.cube.known[self.cube.known.any(axis=1)]
        shared = np.asarray(present.all(axis=0)) if len(present) else np.zeros(len(self.cube.cases), dtype=np.bool_)
        return self.cube if shared.all() or not shared.any() else self.cube.on_cases(shared)

    @property
    def _many(self) -> bool:
        """Whether there are so many systems, on the same cases, that only what is shown is weighed."""
        return len(self.cube.systems) > MOST_TOGETHER and bool(self.balanced.known.all()) and self.balanced.known.size > 0

    @cached_property
    def win_intervals(self) -> WinIntervals | None:
        """The intervals of alpha in which a beats b; None unless there are two metrics."""
        return win_intervals(self.cube, self.score.mean) if len(self.cube.metrics) == TWO else None

    @cached_property
    def best_for(self) -> Leads | None:
        """Who is the best for which alpha, on the cases that all systems have; None unless there are two metrics."""
        if len(self.cube.metrics) != TWO:
            return None
        if self._many:
            return leads_of_contenders(self.balanced, self.score.mean)
        held = self.win_intervals if self.balanced is self.cube else win_intervals(self.balanced, self.score.mean)
        return None if held is None else held.leads

    @cached_property
    def shares(self) -> Shares:
        """The share of all weightings that each system wins, on the cases that all systems have."""
        if len(self.cube.metrics) == TWO:
            if self.win_intervals is not None and self.balanced is self.cube:
                return exact_shares(self.win_intervals)
            return exact_shares(win_intervals(self.balanced, self.score.mean))
        return weightings(self.balanced, self.score.mean, seed=self.seed)

    @cached_property
    def won_shares(self) -> Shares | None:
        """The share of all weightings by which each system is the best, without pairs; None if there are two metrics."""
        if len(self.cube.metrics) == TWO:
            return None
        return best_shares(self.balanced, self._by_weighting, self.score.mean, seed=self.seed) if self._many else self.shares

    @cached_property
    def _by_weighting(self) -> Numbers:
        """The means of many systems by drawn weightings, `[weighting, system]`."""
        return means_by_weighting(self.balanced, self.score.mean, seed=self.seed)

    @property
    def won(self) -> Numbers:
        """For each system the share of weightings by which nobody is better."""
        if self.best_for is not None:
            return self.best_for.share
        return self.shares.best if self.won_shares is None else self.won_shares.best

    @cached_property
    def pair_shares(self) -> Shares:
        """The share of all weightings that each system of a pair wins, on the cases that both have."""
        if self.balanced is self.cube:
            return self.shares
        if self.win_intervals is None:
            return weightings(self.cube, self.score.mean, seed=self.seed)
        return exact_shares(self.win_intervals)

    def shares_of(self, a: NDArray[np.intp], b: NDArray[np.intp]) -> Numbers:
        """The share of all weightings by which each system of `a` has a better mean than the one of `b`.

        Of many systems only these pairs are weighed: with two metrics all weightings are looked at, but only of pairs for which
        a few do not show that they all agree.

        Args:
            a: Places among `systems`.
            b: As many others.

        Returns:
            A share for each pair; NaN where it cannot be told.
        """
        if not self._many or self._all_pairs_are_weighed:
            return np.asarray(self.pair_shares.pairs[a, b])
        shares = np.full(len(a), np.nan)
        if self.balanced is self.cube:
            if len(self.cube.metrics) != TWO:
                return shares_by_weighting(self._by_weighting, a, b)
            shares = clear_shares(self.cube, self.score.mean, a, b)
        for at in np.flatnonzero(np.isnan(shares)).tolist():
            shares[at] = self.pair_weights(int(a[at]), int(b[at])).share
        return shares

    @property
    def _all_pairs_are_weighed(self) -> bool:
        return not {"win_intervals", "pair_shares"}.isdisjoint(vars(self))

    @cached_property
    def always(self) -> Flags:
        """Whether a beats b by every weighting; of more than two metrics, by all that were drawn and by each metric alone."""
        if self.win_intervals is not None:
            return self.win_intervals.always
        return np.asarray((self.pair_shares.pairs == 1.0) & ~self.opposed.any(axis=0))

    @cached_property
    def opposed(self) -> Flags:
        """Whether b beats a by a metric alone, `[metric, a, b]`: a corner that no drawn weighting reaches."""
        return opposed(self.cube)

    def pair_weights(self, a: int, b: int) -> PairWeights:
        """For which weightings one system has a better mean than another.

        Args:
            a: The place of the one system among `systems`.
            b: The place of the other.

        Returns:
            The share of weightings, the intervals of weights where there are two metrics, and what speaks against it.
        """
        if self._many and not self._all_pairs_are_weighed:
            names = [self.cube.systems[a], self.cube.systems[b]]
            return Weighed(self.cube.only(systems=names), self.score, seed=self.seed).pair_weights(0, 1)
        held = self.win_intervals
        rows = None if held is None else (held.a == a) & (held.b == b)
        intervals = () if held is None else tuple(zip(held.low[rows].tolist(), held.high[rows].tolist(), strict=True))
        inside = self.pair_shares.pairs[a, b] == 1 if held is None else held.inside[a, b]
        against = self.opposed[:, a, b] if len(self.cube.metrics) > 1 and inside else ()
        return PairWeights(
            float(self.pair_shares.pairs[a, b]),
            self.pair_shares.samples,
            bool(self.always[a, b]),
            intervals,
            tuple(name for name, by in zip(self.cube.metrics, against, strict=False) if by),
        )
