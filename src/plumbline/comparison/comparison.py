"""All systems against each other: unanimity, weightings, significance, leaderboard, verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.average import best_first
from plumbline.comparison import tables
from plumbline.comparison import wording as telling
from plumbline.comparison.combining import TWO
from plumbline.comparison.concordance import Classes, classes
from plumbline.comparison.correlation.between import by_metric
from plumbline.comparison.leaderboard import around, edges, tiers
from plumbline.comparison.significance.correction import corrected, family_size
from plumbline.comparison.significance.draws import default_resamples, needed_resamples
from plumbline.comparison.significance.effects import effects
from plumbline.comparison.significance.registry import UNCORRECTED, find_correction, find_test
from plumbline.comparison.unanimity.interval import interval
from plumbline.comparison.unanimity.parametric import parametric
from plumbline.comparison.unanimity.unanimity import THRESHOLD, unanimity
from plumbline.comparison.verdict import Verdict, verdict
from plumbline.comparison.weighting.simplex import exact_shares, opposed, weightings
from plumbline.comparison.weighting.weighting import f_curves, holds
from plumbline.errors import BadUsage, usage, visible
from plumbline.errors.base import plural
from plumbline.render.html import html
from plumbline.render.latex import latex
from plumbline.render.markdown import markdown
from plumbline.render.present import Plots, svg_of, write_report
from plumbline.render.terminal import plain

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Unpack

    from numpy.typing import NDArray

    from plumbline.comparison.combining import Score
    from plumbline.comparison.cube import Cube
    from plumbline.comparison.significance.result import SignificanceResult
    from plumbline.comparison.unanimity.unanimity import Unanimity
    from plumbline.comparison.weighting.simplex import Shares
    from plumbline.comparison.weighting.weighting import Holds
    from plumbline.errors import Diagnostic
    from plumbline.option import Names
    from plumbline.options import CompareOptions, EvaluateOptions
    from plumbline.render.grid import Grid

    Numbers = NDArray[np.float64]

LEVEL: Final = 0.05


@dataclass(frozen=True, repr=False, eq=False)
class Comparison:
    """All systems against each other; tables are polars frames, made when they are asked for."""

    cube: Cube
    score: Score
    """What the leaderboard goes by and what is tested."""
    test: str = "randomization"
    correction: str = "holm"
    level: float = LEVEL
    uir_threshold: float = THRESHOLD
    baseline: str | None = None
    eps: float = 0.0
    seed: int = 0
    resamples: int | None = None
    """How often a test draws that does; by default more often than the correction needs."""
    notices: tuple[Diagnostic, ...] = field(default=())
    made: Mapping[str, Any] = field(default_factory=dict)
    """How the scores were made, where they are `Scores`."""
    evaluation: Any = field(default=None, repr=False, compare=False)
    """The `Evaluation` that the scores came from; None for scores that were loaded."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in the order in which they were given."""
        return self.cube.systems

    @cached_property
    def improvements(self) -> Unanimity:
        """Unanimous improvements, counted for all pairs."""
        return unanimity(self.cube, self.eps)

    @cached_property
    def tested(self) -> SignificanceResult:
        """The significance test of the score."""
        return find_test(self.test)(self.score.values, resamples=self._draws, seed=self.seed)

    @property
    def _draws(self) -> int:
        if self.resamples is not None:
            return self.resamples
        others = len(self.systems) - 1
        pairs = others if self.baseline is not None else (others + 1) * others // 2
        return default_resamples(self.test, self.correction, pairs, self.level)

    @property
    def _drawn(self) -> NDArray[np.bool_]:
        """The pairs whose p was drawn: not those with so few cases that all signs were tried."""
        there = self.tested.cases > 0
        return there if self.tested.exact is None else there & ~self.tested.exact

    @cached_property
    def needed_draws(self) -> int | None:
        """If no difference could be significant, whatever the scores: how many draws would do."""
        if self.tested.resamples is None or not self._drawn.any():
            return None
        pairs = family_size(self.tested.p, baseline=self._baseline)
        needed = needed_resamples(self.test, self.correction, pairs, self.level)
        return needed if self.tested.resamples < needed else None

    @cached_property
    def p(self) -> Numbers:
        """After correction, `[a, b]`; with a baseline only the pairs with it are tested."""
        correction = UNCORRECTED if self.tested.familywise else self.correction
        return corrected(self.tested.p, correction, baseline=self._baseline)

    @cached_property
    def told_correction(self) -> str:
        """How many p values were corrected together, and how."""
        if self.tested.familywise or self.correction == UNCORRECTED:
            return "none, the test accounts for all pairs" if self.tested.familywise else "none"
        count = family_size(self.tested.p, baseline=self._baseline)
        return f"{find_correction(self.correction).title} over {plural(count, 'pair')}"

    @cached_property
    def told_test(self) -> str:
        """How p was found and what was left out, in words: of the pairs that were tested."""
        return self.tested.describe(self._baseline)

    @cached_property
    def differences(self) -> Numbers:
        """Differences of the mean score over the cases that both have, `[a, b]`."""
        return effects(self.score.values).mean_difference

    @cached_property
    def shares(self) -> Shares:
        """Which share of all weightings each system wins."""
        return weightings(self.cube, self.score.mean, seed=self.seed) if self.held is None else exact_shares(self.held)

    @cached_property
    def held(self) -> Holds | None:
        """Of two metrics, the alphas for which a beats b."""
        return holds(self.cube, self.score.mean) if len(self.cube.metrics) == TWO else None

    @cached_property
    def always(self) -> NDArray[np.bool_]:
        """Whether a beats b by every weighting, `[a, b]`: of several metrics by all that were drawn and each metric alone."""
        if self.held is not None:
            return self.held.always
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
        """The tier of each system by who robustly beats whom; with a baseline, by what each is against the baseline."""
        return tiers(self.beats) if self._baseline is None else around(self.beats, self._baseline)

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
        """`system, improves, reference, uir, score` of each system, best first: the paper's Table 7."""
        order = best_first(self.score.ranks)
        found = self.improvements.references(self.uir_threshold, order)
        return found.with_columns(pl.Series("score", self.score.means, nan_to_null=True))[order]

    @cached_property
    def weights(self) -> pl.DataFrame:
        """Of two metrics `a, b, low, high, always, cases`, the alphas for which a beats b; else shares of weightings."""
        return tables.shares(self) if self.held is None else self.held.table()

    @cached_property
    def leads(self) -> pl.DataFrame:
        """`system, low, high`: the alphas for which each system is the best of all; of other than two metrics, shares."""
        return self.shares.table() if self.held is None else self.held.leads.table()

    def curves(self, steps: int = 100) -> pl.DataFrame:
        """`system, alpha, value, cases, left_out`: the mean over cases of the score along the weight of the first metric."""
        return f_curves(self.cube, np.linspace(0.0, 1.0, steps + 1), self.score.mean).table()

    def to_svg(self) -> str:
        """The curves of the best systems over alpha as SVG; deprecated, use `plot.alpha()`."""
        return svg_of(self, "alpha")

    @cached_property
    def leaderboard(self) -> pl.DataFrame:
        """`tier, system, score`, the mean of each metric, `wins`, `beats`, `beaten_by`, `reference`, `uir`; best first.

        `wins` is the share of weightings by which nobody is better, `beats` and `beaten_by` count robust differences.
        """
        return tables.leaderboard(self)

    def verdict(self, a: str, b: str) -> Verdict:
        """What can be said about two systems; the better one comes first, in whichever order they are named."""
        for name in (a, b):
            if name not in self.systems:
                raise BadUsage(usage.not_there("system", name, list(self.systems)[:3]))
        return verdict(self, self.systems.index(a), self.systems.index(b))

    def grid(self) -> Grid:
        """The leaderboard as plain data."""
        return telling.board(self)

    @property
    def plot(self) -> Plots:
        """Figures as Altair charts, which notebooks show: `found.plot.graph()`; the extra `report` has to be installed."""
        return Plots(self)

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        gold: Any = None,  # noqa: ANN401 - as evaluate
        systems: Any = None,  # noqa: ANN401 - as evaluate
        metrics: Names | None = None,
        title: str | None = None,
        force: bool = False,
        comparing: CompareOptions | None = None,
        **options: Unpack[EvaluateOptions],
    ) -> Path:
        """Write an HTML page with everything about this comparison; the extra `report` has to be installed.

        Args:
            path: The file to write.
            gold: The gold, if the page is to show more than scores tell and the scores were loaded from a file.
            systems: The outputs, likewise.
            metrics: The metrics that the page is about, of those that there are.
            title: The title of the page.
            force: Overwrite a file that is there.
            comparing: Options of `compare`.
            **options: Options of `evaluate`; they must be those by which the scores were made.

        Returns:
            The path of the page.

        Raises:
            BadUsage: The extra is not installed, the file is there already, or an option does not fit.
        """
        given = {"gold": gold, "systems": systems, "metrics": metrics, "comparing": comparing, **options}
        return write_report(self, path, title=title, force=force, **given)

    def __repr__(self) -> str:
        return "\n".join([*map(visible, telling.summary(self)), "", plain(self.grid())])

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

        It is as long as the baseline does not lead robustly, the system does not lose by every weighting, and both share a
        case. If the comparison has a baseline, other pairs were not tested, and no other one can be asked for.
        """
        against = self.baseline if baseline is None else baseline
        if against is None:
            raise BadUsage(usage.bad_option("baseline", "none", list(self.systems)))
        if self.baseline is not None and against != self.baseline:
            raise BadUsage(usage.bad_option("baseline", against, [self.baseline]))
        found = self.verdict(system, against)
        loses = found.better == against != system and found.leads and (found.robust or found.for_every_weighting)
        return found if loses or found.difference is None else None
