"""A study of metrics on the scores of real systems, as a result that can be printed, saved and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline.render.present import svg_of
from plumbline.render.result import Result
from plumbline.studies import tables
from plumbline.studies.disagreement import TOP
from plumbline.studies.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from plumbline.render.grid import Block, Grid


@dataclass(frozen=True, repr=False, eq=False)
class Study(Findings, Result):
    """What the scores of some systems say about the metrics themselves.

    Tables are computed when they are first used.

    Attributes:
        cube: The values by metric, system and case.
        against: The metrics that strictness compares with.
        top: The percentage of outputs at the top of a metric, for its floor.
        pairs: How many pairs of cases are drawn for robustness; None takes all.
        test: The significance test of discriminative power.
        level: A difference is significant below this p.
        resamples: How often the test draws at random.
        splits: How often cases are split in halves for the swap rate.
        seed: The seed of all random draws.
        judged: What people preferred: `case, better, worse`; None if nobody was asked.
        facts: What gold and outputs say about each output, if they were given. A saved study does not keep it.
        evaluation: Gold and systems, if they were given, so that they can be evaluated again. A saved study does not keep it.
        notices: What was left out, and why.

    Example:
        >>> import plumbline
        >>> table = {"AP": {"a": {"q1": 0.2, "q2": 0.5}, "b": {"q1": 0.4, "q2": 0.6}},
        ...          "RR": {"a": {"q1": 1.0, "q2": 0.5}, "b": {"q1": 0.5, "q2": 1.0}}}
        >>> study = plumbline.meta(table, splits=10)
        >>> [(metric, round(value, 6)) for metric, value in study.robustness.select("metric", "robustness").rows()]
        [('AP', 1.0), ('RR', -1.0)]
    """

    def grid(self) -> Grid:
        """A row for each metric as plain data."""
        return tables.board(self)

    def to_polars(self) -> pl.DataFrame:
        """A row for each metric: `metric, fall, floor, robustness, power, swap_rate`."""
        return self.table

    def to_blocks(
        self, *, show: Sequence[str] = (), disagree: tuple[str, str] | None = None, outputs: int = TOP
    ) -> Sequence[Block]:
        """The summary and the table of metrics, and what else is wanted.

        Args:
            show: Names of further tables, such as "strictness" and "curve".
            disagree: Two metrics, to show the outputs on which they disagree most.
            outputs: How many of these.

        Returns:
            Sentences and tables in the order in which people read them.
        """
        return tables.blocks(self, show, disagree, outputs)

    def to_rows(self, *, show: Sequence[str] = (), disagree: tuple[str, str] | None = None, outputs: int = TOP) -> pl.DataFrame:
        """The one table that a CSV file holds.

        Args:
            show: The name of the table, if it is not the one of metrics.
            disagree: Two metrics, for the table of outputs on which they disagree most.
            outputs: How many of these.

        Returns:
            The table.
        """
        return tables.frame(self, show, disagree, outputs)

    def to_dict(
        self,
        *,
        show: Sequence[str] = (),  # noqa: ARG002 - everything is there already
        disagree: tuple[str, str] | None = None,
        outputs: int = TOP,
    ) -> dict[str, Any]:
        """Everything: sentences, all tables, and how they were made.

        Args:
            show: Has no effect: all tables are there.
            disagree: Two metrics, to add the outputs on which they disagree most.
            outputs: How many of these.

        Returns:
            Dicts, lists, texts and numbers.
        """
        return tables.facts(self, disagree, outputs)

    def to_svg(self) -> str:
        """Strictness against robustness as SVG; deprecated, use `plot.strictness()`."""
        return svg_of(self, "strictness")
