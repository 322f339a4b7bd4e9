"""A pool and a replay of its judging, as results that can be printed and saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import polars as pl

from plumbline.errors.base import plural
from plumbline.render.grid import Cell, Grid, Sentences, percent
from plumbline.render.result import Result, described
from plumbline.schema import CASE, GRADE, ITEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.errors import Diagnostic
    from plumbline.options.evaluation import Duplicates
    from plumbline.render.grid import Block

SHOWN: Final = (5, 10, 25, 50, 75, 100, 150, 200, 300, 500, 1000)
"""Judgements per case at which a replay is shown."""


@dataclass(frozen=True, repr=False)
class Pool(Result):
    """Items to judge, in the order in which to judge them.

    Attributes:
        items: `case, item, order, found_by`, and `stratum, probability` where items were drawn; `order` is null for an item
            of a stratum that was not drawn. `found_by` has the systems with tabs between them: assessors should not see it.
        order: The name of the order.
        depth: How deep the lists were pooled; None for all of them.
        systems: The systems that were pooled.
        pooled: How many items are in the pool, judged ones included.
        judged: How many of them had been judged before.
        notices: What should be known about the pool.
        strata: The strata, as they were given.
        seed: The seed of the draw.

    Example:
        >>> import plumbline
        >>> runs = {"one": {"q1": {"a": 3.0, "b": 2.0}}, "two": {"q1": {"b": 2.0, "c": 1.0}}}
        >>> pool = plumbline.pool(runs, judged={"q1": {"b": 1}})
        >>> pool.items["item"].to_list(), pool.judged
        (['a', 'c'], 1)
    """

    heading: ClassVar[str] = "Pool"
    items: pl.DataFrame
    order: str
    depth: int | None
    systems: tuple[str, ...]
    pooled: int
    judged: int
    notices: tuple[Diagnostic, ...] = ()
    strata: str | None = None
    seed: int = 0

    def to_polars(self) -> pl.DataFrame:
        """A row for each item: `case, item, order, found_by`, and `stratum, probability` where items were drawn."""
        return self.items

    @property
    def to_judge(self) -> pl.DataFrame:
        """The rows of the items that are to be judged."""
        return self.items.drop_nulls("order")

    def with_grades(
        self,
        judgements: Any,
        on_duplicate: Duplicates = "error",
    ) -> pl.DataFrame:
        """The whole pool as a gold, with the grades of what was judged; `evaluate` takes it, and so do its estimates.

        Args:
            judgements: What was judged: a path, a dict `{case: {item: grade}}` or a frame with case, item and grade.
            on_duplicate: Which grade to keep of an item that has two: the first, the last or the best.

        Returns:
            `case, item, grade`, and `stratum` where items were drawn; the grade of an item that was not judged is -1.

        Raises:
            BadData: The judgements cannot be read, or an item has two different grades and nothing says which to keep.

        Example:
            >>> import plumbline
            >>> pool = plumbline.pool({"one": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}}, strata="1-1:1 2-3:0.5", seed=1)
            >>> pool.with_grades({"q": {"a": 1, "b": 0}}).rows()
            [('q', 'a', '1', 1.0), ('q', 'b', '2', 0.0), ('q', 'c', '2', -1.0)]
        """
        from plumbline.io.table import ReadOptions  # noqa: PLC0415 - only where judgements come back
        from plumbline.truth.pools.lists import read_judgements  # noqa: PLC0415 - as above

        read = read_judgements(judgements, ReadOptions(), "judgements", on_duplicate)
        judged = read.frame.with_columns(pl.col(CASE).cast(pl.String))
        graded = self.items.join(judged.select(CASE, ITEM, VALUE), on=[CASE, ITEM], how="left", maintain_order="left")
        strata = [pl.col("stratum").cast(pl.String)] if "stratum" in graded.columns else []
        return graded.select(CASE, ITEM, *strata, pl.col(VALUE).fill_null(-1.0).alias(GRADE))

    def grid(self) -> Grid:
        """How many items there are to judge, case by case."""
        counted = self.items.group_by(CASE, maintain_order=True).agg(
            pl.col("order").count().alias("to judge"),
            pl.len().alias("pooled"),
            pl.col(ITEM).sort_by("order", nulls_last=True).first(),
        )
        drawn = self.strata is not None
        rows = tuple(
            (Cell(case), Cell(f"{judge:,}"), *([Cell(f"{pooled:,}")] if drawn else []), Cell(item))
            for case, judge, pooled, item in counted.iter_rows()
        )
        return Grid((CASE, "to judge", *(["pooled"] if drawn else []), "first item"), rows, self._caption())

    def _caption(self) -> str:
        deep = "" if self.depth is None else f", {self.depth} deep"
        how = f"strata {self.strata}, seed {self.seed}" if self.strata else f"order: {self.order}"
        return f"{plural(len(self.systems), 'system')} pooled{deep}; {how}"

    def to_blocks(self) -> Sequence[Block]:
        """A sentence, and how many items there are to judge in each case."""
        cases = self.to_judge[CASE].n_unique()
        before = f", {self.judged:,} of them judged before" if self.judged else ""
        sentence = (
            f"{plural(len(self.to_judge), 'item')} to judge in {plural(cases, 'case')}: "
            f"the pool has {plural(self.pooled, 'item')}{before}."
        )
        return [Sentences((sentence,)), self.grid()]

    def to_dict(self) -> dict[str, Any]:
        """How the pool was made, and its items.

        Returns:
            A dict that JSON can hold.
        """
        made = {
            "order": self.order,
            "depth": self.depth,
            "systems": list(self.systems),
            "strata": self.strata,
            "seed": self.seed,
        }
        return {
            **made,
            "pooled": self.pooled,
            "judged": self.judged,
            "items": self.items.to_dicts(),
            "notices": described(self.notices),
        }


@dataclass(frozen=True, repr=False)
class Replay(Result):
    """Judging replayed with a gold: how soon each order finds the relevant items.

    Attributes:
        curve: `order, per_case, judged, relevant, share`: after so many judgements in each case, cases side by side.
        stops: `order, rule, stopped, judged, relevant, recall`: where stopping rules end.
        pooled: How many items are in the pool.
        relevant: How many of them are relevant.
        cases: How many cases there are.
        systems: The systems that were pooled.
        notices: What should be known about the replay.

    Example:
        >>> import plumbline
        >>> runs = {"one": {"q1": {"a": 3.0, "b": 2.0}}, "two": {"q1": {"b": 2.0, "c": 1.0}}}
        >>> replay = plumbline.pool(runs, simulate={"q1": {"a": 0, "b": 1, "c": 0}})
        >>> replay.curve["relevant"].to_list()
        [1, 1, 1]
    """

    heading: ClassVar[str] = "Judging"
    curve: pl.DataFrame
    stops: pl.DataFrame
    pooled: int
    relevant: int
    cases: int
    systems: tuple[str, ...]
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """`order, per_case, judged, relevant, share`."""
        return self.curve

    def grid(self) -> Grid:
        """Relevant items found by each order after some numbers of judgements per case."""
        longest = int(self.curve["per_case"].to_numpy().max(initial=0))
        steps = [step for step in SHOWN if step < longest] + [longest]
        orders = self.curve["order"].unique(maintain_order=True).to_list()
        relevant = {
            (order, step): count for order, step, count in self.curve.select("order", "per_case", "relevant").iter_rows()
        }
        most = {step: max(relevant.get((order, step), 0) for order in orders) for step in steps}
        several = len(orders) > 1
        rows = tuple(
            (
                Cell(order),
                *(
                    Cell(f"{relevant[order, step]:,}", best=several and relevant[order, step] == most[step] and step < longest)
                    if (order, step) in relevant
                    else Cell("")
                    for step in steps
                ),
            )
            for order in orders
        )
        return Grid(
            ("order", *(f"{step:,}" for step in steps)), rows, "relevant items found after so many judgements in each case"
        )

    def to_blocks(self) -> Sequence[Block]:
        """A sentence, the curve at some points, and where stopping rules end."""
        sentence = (
            f"{self.pooled:,} items of {plural(len(self.systems), 'system')} in {plural(self.cases, 'case')}, "
            f"{self.relevant:,} of them relevant."
        )
        if self.stops.is_empty():
            return [Sentences((sentence,)), self.grid()]
        rows = tuple(
            (Cell(order), Cell(rule), Cell(f"{stopped:,}"), Cell(f"{judged:,}"), Cell(f"{relevant:,}"), Cell(percent(recall)))
            for order, rule, stopped, judged, relevant, recall in self.stops.iter_rows()
        )
        heading = ("order", "stop", "cases stopped", "judged", "relevant", "recall")
        return [Sentences((sentence,)), self.grid(), Grid(heading, rows, "a case that is not stopped is judged to the end")]

    def to_dict(self) -> dict[str, Any]:
        """The curve, where rules stop, and counts.

        Returns:
            A dict that JSON can hold.
        """
        facts = {"pooled": self.pooled, "relevant": self.relevant, "cases": self.cases, "systems": list(self.systems)}
        return {**facts, "curve": self.curve.to_dicts(), "stops": self.stops.to_dicts(), "notices": described(self.notices)}
