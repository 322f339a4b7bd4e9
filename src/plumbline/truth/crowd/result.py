"""What `aggregate` returns: one label for each item, who voted how, and what changes without some of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import polars as pl

from plumbline.errors import BadUsage
from plumbline.errors import judgements as problems
from plumbline.render.frame import frame_grid
from plumbline.render.grid import Cell, Grid, Sentences, number, percent
from plumbline.render.result import Result, described
from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

MOST: Final = 25
"""Rows of assessors that a terminal shows."""
MOST_ON_A_PAGE: Final = 1000
"""Rows of assessors on a page, where they can be searched."""


@dataclass(frozen=True, repr=False, eq=False)
class AggregatedGold(Result):
    """One gold from many votes.

    Example:
        >>> import plumbline
        >>> votes = {"ann": ["spam", "ham", "spam"], "ben": ["spam", "ham", "ham"], "cy": ["ham", "ham", "spam"]}
        >>> plumbline.aggregate(votes).gold["label"].to_list()
        ['spam', 'ham', 'spam']
    """

    heading: ClassVar[str] = "Labels from votes"
    summary: tuple[str, ...]
    """What was done, in sentences."""
    gold: pl.DataFrame
    """`case, item, label, grade, expected, posterior, entropy, votes`; label and grade are null where a tie is undecided."""
    assessors: pl.DataFrame
    """A row for each assessor: agreement with the rest, accuracy on gold items, spammer score, bias, seconds, flags."""
    changes: pl.DataFrame = field(default_factory=pl.DataFrame)
    """`case, item, before, after`: labels that differ without the assessors that were left out."""
    leaderboard: pl.DataFrame = field(default_factory=pl.DataFrame)
    """`metric, system, before, after, rank_before, rank_after`: systems with both golds."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """How labels were made."""
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """The gold."""
        return self.gold

    def to_gold(self, *, expected: bool = False) -> dict[str, dict[str, float | str]]:
        """The gold as `evaluate` takes it; items without a label are left out.

        Args:
            expected: Expected grades instead of the most probable ones.

        Returns:
            `{case: {item: grade}}`, or labels if they are not numbers.

        Raises:
            BadUsage: If expected grades are requested for labels that are not numbers.
        """
        if expected and "expected" not in self.gold.columns:
            raise BadUsage(problems.needs_grades("an expected grade", self.gold[LABEL].drop_nulls().unique().sort().to_list()))
        column = "expected" if expected else "grade" if "grade" in self.gold.columns else LABEL
        gold: dict[str, dict[str, float | str]] = {}
        for case, item, value in self.gold.select(CASE, ITEM, column).drop_nulls().iter_rows():
            gold.setdefault(case, {})[item] = value
        return gold

    def grid(self, most: int = MOST) -> Grid:
        """The assessors for people, those with flags first.

        Args:
            most: How many of them are shown.

        Returns:
            A row for each.
        """
        heading = ("assessor", "judgements", "agrees", "right on gold", "spammer score", "commonest answer", "flags")
        ordered = self.assessors.sort(pl.col("flags").is_null(), -pl.col("judgements"), maintain_order=True)
        rows = tuple(
            (
                Cell(row["assessor"]),
                Cell(f"{row['judgements']:,}"),
                Cell(number(row["agreement"], 2)),
                Cell("" if row["accuracy"] is None else _span(row)),
                Cell(number(row["spammer_score"], 2)),
                Cell(percent(row["commonest_answer"])),
                Cell(row["flags"] or ""),
            )
            for row in ordered.head(most).iter_rows(named=True)
        )
        more = len(self.assessors) - most
        caption = self.made.get("caption", "") + (f"; {more:,} more assessors" if more > 0 else "")
        return Grid(heading, rows, caption, drop=("commonest answer", "agrees", "right on gold"))

    def to_blocks(self, *, table: str | None = None) -> Sequence[Block]:
        """The answer, the assessors, and what changes without some.

        Args:
            table: "gold" for the gold instead of the assessors.

        Returns:
            Sentences and tables, in the order in which people read them.
        """
        return self._blocks(frame_grid(self.gold, "gold") if table == "gold" else self.grid())

    def to_page(self) -> Sequence[Block]:
        """The same with all assessors, or the first thousand."""
        return self._blocks(self.grid(MOST_ON_A_PAGE))

    def _blocks(self, main: Grid) -> Sequence[Block]:
        further = [] if self.leaderboard.is_empty() else [frame_grid(self.leaderboard, "systems with and without them")]
        return [Sentences(self.summary), main, *further]

    def to_rows(self, *, table: str | None = None) -> pl.DataFrame:
        """The one table that a CSV file holds.

        Args:
            table: "assessors" or "changes" instead of the gold.

        Returns:
            The table.
        """
        chosen: pl.DataFrame = {"assessors": self.assessors, "changes": self.changes}.get(table or "", self.gold)
        return chosen

    def to_dict(self, *, table: str | None = None) -> dict[str, Any]:  # noqa: ARG002 - all tables are always there
        """Everything, as dicts, lists, texts and numbers.

        Args:
            table: Changes nothing, since all tables are always there.

        Returns:
            The answer, all tables and the notices.
        """
        tables = {name: getattr(self, name).to_dicts() for name in ("gold", "assessors", "changes", "leaderboard")}
        return {"summary": list(self.summary), **tables, "made": dict(self.made), "notices": described(self.notices)}


def _span(row: Mapping[str, Any]) -> str:
    interval = f"{number(row['accuracy_low'], 2)} to {number(row['accuracy_high'], 2)}"
    return f"{number(row['accuracy'], 2)} ({interval}) of {row['gold_items']}"
