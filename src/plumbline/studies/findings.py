"""The tables of a study of metrics, computed when they are first used; `Study` presents them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from plumbline.comparison.reading import resolved
from plumbline.errors import BadUsage, studies, usage
from plumbline.errors.faces import option
from plumbline.studies import (
    agreement,
    consistency,
    discrimination,
    noise,
    preferences,
    robustness,
    smoothing,
    strictness,
    swaps,
)
from plumbline.studies.disagreement import TOP, disagreements
from plumbline.studies.facts import Pair
from plumbline.studies.outputs import Outputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.significance.result import SignificanceResult
    from plumbline.errors import Diagnostic
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.studies.facts import Facts

    Numbers = NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class Findings:
    """The scores of some systems and everything that they show about the metrics; `Study` describes the fields."""

    cube: Cube
    against: tuple[str, ...]
    top: int = strictness.TOP
    pairs: int | None = None
    test: str = "randomization"
    level: float = 0.05
    resamples: int | None = None
    splits: int = swaps.SPLITS
    seed: int = 0
    judged: pl.DataFrame | None = None
    facts: Facts | None = field(default=None, compare=False)
    evaluation: Evaluation | None = field(default=None, compare=False)
    notices: tuple[Diagnostic, ...] = field(default=())

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are studied."""
        return self.cube.metrics

    @cached_property
    def outputs(self) -> Outputs:
        """The outputs with a value of every metric."""
        return Outputs.of(self.cube)

    @property
    def _against(self) -> list[int]:
        return [self.metrics.index(name) for name in self.against]

    @cached_property
    def strictness(self) -> pl.DataFrame:
        """Both definitions, `fall` and `floor`, with the outputs and metrics that decide them."""
        return strictness.strictness(self.outputs, self._against, self.top)

    @cached_property
    def curve(self) -> pl.DataFrame:
        """`metric, top, floor`: the floor within the top 1 % to 100 % of the outputs."""
        return strictness.curve(self.outputs, self._against)

    @cached_property
    def robustness(self) -> pl.DataFrame:
        """The mean Spearman correlation over pairs of cases, and what was left out."""
        return robustness.table(self.cube, self.pairs, self.seed)

    @cached_property
    def tested(self) -> dict[str, SignificanceResult]:
        """The test of all pairs of systems by each metric."""
        return discrimination.tests(self.cube, self.test, level=self.level, resamples=self.resamples, seed=self.seed)

    @cached_property
    def swapped(self) -> dict[str, swaps.Swaps]:
        """What became of pairs of systems in split halves, by each metric."""
        return swaps.of_metrics(self.cube, self.splits, self.seed)

    @cached_property
    def discrimination(self) -> pl.DataFrame:
        """Discriminative power with its test, and the swap rate over all differences."""
        rates = swaps.rates(self.swapped, self.splits)
        return discrimination.power(self.tested, self.level).join(rates, on="metric", maintain_order="left")

    @cached_property
    def asl(self) -> pl.DataFrame:
        """`metric, place, a, b, p`: the p of all pairs of systems, from the highest to the lowest."""
        return discrimination.asl(self.cube, self.tested)

    @cached_property
    def swaps(self) -> pl.DataFrame:
        """`metric, low, high, pairs, swapped, rate`: the swap rate by the size of the difference in the first half."""
        return swaps.by_size(self.swapped)

    @cached_property
    def stability(self) -> pl.DataFrame:
        """`metric, size, swap_rate, tied, compared, splits`: the swap rate by the number of cases in each of two sets."""
        return swaps.stability(self.cube, self.splits, self.seed)

    @cached_property
    def consistency(self) -> pl.DataFrame:
        """`a, b, consistency, discriminancy, same, opposite, only_a, only_b`: over pairs of systems on each case."""
        return consistency.table(self.cube)

    @cached_property
    def noise(self) -> pl.DataFrame:
        """`metric, share, tau, best_stays, draws`: the order of the systems if a share of the judgements is shuffled."""
        if self.evaluation is None:
            raise BadUsage(studies.no_judgements("there are only scores"))
        return noise.noise(self.cube, self.evaluation, self.seed)

    @cached_property
    def preferences(self) -> pl.DataFrame:
        """`metric, agreement, tau, agreed, opposed, tied, preferences`: how far metrics follow what people prefer."""
        if self.judged is None:
            raise BadUsage(usage.goes_with("preferences", option("preferences", "FILE")))
        return preferences.preferred(self.cube, self.judged)

    @cached_property
    def rows(self) -> Mapping[str, Numbers]:
        """What is correlated, `[metric, ...]`: the values of all outputs, and the means of the systems over theirs."""
        return {"outputs": self.outputs.values, "systems": agreement.system_means(self.outputs)}

    @cached_property
    def correlations(self) -> pl.DataFrame:
        """`a, b, over, count, pearson, spearman, kendall`, over all outputs and over the means of systems."""
        return agreement.correlations(self.metrics, self.rows)

    @cached_property
    def similar(self) -> Numbers:
        """Spearman's correlation over all outputs, `[metric, metric]`."""
        return agreement.pearson(self.outputs.ranks)

    @cached_property
    def order(self) -> list[str]:
        """The metrics so that similar ones stand together, by Spearman's correlation over all outputs."""
        return [self.metrics[row] for row in agreement.grouped(self.similar)]

    def disagreements(self, a: str, b: str, top: int = TOP) -> pl.DataFrame:
        """The outputs whose ranks by two metrics differ most.

        Args:
            a: A metric.
            b: Another metric.
            top: How many outputs.

        Returns:
            A row for each output, with both values and ranks, what is known about it, and a reason.
        """
        return disagreements(self.between(a, b), top)

    def between(self, a: str, b: str) -> Pair:
        """Two metrics on all outputs.

        Args:
            a: A metric.
            b: Another metric.

        Returns:
            The ranks of all outputs by both, and how they differ.
        """
        first, second = (resolved(name, list(self.metrics), {})[0] for name in (a, b))
        if first == second:
            raise BadUsage(studies.same_metric_twice(first))
        return Pair(self.outputs, self.metrics.index(first), self.metrics.index(second), self.facts)

    @cached_property
    def smoothing(self) -> pl.DataFrame:
        """Every filtering metric without smoothing and with each, on every output; the greatest change first."""
        if self.facts is None or self.facts.counts is None:
            raise BadUsage(studies.nothing_to_smooth("there are no counts of filters"))
        if not smoothing.smoothable(self.metrics):
            raise BadUsage(studies.nothing_to_smooth("no metric knows smoothing"))
        return smoothing.smoothing(self.facts, self.metrics)

    @cached_property
    def effects(self) -> pl.DataFrame:
        """How many outputs each smoothing changes, by how much, and the correlation of before and after."""
        return smoothing.effects(self.smoothing, self.metrics)

    @cached_property
    def tradeoff(self) -> pl.DataFrame:
        """`metric, fall, floor, robustness`."""
        return self.table.select("metric", "fall", "floor", "robustness")

    @cached_property
    def table(self) -> pl.DataFrame:
        """A row for each metric: `metric, fall, floor, robustness, power, swap_rate`."""
        parts = {
            "fall": self.strictness,
            "floor": self.strictness,
            "robustness": self.robustness,
            "power": self.discrimination,
            "swap_rate": self.discrimination,
        }
        return pl.DataFrame(
            {"metric": pl.Series(self.metrics, dtype=pl.String), **{name: part[name] for name, part in parts.items()}}
        )
