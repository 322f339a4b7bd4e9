"""All systems against each other: unanimity, weightings, significance, leaderboard, verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.compare import tables, telling
from plumbline.compare.classes import Classes, classes
from plumbline.compare.combining import TWO
from plumbline.compare.correction import corrected, family, fewest_resamples
from plumbline.compare.correlation import by_metric
from plumbline.compare.effects import effects
from plumbline.compare.leaderboard import edges
from plumbline.compare.parametric import parametric
from plumbline.compare.significance import significance
from plumbline.compare.simplex import weightings
from plumbline.compare.uir_interval import interval
from plumbline.compare.unanimity import THRESHOLD, unanimity
from plumbline.compare.verdicts import Verdict
from plumbline.compare.weighting import holds, leads
from plumbline.errors import BadUsage, usage, visible
from plumbline.render.html import html
from plumbline.render.latex import latex
from plumbline.render.markdown import markdown
from plumbline.render.terminal import plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.compare.combining import Score
    from plumbline.compare.cube import Cube
    from plumbline.compare.simplex import Shares
    from plumbline.compare.tested import Tested
    from plumbline.compare.unanimity import Unanimity
    from plumbline.compare.weighting import Holds
    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Grid

    Numbers = NDArray[np.float64]

LEVEL: Final = 0.05
DRAWS: Final = 10_000
MOST_DRAWS: Final = 200_000
"""More would take minutes; a notice then says what to do instead."""


@dataclass(frozen=True, repr=False, eq=False)
class Comparison:
    """All systems against each other; tables are polars frames, made when they are asked for."""

    cube: Cube
    score: Score
    """What the leaderboard goes by and what is tested."""
    test: str = "randomization"
    correction: str = "holm"
    level: float = LEVEL
    threshold: float = THRESHOLD
    baseline: str | None = None
    eps: float = 0.0
    seed: int = 0
    resamples: int | None = None
    """How often a test draws that does; by default as often as the correction needs."""
    notices: tuple[Diagnostic, ...] = field(default=())

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in the order in which they were given."""
        return self.cube.systems

    @cached_property
    def improvements(self) -> Unanimity:
        """Unanimous improvements, counted for all pairs."""
        return unanimity(self.cube, self.eps)

    @cached_property
    def tested(self) -> Tested:
        """The significance test of the score."""
        return significance(self.score.values, self.test, resamples=self._draws, seed=self.seed)

    @property
    def _draws(self) -> int:
        """A drawn p is 1 / (draws + 1) at least, which the correction for many pairs makes larger."""
        count = len(self.systems)
        pairs = count - 1 if self.baseline is not None else count * (count - 1) // 2
        needed = fewest_resamples(pairs, self.level) if self.correction in {"holm", "bonferroni"} else DRAWS
        return self.resamples or min(max(DRAWS, needed), MOST_DRAWS)

    @cached_property
    def too_few_draws(self) -> bool:
        """Whether no difference could be significant, whatever the scores."""
        if self.tested.resamples is None or self.tested.familywise or self.correction not in {"holm", "bonferroni"}:
            return False
        return self.tested.resamples < fewest_resamples(family(self.tested.p, baseline=self._baseline), self.level)

    @cached_property
    def p(self) -> Numbers:
        """After correction, `[a, b]`; with a baseline only the pairs with it are tested."""
        if self.tested.familywise:
            return self.tested.p
        return corrected(self.tested.p, self.correction, baseline=self._baseline)

    @cached_property
    def told_correction(self) -> str:
        """How many p values were corrected together, and how."""
        if self.tested.familywise:
            return "none, the test accounts for all pairs"
        count = family(self.tested.p, baseline=self._baseline)
        return f"{self.correction} over {count} pair{'' if count == 1 else 's'}"

    @cached_property
    def differences(self) -> Numbers:
        """Differences of the mean score over the cases that both have, `[a, b]`."""
        return effects(self.score.values).mean_difference

    @cached_property
    def shares(self) -> Shares:
        """Which share of all weightings each system wins."""
        return weightings(self.cube, self.score.mean, seed=self.seed)

    @cached_property
    def held(self) -> Holds | None:
        """Of two metrics, the alphas for which a beats b."""
        return holds(self.cube, self.score.mean) if len(self.cube.metrics) == TWO else None

    @cached_property
    def always(self) -> NDArray[np.bool_]:
        """Whether a beats b by every weighting, `[a, b]`."""
        if self.held is not None:
            return self.held.always
        return np.asarray(self.shares.pairs == 1.0)

    @cached_property
    def beats(self) -> NDArray[np.bool_]:
        """Whether a robustly beats b: better mean, unanimous enough, significant after correction."""
        return edges(self.differences, self.improvements.uir, self.p, self.threshold, self.level)

    @property
    def _baseline(self) -> int | None:
        return None if self.baseline is None else self.systems.index(self.baseline)

    @cached_property
    def unanimity(self) -> pl.DataFrame:
        """`a, b, uir, a_ge_b, b_ge_a, biased, cases, p`: p is that of a sign test on strict improvements."""
        return self.improvements.table()

    @cached_property
    def intervals(self) -> pl.DataFrame:
        """`a, b, uir, low, high`: the UIR with the 95 % interval that drawing cases anew would give."""
        low, high = interval(self.improvements)
        a, b = np.nonzero(~np.eye(len(self.systems), dtype=np.bool_))
        ends = {"low": pl.Series(low[a, b], nan_to_null=True), "high": pl.Series(high[a, b], nan_to_null=True)}
        return self.unanimity.select("a", "b", "uir").with_columns(**ends)

    @cached_property
    def parametric(self) -> pl.DataFrame:
        """`a, b, uir`: the UIR that normally distributed differences would have; the paper finds the counted one better."""
        a, b = np.nonzero(~np.eye(len(self.systems), dtype=np.bool_))
        return self.unanimity.select("a", "b").with_columns(uir=pl.Series(parametric(self.cube)[a, b], nan_to_null=True))

    @cached_property
    def classes(self) -> Classes:
        """Whether the metrics differ significantly in one direction (concordant), in both (opposite), or not at all."""
        return classes(self.cube, self.level)

    @cached_property
    def correlations(self) -> pl.DataFrame:
        """How much the rankings of systems by each metric agree: Kendall, Spearman, tau_AP, RBO."""
        return by_metric(self.cube)

    @cached_property
    def significance(self) -> pl.DataFrame:
        """`a, b, difference, low, high, effect, p, corrected, robust, cases` of every pair with the better one first."""
        return tables.significance(self)

    @cached_property
    def references(self) -> pl.DataFrame:
        """`system, improves, reference, uir` of each system, best first: the paper's Table 7."""
        found = self.improvements.references(self.threshold)
        return self._best_first(found.with_columns(pl.Series("score", self.score.means, nan_to_null=True)))

    @cached_property
    def weights(self) -> pl.DataFrame:
        """Of two metrics `a, b, low, high, always, cases`, the alphas for which a beats b; else shares of weightings."""
        return tables.shares(self) if self.held is None else self.held.table()

    @cached_property
    def leads(self) -> pl.DataFrame:
        """`system, low, high`: the alphas for which each system is the best of all; of other than two metrics, shares."""
        return self.shares.table() if self.held is None else leads(self.held).table()

    @cached_property
    def leaderboard(self) -> pl.DataFrame:
        """`tier, system, score`, the mean of each metric, `wins`, `beats`, `beaten_by`, `reference`, `uir`; best first.

        `wins` is the share of weightings by which nobody is better, `beats` and `beaten_by` count robust differences.
        """
        return tables.leaderboard(self)

    def _best_first(self, frame: pl.DataFrame) -> pl.DataFrame:
        return frame.sort("score", descending=True, nulls_last=True, maintain_order=True)

    def verdict(self, a: str, b: str) -> Verdict:
        """What can be said about two systems; the better one comes first."""
        for name in (a, b):
            if name not in self.systems:
                raise BadUsage(usage.not_there("system", name, list(self.systems)[:3]))
        first, second = self.systems.index(a), self.systems.index(b)
        if self.differences[first, second] < 0:
            first, second = second, first
        counts = self.improvements
        return Verdict(
            self.systems[first],
            self.systems[second],
            self.score.name,
            float(np.nan_to_num(self.differences[first, second])),
            int(counts.cases[first, second]),
            bool(self.always[first, second]),
            _number(self.shares.pairs[first, second]),
            self._alphas(first, second),
            int(counts.a_ge_b[first, second]),
            int(counts.b_ge_a[first, second]),
            int(counts.biased[first, second]),
            _number(counts.uir[first, second]),
            self.threshold,
            _number(self.p[first, second]),
            self.level,
            self.tested.name,
            "none" if self.tested.familywise else self.correction,
            one_metric=len(self.cube.metrics) == 1,
        )

    def _alphas(self, a: int, b: int) -> tuple[tuple[float, float], ...]:
        if self.held is None:
            return ()
        mine = (self.held.a == a) & (self.held.b == b)
        return tuple(zip(self.held.low[mine].tolist(), self.held.high[mine].tolist(), strict=True))

    def grid(self) -> Grid:
        """The leaderboard as plain data."""
        return telling.board(self)

    def __repr__(self) -> str:
        return "\n".join([*telling.summary(self), "", plain(self.grid())])

    def _repr_html_(self) -> str:
        words = "".join(f"<p>{escape(visible(line), quote=True)}</p>" for line in telling.summary(self))
        return words + html(telling.board(self, raised=True))

    def to_markdown(self) -> str:
        """The leaderboard as a Markdown table; raised numbers are the rows that a system robustly beats."""
        return markdown(telling.board(self, raised=True))

    def to_latex(self) -> str:
        """The leaderboard as a LaTeX table; raised numbers are the rows that a system robustly beats."""
        return latex(telling.board(self, raised=True))

    def to_json(self) -> str:
        """Everything as JSON: words, leaderboard, pairs, unanimity, weights, and how it was made."""
        return telling.as_json(self)

    def at_least_as_good(self, system: str, baseline: str | None = None) -> Verdict | None:
        """The verdict that speaks against a system, if it is not robustly at least as good as the baseline; none if it is.

        It is as long as the baseline does not lead robustly and the system does not lose by every weighting.
        """
        against = baseline or self.baseline
        if against is None:
            raise BadUsage(usage.not_there("baseline", "", list(self.systems)[:3]))
        found = self.verdict(system, against)
        loses = found.better == against and found.difference > 0 and (found.robust or found.for_every_weighting)
        return found if loses else None


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
