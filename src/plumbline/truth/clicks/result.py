"""What `clicks` returns: how well models predict held-out sessions, and what they say about items and ranks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, clicks, usage
from plumbline.render.frame import frame_grid
from plumbline.render.grid import Cell, Grid, Sentences, number, percent
from plumbline.render.result import Result, described
from plumbline.schema import CASE, ITEM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

TABLES: Final = ("scores", "ranks", "cases", "gold", "positions", "parameters", "systems")
DIGITS: Final = 6


@dataclass(frozen=True, repr=False, eq=False)
class ClickModels(Result):
    """Click models that were fitted to a log.

    Example:
        >>> import plumbline, polars
        >>> log = polars.DataFrame({
        ...     "session": [1, 1, 2, 2, 3, 3, 4, 4],
        ...     "case": ["q"] * 8,
        ...     "item": ["a", "b", "b", "a", "a", "b", "b", "a"],
        ...     "position": [1, 2] * 4,
        ...     "clicked": [1, 0, 0, 1, 1, 0, 1, 0],
        ... })
        >>> models = plumbline.clicks(log, model="cascade", hold_out=0)
        >>> models.gold.select("item", "grade", "shown").rows()
        [('a', 0.8, 4), ('b', 0.5, 4)]
    """

    heading: ClassVar[str] = "Clicks"
    summary: tuple[str, ...]
    """What was found, in sentences."""
    scores: pl.DataFrame
    """A row for each model: how well it predicts the held-out sessions, and how it was fitted."""
    ranks: pl.DataFrame
    """`model, rank, perplexity, conditional_perplexity` of the held-out sessions."""
    cases: pl.DataFrame
    """`system, case, metric, value`: the held-out sessions case by case, as `compare` takes them."""
    gold: pl.DataFrame
    """`model, case, item, grade, low, high, shown, clicks`: the probability that each item is relevant, from all sessions."""
    positions: pl.DataFrame
    """`model, rank, shown, clicks, rate, examination, low, high, relative`: the probability that each rank is examined."""
    parameters: pl.DataFrame
    """`model, parameter, case, item, rank, last_click, value, low, high, count`: everything that was estimated."""
    systems: pl.DataFrame = field(default_factory=pl.DataFrame)
    """`system, case, metric, value`: rankings by the metrics that follow from the models."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """How the models were fitted and tested."""
    notices: tuple[Diagnostic, ...] = ()

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return self.scores["model"].to_list()

    def to_polars(self) -> pl.DataFrame:
        """A row for each model."""
        return self.scores

    def relevance(self, model: str | None = None) -> pl.DataFrame:
        """The gold of one model: the probability that each item is relevant.

        Args:
            model: The name of the model; needed if there are several.

        Returns:
            `case, item, grade, low, high, shown, clicks`; with `cautious`, the grade is the lower limit.

        Raises:
            BadUsage: If it is not clear which model is meant, or the model does not tell items apart.
        """
        return self._of(self.gold, model, "a gold", "relevance of items").drop("model")

    def propensities(self, model: str | None = None) -> pl.DataFrame:
        """The probability that each rank is examined, for estimates that weigh clicks.

        Args:
            model: The name of the model; needed if there are several.

        Returns:
            `rank, shown, clicks, rate, examination, low, high, relative`.

        Raises:
            BadUsage: If it is not clear which model is meant.
        """
        return self._of(self.positions, model, "a propensity", "examination of ranks").drop("model")

    def to_gold(self, model: str | None = None) -> dict[str, dict[str, float]]:
        """The gold of one model as `evaluate` takes it, for metrics such as `ERR(prob=given)`.

        Args:
            model: The name of the model; needed if there are several.

        Returns:
            `{case: {item: probability}}`.

        Raises:
            BadUsage: If it is not clear which model is meant, or the model does not tell items apart.
        """
        gold: dict[str, dict[str, float]] = {}
        for case, item, grade in self.relevance(model).select(CASE, ITEM, "grade").drop_nulls().iter_rows():
            gold.setdefault(case, {})[item] = grade
        return gold

    def _of(self, frame: pl.DataFrame, model: str | None, what: str, kind: str) -> pl.DataFrame:
        """The rows of one model."""
        if model is None and len(self.models) > 1:
            raise BadUsage(clicks.one_model(what, self.models))
        chosen = self.models[0] if model is None else model
        if chosen not in self.models:
            raise BadUsage(usage.unknown_name("model", chosen, self.models))
        rows = frame.filter(pl.col("model") == chosen)
        if rows.is_empty():
            raise BadUsage(clicks.model_without(chosen, kind, frame["model"].unique(maintain_order=True).to_list()))
        return rows

    def grid(self) -> Grid:
        """The models for people, in the order of the catalogue."""
        heading = ("model", "log-likelihood ↑", "perplexity ↓", "conditional ↓", "gain ↑", "impossible", "rounds")
        rows = tuple(
            (
                Cell(row["model"]),
                Cell(_number(row["log_likelihood"])),
                Cell(_number(row["perplexity"])),
                Cell(_number(row["conditional_perplexity"])),
                Cell("" if row["gain"] is None else percent(row["gain"])),
                Cell("" if row["impossible"] == 0 else f"{row['impossible']:,}"),
                Cell("" if row["rounds"] == 0 else f"{row['rounds']:,}"),
            )
            for row in self.scores.iter_rows(named=True)
        )
        return Grid(heading, rows, self.made.get("caption", ""))

    def to_blocks(self, *, table: str | None = None) -> Sequence[Block]:
        """The answer, and the models or another table.

        Args:
            table: "gold", "positions", "parameters", "ranks", "cases" or "systems" instead of the models.

        Returns:
            Sentences and tables, in the order in which people read them.
        """
        if table not in {None, "scores"}:
            return [frame_grid(self._table(table), str(table))]
        systems = [] if self.systems.is_empty() else [frame_grid(self._means(), "systems by metrics from the models")]
        return [Sentences(self.summary), self.grid(), *systems]

    def _means(self) -> pl.DataFrame:
        """`system` and a column for each metric: the mean over cases."""
        means = self.systems.group_by("system", "metric", maintain_order=True).agg(pl.col("value").mean())
        return means.pivot("metric", index="system", values="value", maintain_order=True)

    def _table(self, name: str | None) -> pl.DataFrame:
        if name is not None and name not in TABLES:
            raise BadUsage(usage.bad_option("table", name, list(TABLES)))
        table: pl.DataFrame = getattr(self, name or "scores")
        return table

    def to_rows(self, *, table: str | None = None) -> pl.DataFrame:
        """The one table that a CSV file holds.

        Args:
            table: The name of another table instead of the models.

        Returns:
            The table.
        """
        return self._table(table)

    def to_dict(self, *, table: str | None = None) -> dict[str, Any]:
        """The answer and the tables, as dicts, lists, texts and numbers.

        Args:
            table: One table alone instead of all.

        Returns:
            The answer, the tables and the notices; minus infinity is the text "-inf".
        """
        names = [table] if table is not None else list(TABLES)
        tables = {name: [_plain(row) for row in self._table(name).iter_rows(named=True)] for name in names}
        return {"summary": list(self.summary), **tables, "made": dict(self.made), "notices": described(self.notices)}


def _number(value: float | None) -> str:
    """A number with the digits in which models differ; minus infinity in words."""
    return number(value, DIGITS) if value is None or np.isfinite(value) else "-inf" if value < 0 else "inf"


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _number(one) if isinstance(one, float) and np.isinf(one) else one for name, one in row.items()}
