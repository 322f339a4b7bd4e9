"""What verdicts about pairs of systems are based on: unanimity, significance and weightings, as arrays `[a, b]`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.combining import TWO
from plumbline.comparison.leaderboard import around, edges, tiers
from plumbline.comparison.significance.correction import corrected, family_size
from plumbline.comparison.significance.draws import default_resamples, needed_resamples
from plumbline.comparison.significance.effects import effects
from plumbline.comparison.significance.registry import UNCORRECTED, find_correction, find_test
from plumbline.comparison.unanimity.unanimity import THRESHOLD, unanimity
from plumbline.comparison.weighting.simplex import exact_shares, opposed, weightings
from plumbline.comparison.weighting.weighting import win_intervals
from plumbline.errors.base import plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.combining import Score
    from plumbline.comparison.cube import Cube
    from plumbline.comparison.significance.result import SignificanceResult
    from plumbline.comparison.unanimity.unanimity import Unanimity
    from plumbline.comparison.weighting.simplex import Shares
    from plumbline.comparison.weighting.weighting import WinIntervals

    Numbers = NDArray[np.float64]

LEVEL: Final = 0.05


@dataclass(frozen=True, repr=False, eq=False)
class Evidence:
    """Scores, the settings of a comparison, and what follows from them for each pair; computed when it is first used."""

    cube: Cube
    """The scores of all systems on all cases by all metrics."""
    score: Score
    """The score that orders the leaderboard and that is tested."""
    test: str = "randomization"
    """The significance test."""
    correction: str = "holm"
    """The correction for testing many pairs."""
    level: float = LEVEL
    """A difference is significant below this p."""
    uir_threshold: float = THRESHOLD
    """The Unanimous Improvement Ratio from which an improvement is called robust."""
    baseline: str | None = None
    """The only system that the others are tested against; None if all pairs are tested."""
    eps: float = 0.0
    """Differences up to this count as equal in UIR."""
    seed: int = 0
    """The seed of everything that is drawn at random."""
    resamples: int | None = None
    """How often a test draws, if it draws at all; None stands for as often as the correction needs."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in the order in which they were given."""
        return self.cube.systems

    @cached_property
    def improvements(self) -> Unanimity:
        """Unanimous improvements, counted for all pairs."""
        return unanimity(self.cube, self.eps)

    @cached_property
    def test_result(self) -> SignificanceResult:
        """The significance test of the score."""
        return find_test(self.test)(self.score.values, resamples=self._draws, seed=self.seed)

    @property
    def _draws(self) -> int:
        if self.resamples is not None:
            return self.resamples
        others = len(self.systems) - 1
        pairs = others if self.baseline is not None else (others + 1) * others // 2
        return default_resamples(self.test, self.correction, pairs, self.level)

    @cached_property
    def needed_draws(self) -> int | None:
        """How many draws would be enough; None unless there are so few that nothing can be significant."""
        result = self.test_result
        drawn = result.cases > 0 if result.exact is None else (result.cases > 0) & ~result.exact
        if result.resamples is None or not drawn.any():
            return None
        needed = needed_resamples(self.test, self.correction, self._family_size, self.level)
        return needed if result.resamples < needed else None

    @property
    def _family_size(self) -> int:
        return family_size(self.test_result.p, baseline=self._baseline)

    @cached_property
    def p(self) -> Numbers:
        """P after correction; with a baseline, only the pairs with it are tested."""
        correction = UNCORRECTED if self.test_result.familywise else self.correction
        return corrected(self.test_result.p, correction, baseline=self._baseline)

    @cached_property
    def correction_used(self) -> str:
        """The correction in words, with the number of p values that were corrected together."""
        if self.test_result.familywise:
            return "none, the test accounts for all pairs"
        title = find_correction(self.correction).title
        return title if self.correction == UNCORRECTED else f"{title} over {plural(self._family_size, 'pair')}"

    @cached_property
    def test_remarks(self) -> str:
        """How p was computed and what was left out, for the pairs that were tested."""
        return self.test_result.describe(self._baseline)

    @cached_property
    def differences(self) -> Numbers:
        """Differences of the mean score over the cases that both systems have."""
        return effects(self.score.values).mean_difference

    @cached_property
    def win_intervals(self) -> WinIntervals | None:
        """The intervals of alpha in which a beats b; None unless there are two metrics."""
        return win_intervals(self.cube, self.score.mean) if len(self.cube.metrics) == TWO else None

    @cached_property
    def shares(self) -> Shares:
        """The share of all weightings that each system wins."""
        if self.win_intervals is None:
            return weightings(self.cube, self.score.mean, seed=self.seed)
        return exact_shares(self.win_intervals)

    @cached_property
    def always(self) -> NDArray[np.bool_]:
        """Whether a beats b by every weighting; of more than two metrics, by all that were drawn and by each metric alone."""
        if self.win_intervals is not None:
            return self.win_intervals.always
        return np.asarray((self.shares.pairs == 1.0) & ~self.opposed.any(axis=0))

    @cached_property
    def opposed(self) -> NDArray[np.bool_]:
        """Whether b beats a by a metric alone, `[metric, a, b]`: a corner that no drawn weighting reaches."""
        return opposed(self.cube)

    @cached_property
    def beats(self) -> NDArray[np.bool_]:
        """Whether a robustly beats b: better mean, unanimous enough, significant after correction."""
        return edges(self.differences, self.improvements.uir, self.p, self.uir_threshold, self.level)

    @cached_property
    def tiers(self) -> NDArray[np.int64]:
        """The tier of each system by who robustly beats whom; with a baseline, by how each compares with the baseline."""
        return tiers(self.beats) if self._baseline is None else around(self.beats, self._baseline)

    @property
    def _baseline(self) -> int | None:
        return None if self.baseline is None else self.systems.index(self.baseline)
