"""What `agree` returns: coefficients with intervals, pairs, cases, cuts, and what systems say about the judges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.render.grid import Cell, Grid, Sentences, number
from plumbline.render.result import Result
from plumbline.truth.agreement.grids import table_grid
from plumbline.truth.tables import chosen_tables, everything, only_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

TABLES: Final = {
    "why": "a coefficient is 1 - disagreement / disagreement by chance",
    "disputed": "items on which answers differ most, with their share of all disagreement",
    "pairs": "every pair of assessors",
    "by_case": "agreement by case",
    "without": "agreement without each assessor",
    "cuts": "agreement on whether a grade is reached",
    "judges": "each judge against the reference",
    "confusion": "answers of the reference and of each judge",
    "leaderboards": "leaderboards under each judge",
    "systems": "systems under each judge",
    "unanimous": "improvements that all judges share",
    "estimates": "estimates from few cases of the reference and many of a judge",
    "strata": "estimates within each stratum",
}
"""The tables beside the coefficients, and what people read above them."""


@dataclass(frozen=True, repr=False, eq=False)
class AssessorAgreement(Result):
    """How much assessors agree, and whether a leaderboard survives another judge.

    Tables without rows do not apply: `cuts` needs grades, `judges` a reference, `leaderboards` systems.

    Example:
        >>> import plumbline
        >>> anna, ben = [0, 1, 2, 2, 0, 1], [0, 1, 2, 1, 0, 0]
        >>> agreement = plumbline.agree({"anna": anna, "ben": ben}, level="ordinal")
        >>> round(agreement.value("alpha"), 3)
        0.764
    """

    heading: ClassVar[str] = "Judgements"
    summary: tuple[str, ...]
    """The answer in sentences."""
    coefficients: pl.DataFrame
    """`coefficient, title, value, low, high, error, reason`; the reason tells why there is no value."""
    why: pl.DataFrame = field(default_factory=pl.DataFrame)
    """`coefficient, disagreement, by_chance, value, chance`: a value is 1 - disagreement / by_chance."""
    disputed: pl.DataFrame = field(default_factory=pl.DataFrame)
    """`case, item, judgements, answers, share`: the items on which answers differ most, with their shares."""
    pairs: pl.DataFrame = field(default_factory=pl.DataFrame)
    by_case: pl.DataFrame = field(default_factory=pl.DataFrame)
    without: pl.DataFrame = field(default_factory=pl.DataFrame)
    cuts: pl.DataFrame = field(default_factory=pl.DataFrame)
    judges: pl.DataFrame = field(default_factory=pl.DataFrame)
    confusion: pl.DataFrame = field(default_factory=pl.DataFrame)
    leaderboards: pl.DataFrame = field(default_factory=pl.DataFrame)
    systems: pl.DataFrame = field(default_factory=pl.DataFrame)
    unanimous: pl.DataFrame = field(default_factory=pl.DataFrame)
    estimates: pl.DataFrame = field(default_factory=pl.DataFrame)
    strata: pl.DataFrame = field(default_factory=pl.DataFrame)
    made: Mapping[str, Any] = field(default_factory=dict)
    """What was counted, and how."""
    notices: tuple[Diagnostic, ...] = ()

    def value(self, coefficient: str) -> float | None:
        """The value of a coefficient.

        Args:
            coefficient: Its name, such as "alpha".

        Returns:
            The value, or None if it is undefined.

        Raises:
            BadUsage: If there is no such coefficient here.
        """
        rows = self.coefficients.filter(pl.col("coefficient") == coefficient)
        if rows.is_empty():
            raise BadUsage(usage.unknown_name("coefficient", coefficient, self.coefficients["coefficient"].to_list()))
        value: float | None = rows["value"][0]
        return value

    def to_polars(self) -> pl.DataFrame:
        """The coefficients."""
        return self.coefficients

    def grid(self) -> Grid:
        """The coefficients for people."""
        rows = tuple(
            (
                Cell(row["title"]),
                Cell(number(row["value"])),
                Cell("" if row["low"] is None else f"{number(row['low'])} to {number(row['high'])}"),
                Cell(row["reason"] or ""),
            )
            for row in self.coefficients.iter_rows(named=True)
        )
        heading = ("coefficient", "value", self.made.get("interval", "interval"), "undefined because")
        shown = [place for place in range(len(heading)) if any(row[place].text for row in rows)]
        cells = tuple(tuple(row[place] for place in shown) for row in rows)
        return Grid(tuple(heading[place] for place in shown), cells, self.made.get("caption", ""))

    def to_blocks(self, *, show: Sequence[str] = ()) -> Sequence[Block]:
        """The answer, the coefficients and, with systems or estimates, what they say.

        Args:
            show: The names of further tables, such as "pairs" or "by_case".

        Returns:
            Sentences and tables, in the order in which people read them.
        """
        chosen = chosen_tables(self, ("leaderboards", "estimates"), show, TABLES)
        tables = [table_grid(name, frame, TABLES[name]) for name, frame in chosen.items()]
        grids = [] if self.coefficients.is_empty() else [self.grid()]
        return [Sentences(self.summary), *grids, *tables]

    def to_page(self) -> Sequence[Block]:
        """The same with a row for each judge, without each assessor, and with the items on which they differ most."""
        return self.to_blocks(show=("judges", "without", "disputed"))

    def to_rows(self, *, show: Sequence[str] = ()) -> pl.DataFrame:
        """The one table that a CSV file holds.

        Args:
            show: The name of one table instead of the coefficients.

        Returns:
            The table.
        """
        return only_table(self, show, TABLES)

    def to_dict(self, *, show: Sequence[str] = ()) -> dict[str, Any]:  # noqa: ARG002 - all tables are always there
        """Everything, as dicts, lists, texts and numbers.

        Args:
            show: Changes nothing, since all tables are always there.

        Returns:
            The answer, all tables and the notices.
        """
        return everything(self, "coefficients", TABLES)
