"""losses(): where Reliability and Sensitivity, or precision and recall of spans, were lost, for each case and in the mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.evaluation.evaluation import Evaluation, evaluation_of
from plumbline.options.evaluation import OutputOptions
from plumbline.options.option import documented
from plumbline.render.grid import Cell, Grid, number
from plumbline.render.result import Result, described
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE
from plumbline.tasks import task_named, task_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Single

    Numbers = NDArray[np.float64]

CAUSE: Final = "cause"
LOST: Final = "lost"
_BY: Final = [SYSTEM, METRIC]


@dataclass(frozen=True, repr=False)
class Losses(Result):
    """What Reliability and Sensitivity, or precision and recall of spans, lack to reach 1, by cause.

    Attributes:
        per_case: `system, case, metric, value, cause, lost`; the value and the losses of all causes add up to 1.
        notices: What should be known about the values.

    Example:
        >>> import plumbline
        >>> gold = {"q1": {"d1": 2, "d2": 1, "d3": 0}}
        >>> run = {"q1": {"d2": 0.9, "d1": 0.8, "d3": 0.1}}
        >>> losses = plumbline.losses(gold, {"mine": run}, "Rel", task="ranking")
        >>> losses.mean["cause"].to_list()
        ['extra item', 'tied', 'wrong order']
    """

    per_case: pl.DataFrame
    notices: tuple[Diagnostic, ...] = ()

    @property
    def mean(self) -> pl.DataFrame:
        """`system, metric, cause, value, lost, cases` over the cases in which the metric is defined."""
        defined = self.per_case.drop_nulls(VALUE)
        return defined.group_by(*_BY, CAUSE, maintain_order=True).agg(
            pl.col(VALUE).mean(), pl.col(LOST).mean(), pl.len().alias("cases")
        )

    def grid(self, *, per_case: bool = False) -> Grid:
        """A row for each system and metric, and a column for each cause.

        Args:
            per_case: Show all cases instead of the means.

        Returns:
            A heading and rows of cells, from which every output format is made.
        """
        table, by = (self.per_case, [SYSTEM, CASE, METRIC]) if per_case else (self.mean, _BY)
        causes = table[CAUSE].unique(maintain_order=True).to_list()
        total = dict(table.group_by(CAUSE).agg(pl.col(LOST).sum()).iter_rows())
        least = tuple(sorted(causes, key=lambda cause: total[cause]))
        rows = []
        for names, group in table.group_by(by, maintain_order=True):
            lost = dict(zip(group[CAUSE], group[LOST], strict=True))
            cells = (Cell(number(lost[cause])) if cause in lost else Cell("") for cause in causes)
            rows.append((*(Cell(str(name)) for name in names), Cell(number(group[VALUE][0])), *cells))
        return Grid((*by, VALUE, *causes), tuple(rows), "value and what was lost add up to 1", keep=len(by), drop=least)

    def to_polars(self) -> pl.DataFrame:
        """`system, case, metric, value, cause, lost`."""
        return self.per_case

    def to_rows(self, *, per_case: bool = False) -> pl.DataFrame:
        """The means, or the values of all cases.

        Args:
            per_case: Give all cases instead of the means.

        Returns:
            A polars frame.
        """
        return self.per_case if per_case else self.mean

    def to_dict(self, *, per_case: bool = True) -> dict[str, Any]:
        """The means, the values of all cases, and the notices.

        Args:
            per_case: Also give the values of all cases.

        Returns:
            A dict with the keys mean, per_case and notices.
        """
        cases = {"per_case": self.per_case.to_dicts()} if per_case else {}
        return {"mean": self.mean.to_dicts(), **cases, "notices": described(self.notices)}


@documented(OutputOptions)
def losses(
    gold: Any,  # noqa: ANN401 - as evaluate
    systems: Any,  # noqa: ANN401 - as evaluate
    metrics: Iterable[str] | str | None = None,
    *,
    task: str = "organization",
    **options: Unpack[OutputOptions],
) -> Losses:
    """Take Reliability and Sensitivity apart by cause: wrong order, ties, missing or extra items, clusters.

    Precision and recall of spans are taken apart by wrong types, wrong boundaries, missed and spurious spans.

    Filters and clusterings are organizations too: with `collection=finite` the values are those of their own tasks.

    Args:
        gold: The right answers, as `evaluate` takes them.
        systems: The outputs, as `evaluate` takes them.
        metrics: Forms of Rel and Sens; both, over every kind of relation, if none is given. Of spans P and R.
        task: "ranking", "organization" or "extraction".
        **options: See `plumbline.options.evaluation.OutputOptions`.

    Returns:
        The value of every system, case and metric, and what each cause took from it.

    Raises:
        BadUsage: If a metric is neither Rel nor Sens, or the task has no relations.

    Example:
        >>> import plumbline
        >>> gold = {"q1": {"d1": 2, "d2": 1, "d3": 0}}
        >>> run = {"q1": {"d2": 0.9, "d1": 0.8, "d3": 0.1}}
        >>> lost = plumbline.losses(gold, {"mine": run}, "Rel", task="ranking").mean
        >>> round(lost["value"][0] + lost["lost"].sum(), 12)
        1.0
    """
    default = task_named(task).loss_metrics
    if not default:
        with_losses = [name for name in task_names() if task_named(name).loss_metrics]
        raise BadUsage(usage.bad_option("task", task, with_losses))
    return losses_of(evaluation_of(gold, systems, metrics or default, task=task, **options))


def losses_of(evaluation: Evaluation, metrics: Iterable[str] | None = None) -> Losses:
    """The losses of systems that are at hand already, by the requested metrics or by others."""
    request = evaluation.request if metrics is None else evaluation.request.for_metrics(metrics)
    wanted = list(dict.fromkeys(part for measure in request.measures for part in measure.parts))
    aligned, lost = request.task.hook("losses")(evaluation.alignment, wanted, request.task.loss_metrics)
    return Losses(_per_case(aligned, lost), aligned.notices)


def _per_case(aligned: Alignment, lost: Iterable[tuple[Single, Numbers, dict[str, Numbers]]]) -> pl.DataFrame:
    where = pl.DataFrame(
        {
            SYSTEM: np.repeat(np.array(aligned.systems, dtype=object), len(aligned.cases)).tolist(),
            CASE: aligned.cases * len(aligned.systems),
        }
    )
    tables = []
    for single, value, by_cause in lost:
        tables += [
            where.with_columns(
                pl.lit(single.name).alias(METRIC),
                pl.Series(VALUE, value, nan_to_null=True),
                pl.lit(cause).alias(CAUSE),
                pl.Series(LOST, amounts, nan_to_null=True),
            )
            for cause, amounts in by_cause.items()
        ]
    return pl.concat(tables)
